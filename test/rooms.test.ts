import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

/** The import law of the house: what each room may import of the others, and which packages belong to one room. */
const ROOMS: Record<string, RegExp> = {
  domain: /^domain\//,
  models: /^(models|domain)\//,
  ledger: /^(ledger|domain|models)\//,
  workflows: /^(workflows|domain)\//,
  activities: /^(activities\/|domain\/|models\/|egress\/|ledger\/|temporal\/|workflows\/ids\.ts)/,
  temporal: /^(temporal\/|domain\/|workflows\/ids\.ts)/,
  egress: /^(egress|domain)\//,
  operations: /^(operations|domain|models|ledger|temporal|workflows)\//,
  api: /^(api\/|operations\/|domain\/(errors|scopes)\.ts)/,
  mcp: /^(mcp\/|operations\/|domain\/(errors|scopes)\.ts)/,
};
/** What composes may import all: the entries of the processes and of the command line. */
const COMPOSES = /^(api\/(main|start)\.ts|api\/cli\/|api\/log\.ts|mcp\/main\.ts)/;
const PACKAGES: Record<string, RegExp> = {
  express: /^(api|mcp)\//,
  mongoose: /^(models|embedded)\//,
  nodemailer: /^activities\//,
  imapflow: /^activities\//,
  undici: /^egress\//,
  "@temporalio/workflow": /^workflows\//,
  "@modelcontextprotocol/sdk": /^mcp\//,
};
const SOCKETS = /^(?:node:)?(?:net|tls|dns|dns\/promises|dgram|http|https|http2)$/;
const MAY_OPEN_SOCKETS = /^(egress\/|embedded\/|api\/(listen|start)\.ts|mcp\/http\.ts|worker\/(metrics|egress)\.ts)/;

interface Source {
  path: string;
  text: string;
  /** Type imports vanish when the code runs. */
  imports: { name: string; isType: boolean }[];
}

const FOLDERS = [...Object.keys(ROOMS), "worker", "embedded"].filter((folder) => existsSync(folder));
const sources: Source[] = FOLDERS.flatMap((folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.map((file) => sourceOf(join(folder, file)));
});

function sourceOf(path: string): Source {
  const text = readFileSync(path, "utf8");
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm);
  return { path, text, imports: [...found].map(([, type, name = ""]) => ({ name, isType: type !== undefined })) };
}

/** Every file and import that breaks a rule, by name. */
function breaches(rule: (source: Source, name: string, isType: boolean) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports.filter(({ name, isType }) => rule(source, name, isType)).map(({ name }) => `${source.path} imports ${name}`),
  );
}

test("no room imports a room it may not", () => {
  const isForeign = ({ path }: Source, name: string, isType: boolean) => {
    const [room = ""] = path.split("/");
    const allowed = ROOMS[room];
    if (allowed === undefined || COMPOSES.test(path) || !name.startsWith(".")) return false;
    if (isType && (room === "workflows" || room === "api" || room === "mcp")) return false;
    return !allowed.test(join(path, "..", name));
  };
  expect(breaches(isForeign)).toEqual([]);
});

test("each library has one room", () => {
  expect(breaches(({ path }, name, isType) => !isType && PACKAGES[name]?.test(path) === false)).toEqual([]);
});

test("sockets, names and HTTP are opened in egress alone", () => {
  expect(
    breaches(({ path }, name, isType) => !isType && SOCKETS.test(name) && !MAY_OPEN_SOCKETS.test(path) && !isPure(path, name)),
  ).toEqual([]);
});

test("runs of a workspace begin in one place, with what an operator finds them by", () => {
  const begins = sources.filter(
    ({ path, text }) => path !== "temporal/run.ts" && /\.workflow\s*\.(?:start|execute|signalWithStart)\(/.test(text),
  );
  expect(begins.map(({ path }) => path)).toEqual([]);
});

/** Parts of those modules that open nothing. */
function isPure(path: string, name: string): boolean {
  const { text } = sourceOf(path);
  const [, names = ""] = new RegExp(`import \\{([^}]*)\\} from "${name}"`).exec(text) ?? [];
  return names.split(",").every((part) => /^\s*(STATUS_CODES|isIP|isIPv4|isIPv6|BlockList|SocketAddress)?\s*$/.test(part));
}

test("domain reads no clock and no process, and only config.ts reads the environment", () => {
  const impure = sources.filter(({ path, text }) => path.startsWith("domain/") && /\bDate\.now\(|\bnew Date\(\)|\bprocess\.\w/.test(text));
  const reading = sources.filter(({ text }) => /process\.env/.test(text));
  expect([...impure, ...reading].map(({ path }) => path)).toEqual([]);
});

test("no file is past 400 lines, and none is excused from saying what it holds", () => {
  expect(sources.filter(({ text }) => text.split("\n").length > 400).map(({ path }) => path)).toEqual([]);
  expect(sources.filter(({ text }) => /noExplicitAny|@ts-(?:ignore|nocheck|expect-error)/.test(text)).map(({ path }) => path)).toEqual([]);
});
