import { parseArgs } from "node:util";
import { limit } from "../../operations/abuse/limit.ts";
import { onDatabase } from "./database.ts";

const USAGE =
  "usage: npm run workspace:limit -- <workspace id> [--daily <emails a day>] [--tests <connection tests a day>] [--imports <rows of leads a day>] --reason <text that its members read>; none instead of a number removes the limit";
const LIMITS = [
  ["daily", "EMAILS", "send", "emails"],
  ["tests", "CONNECTION_TESTS", "test", "connections"],
  ["imports", "IMPORTED_ROWS", "import", "rows of leads"],
] as const;

// Limits what a workspace may do on a UTC day
await onDatabase(async () => {
  const text = { type: "string" } as const;
  const options = { daily: text, tests: text, imports: text, reason: text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [workspaceId, ...others] = positionals;
  const { reason } = values;
  const named = LIMITS.filter(([option]) => values[option] !== undefined);
  if (workspaceId === undefined || others.length > 0 || named.length === 0 || reason === undefined)
    throw new Error(USAGE);
  const wrong = named.some(([option]) => values[option] !== "none" && !/^\d{1,7}$/.test(values[option] ?? ""));
  if (wrong) throw new Error(USAGE);
  const lines: string[] = [];
  for (const [option, what, may, things] of named) {
    const most = values[option] === "none" ? null : Number(values[option]);
    await limit(workspaceId, most, reason, { what });
    lines.push(
      most === null
        ? `${workspaceId} has no limit of ${things} by the operator`
        : `${workspaceId} may ${may} ${most} ${things} a day`,
    );
  }
  return lines.join("\n");
});
