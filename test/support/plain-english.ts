import { globSync, readFileSync, statSync } from "node:fs";
import { parseSync, Visitor } from "vite";

/** Phrases that readers stumble over, each with better words. A space also stands for a line break. */
const PHRASES: readonly (readonly [phrase: string, better: string])[] = [
  ["who(?:m)?ever", 'say who: "anyone who", "the caller", "the recipient", "an admin"'],
  ["that which", '"what", or the noun itself'],
  ["what is told|(?:is|are|was|were) told(?! apart)|tells? of", '"shows", "reports", "returns", "receives"'],
  ["heed(?:s|ed)?", '"respects", "follows"'],
  ["put away", '"archived"'],
  ["taken back", '"restored", "withdrawn"'],
  ["came back|come back for good", '"bounced"; of a server: "recovered"'],
  ["weighs? (?:much|so much)", '"is sensitive"'],
  ["let (?:it|them) go on|go(?:es)? on", '"continues", "resumes"'],
  ["in its turn", '"in turn"'],
  ["at once, and", '"immediately"'],
  ["for good", '"permanently"'],
  ["(?-i:Of) (?:an?|the|one|each|two|what|whom|which)", "begin the sentence with its subject"],
  ["no more than that|as (?:it stands|they stand)", '"as is", "unchanged"'],
  ["somebody|nobody", 'the role, or "someone", "no one"'],
  ["the interface", '"the API"'],
  ["mails|a mail(?! (?:server|host|client|provider|program|app|domain|folder)s?\\b)", '"emails", "an email"'],
  ["of (?:ours|yours|theirs)", '"our", "your", "their"'],
  ["looks? (?:after|for) the installation|of the installation", '"the operator", "the deployment"'],
  ["(?:is|are|(?:may|can|cannot) be) had", '"is available"'],
  ["what (?:follows from|comes of|became of|becomes of)", '"the result", "the outcome", "what happens to"'],
];
const MATCHERS = PHRASES.map(([phrase, better]) => ({
  pattern: new RegExp(`\\b(?:${phrase.replaceAll(" ", "\\s+")})\\b`, "gi"),
  better,
}));

/** Any of them, in a text whose marks of comments and line breaks are single spaces. */
const ANY = new RegExp(`\\b(?:${PHRASES.map(([phrase]) => phrase).join("|")})\\b`, "i");

const CODE = "**/*.{ts,tsx,js,mjs}";
const DOCUMENTS = ["*.md", "docs/**/*.md"];
/** Built or recorded by programs, or a copy of emails that people wrote. */
const UNREAD = [
  "**/node_modules",
  "console/dist",
  "test/fakes",
  "test/histories",
  "CHANGELOG.md",
  "docs/third-party.md",
];
/** A character of code, which no phrase reaches across. */
const CODE_MARK = "\0";

/** A phrase in a comment, a test name or a document. */
export interface Stumble {
  path: string;
  line: number;
  phrase: string;
  better: string;
}

/** Every phrase of the project. Files that changed last come first, so new phrases are easy to find. */
export function findStumbles(): Stumble[] {
  const files = globSync([CODE, ...DOCUMENTS], { exclude: UNREAD }).map((path) => ({
    path,
    changed: statSync(path).mtimeMs,
  }));
  files.sort((one, other) => other.changed - one.changed || one.path.localeCompare(other.path, "en"));
  return files.flatMap(({ path }) => stumblesIn(path, readFileSync(path, "utf8")));
}

export function stumblesIn(path: string, text: string): Stumble[] {
  if (!ANY.test(text.replaceAll(/[\s/*]+/g, " "))) return [];
  const prose = path.endsWith(".md") ? proseOfDocument(text) : proseOfCode(path, text);
  const found = MATCHERS.flatMap(({ pattern, better }) =>
    [...prose.matchAll(pattern)].map(({ 0: phrase, index }) => ({
      path,
      line: prose.slice(0, index).split("\n").length,
      phrase: phrase.replaceAll(/\s+/g, " "),
      better,
    })),
  );
  return found.sort((one, other) => one.line - other.line);
}

/** What no one reads as prose in a document: blocks of code, code within a paragraph, targets of links, notes. */
const HIDDEN = [
  /^ *(```+)[\s\S]*?^ *\1/gm,
  /(?<!`)(`+)(?!`)(?:.|\n(?!\s*\n))*?(?<!`)\1(?!`)/g,
  /\]\([^)\s]*\)/g,
  /<!--[\s\S]*?-->/g,
];

/** The document at its length, with code hidden. */
function proseOfDocument(text: string): string {
  return HIDDEN.reduce((prose, pattern) => prose.replaceAll(pattern, hide), text);
}

/** The source file at its length, with everything hidden but its comments and the names of its tests. */
function proseOfCode(path: string, text: string): string {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path} cannot be parsed`);
  const shown = parsed.comments.map(({ start, end }) => ({
    start,
    end,
    text: text
      .slice(start, end)
      .replaceAll(/^\/\*+|\*+\/$|^\/\/|^\s*\*/gm, blank)
      .replaceAll(/`[^`\n]*`/g, hide),
  }));
  if (/\.test\.ts$/.test(path)) {
    new Visitor({
      CallExpression({ callee, arguments: [name] }) {
        const isNamed = name?.type === "Literal" || name?.type === "TemplateLiteral";
        if (isNamed && /^(?:test|describe)\b/.test(text.slice(callee.start, callee.end)))
          shown.push({ start: name.start, end: name.end, text: text.slice(name.start, name.end) });
      },
    }).visit(parsed.program);
  }
  let prose = "";
  for (const part of shown.sort((one, other) => one.start - other.start))
    prose += hide(text.slice(prose.length, part.start)) + part.text;
  return prose + hide(text.slice(prose.length));
}

function hide(text: string): string {
  return text.replaceAll(/\S/g, CODE_MARK);
}

function blank(text: string): string {
  return text.replaceAll(/\S/g, " ");
}
