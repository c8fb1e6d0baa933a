import type { DoneJob, Step } from "./run-jobs.ts";
import { callsOf } from "./run-jobs.ts";

export const TRANSCRIPT_FILE = "docs/guides/agent-jobs.md";

const HEAD = `# Ten jobs of an agent

The calls that an agent makes for ten everyday jobs, with the answers of a running service: \`test/doors/jobs\` does them by the tools alone, and
\`npm run docs:agents\` writes this page from its calls. [Agents](../${"agents"}.md) explains keys, policies and answers.

Ids, times, tokens and host names are replaced. \`…\` stands for what is left out. Empty fields are left out of the answers without a mark.
`;

/** Characters of a line, and lines of an answer. A longer text or list loses its end. */
const [LINE, LINES, TEXT, ENTRIES] = [110, 20, 90, 3];

/** The page with the calls of all jobs. Two runs give the same page. */
export function transcriptOf(jobs: readonly DoneJob[]): string {
  const stable = stabilizer();
  const sections = jobs.map((job, at) => {
    const calls = callsOf(job);
    const head = `## ${at + 1}. ${job.name}\n\n> ${job.asked}\n\n${calls} ${calls === 1 ? "call" : "calls"}.\n`;
    return `${head}\n${job.steps.map((step) => partOf(step, stable)).join("\n")}`;
  });
  return `${HEAD}\n${sections.join("\n")}`;
}

function partOf(step: Step, stable: (text: string) => string): string {
  if ("meanwhile" in step) return `*${step.meanwhile}*\n`;
  const args = printed(shortened(JSON.parse(stable(JSON.stringify(step.args)))));
  const answer = printed(shortened(namedIn(withoutEmpty(JSON.parse(stable(step.text))), step.shown)));
  return `\`${step.tool}\`\n\n\`\`\`json\n${args}\n\`\`\`\n\n\`\`\`json\n${answer}\n\`\`\`\n`;
}

/** Replaces what differs between two runs: each id by a number in the order of first appearance. */
function stabilizer(): (text: string) => string {
  const numbers = new Map<string, string>();
  const counts = new Map<string, number>();
  const numbered = (id: string, prefix: string) => {
    const known = numbers.get(id);
    if (known !== undefined) return known;
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    numbers.set(id, `${prefix}_${count}`);
    return `${prefix}_${count}`;
  };
  return (text) =>
    text
      .replaceAll(/\b([a-z]{2,4})_[0-9A-Za-z]{26}\b/g, numbered)
      .replaceAll(/<[^<>@"\s]+@[^<>"\s]+>/g, "<message-id>")
      .replaceAll(/https?:\/\/(?:localhost|127\.0\.0\.1):\d+/g, "https://out.example.com")
      .replaceAll(/\bv1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{43}/g, "v1.token")
      .replaceAll(/"(port|cid)":(?:\d+|"\w+")/g, (_, name) => (name === "port" ? '"port":465' : '"cid":"8JqZ"'))
      .replaceAll(/\b[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g, "Mon, 02 Mar 2026 09:00:00 GMT")
      .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, "whsec_secret")
      .replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{3})?)?(?:Z|[+-]\d\d:\d\d)/g, "2026-03-02T09:00:00Z")
      .replaceAll(/\b20\d\d-\d\d-\d\d\b(?!T)/g, "2026-03-02");
}

/** JSON with short values on one line, at most so many lines. */
function printed(value: unknown): string {
  const lines = linesOf(value, "").split("\n");
  return lines.length <= LINES ? lines.join("\n") : [...lines.slice(0, LINES - 2), "  …", lines.at(-1)].join("\n");
}

function linesOf(value: unknown, indent: string): string {
  const short = inline(value);
  if (typeof value !== "object" || value === null || short.length + indent.length <= LINE) return short;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const parts = Array.isArray(value)
    ? value.map((one) => `${inner}${linesOf(one, inner)}`)
    : Object.entries(value).map(
        ([key, one]) => `${inner}${key === REST ? REST : `${JSON.stringify(key)}: ${linesOf(one, inner)}`}`,
      );
  return `${open}\n${parts.join(",\n")}\n${indent}${close}`;
}

function inline(value: unknown): string {
  if (value === REST) return REST;
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, one]) =>
    key === REST ? REST : `${JSON.stringify(key)}: ${inline(one)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** Stands for the fields of an object, and the entries of a list, that are left out. */
const REST = "…";

function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length <= TEXT ? value : `${value.slice(0, TEXT).trimEnd()}…`;
  if (Array.isArray(value)) {
    const shown = value.slice(0, ENTRIES).map(shortened);
    return value.length > ENTRIES ? [...shown, REST] : shown;
  }
  return mapped(value, ([key, inner]) => [[key, shortened(inner)]]);
}

/** The value with only these fields, wherever they are; null: with all. */
function namedIn(value: unknown, names: readonly string[] | null): unknown {
  if (names === null) return value;
  if (Array.isArray(value)) return value.map((one) => namedIn(one, names));
  if (typeof value !== "object" || value === null) return value;
  const shown = Object.entries(value).filter(([key, inner]) => names.includes(key) || hasAny(inner, names));
  const fields = shown.map(([key, inner]) => [key, names.includes(key) ? inner : namedIn(inner, names)]);
  return Object.fromEntries(shown.length < Object.keys(value).length ? [...fields, [REST, REST]] : fields);
}

function hasAny(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => names.includes(key) || hasAny(inner, names));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  return mapped(value, ([key, inner]) => (isEmpty(inner) ? [] : [[key, withoutEmpty(inner)]]));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

/** An object with other fields; any other value as it is. */
function mapped(value: unknown, fieldsOf: (field: [string, unknown]) => [string, unknown][]): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(fieldsOf));
}
