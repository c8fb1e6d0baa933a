import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { expectNone } from "../support/expect-none.ts";
import { type Import, importedFiles, importsOf, sourcesIn } from "../support/imports.ts";
import { BEYOND, COMPOSES, CORE, GROUND, LANGUAGES, ROOMS, SATELLITES, TYPES } from "./laws.ts";

const WITH_AREAS = ["domain", "store", "operations", "activities"];

const PACKAGES: Record<string, RegExp> = {
  express: /^(api|mcp)\//,
  mongoose: /^(mongo|models|embedded)\//,
  nodemailer: /^connectors\//,
  stripe: /^connectors\//,
  imapflow: /^connectors\//,
  undici: /^connectors\/net\//,
  "@temporalio/client": /^(temporal|embedded|runtime)\//,
  "@temporalio/worker": /^(worker|runtime)\//,
  "@temporalio/workflow": /^workflows\//,
  "@modelcontextprotocol/sdk": /^mcp\//,
  "@modelcontextprotocol/server": /^mcp\//,
  "@modelcontextprotocol/node": /^mcp\//,
  "oidc-provider": /^api\/oauth\//,
  react: /^console\//,
  "react-dom/client": /^console\//,
  "@tanstack/react-query": /^console\//,
  "@tanstack/react-router": /^console\//,
  vite: /^console\/build\.ts$/,
};
const SOCKETS = /^(?:node:)?(?:net|tls|dns|dns\/promises|dgram|http|https|http2)$/;
const MAY_OPEN_SOCKETS = /^(connectors\/net\/|embedded\/|runtime\/|mcp\/http\.ts)/;
/** A folder holds from 3 files, or they stand in the room itself, to 25, or it is two areas. */
const [FEWEST, MOST] = [3, 25];
/** Flat: a table of files that are alike. */
const FLAT = ["models", "workflows"];

interface Source {
  path: string;
  text: string;
  imports: Import[];
}

const FOLDERS = [...Object.keys(ROOMS), "runtime", "worker", "embedded"].filter((folder) => existsSync(folder));
const sources = sourcesIn(FOLDERS)
  .filter((path) => /\.tsx?$/.test(path))
  .map(sourceOf);

function sourceOf(path: string): Source {
  const text = readFileSync(path, "utf8");
  return { path, text, imports: importsOf(text) };
}

/** Every file and import that breaks a rule, by name. */
function breaches(rule: (source: Source, name: string, isType: boolean) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter(({ name, isType }) => rule(source, name, isType))
      .map(({ name }) => `${source.path} imports ${name}`),
  );
}

test("no room imports a room that test/rules/laws.ts does not allow, not even for a type", () => {
  const isForeign = ({ path }: Source, name: string, isType: boolean) => {
    const [room = ""] = path.split("/");
    const rooms = ROOMS[room];
    if (rooms === undefined || COMPOSES.test(path) || !name.startsWith(".")) return false;
    const allowed = [room, ...rooms, ...(BEYOND[dirname(path)] ?? []), ...(isType ? (TYPES[room] ?? []) : [])];
    const target = join(path, "..", name);
    return !allowed.some((one) => target === one || target.startsWith(`${one}/`));
  };
  expectNone(
    breaches(isForeign),
    "Move the code to a room that may import this, or pass the value in; what each room may import stands in test/rules/laws.ts",
  );
});

test("a satellite imports the core and no other satellite, and the core imports no satellite", () => {
  const areaOf = (path: string) => {
    const [room = "", area = "", file] = path.split("/");
    return WITH_AREAS.includes(room) && file !== undefined ? area : null;
  };
  const areas = new Set(sources.flatMap(({ path }) => areaOf(path) ?? []));
  expectNone(
    [...areas].filter((area) => ![...LANGUAGES, ...GROUND, ...CORE, ...SATELLITES].includes(area)),
    "Add each new area to CORE, SATELLITES, GROUND or LANGUAGES in test/rules/laws.ts",
  );
  const isForeign = ({ path }: Source, name: string) => {
    const area = areaOf(path);
    const other = name.startsWith(".") ? areaOf(join(path, "..", name)) : null;
    if (area === null || other === null || area === other) return false;
    return SATELLITES.includes(other) || (LANGUAGES.includes(area) && !LANGUAGES.includes(other));
  };
  expectNone(
    breaches(isForeign),
    "The core publishes events through store/outbox.ts, and a satellite never imports another: move the shared part to the core, or to a language of test/rules/laws.ts",
  );
});

test("no file of the product, the tests or the benchmarks imports itself through others, not even lazily or for a type", () => {
  const programs = readdirSync(".").filter((file) => /\.[jt]s$/.test(file));
  const files = [...sources.map(({ path }) => path), ...programs, ...sourcesIn(["bench", "test"])];
  const imported = new Map(files.map((path) => [path, importedFiles(path, readFileSync(path, "utf8"))]));
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (path: string, above: readonly string[]) => {
    if (above.includes(path)) circles.push([...above.slice(above.indexOf(path)), path].join(" > "));
    if (done.has(path) || above.includes(path)) return;
    for (const file of imported.get(path) ?? []) walk(file, [...above, path]);
    done.add(path);
  };
  for (const path of files) walk(path, []);
  expectNone(
    circles,
    "Each circle is one line. Move what both files need, often a type, into a third one or into the one that needs less",
  );
});

test("no folder has too few files to be an area, or too many", () => {
  const sizes = Map.groupBy(sources, ({ path }) => dirname(path));
  const wrong = [...sizes].filter(([folder, files]) => {
    const isRoom = !folder.includes("/");
    return !FLAT.includes(folder) && (files.length > MOST || (!isRoom && files.length < FEWEST));
  });
  expectNone(
    wrong.map(([folder, files]) => `${folder}: ${files.length}`),
    "Split a folder of more than 25 files into two areas, and merge one of fewer than 3 into its room",
  );
});

test("each library is imported only by its own room", () => {
  expectNone(
    breaches(({ path }, name, isType) => !isType && PACKAGES[name]?.test(path) === false),
    "Use the library in its own room (PACKAGES in test/rules/rooms.test.ts) and call that",
  );
});

test("the domain code that the console runs imports no library that a browser would have to load", () => {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const isPage = ({ path }: Source) => path.startsWith("console/") && !COMPOSES.test(path);
  const reached = new Set<string>();
  const reach = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const { name, isType } of byPath.get(path)?.imports ?? [])
      if (!isType && name.startsWith(".")) reach(join(path, "..", name));
  };
  for (const source of sources.filter(isPage)) reach(source.path);
  const loaded = [...reached].filter((path) => !path.startsWith("console/"));
  const heavy = loaded.flatMap((path) =>
    (byPath.get(path)?.imports ?? []).filter(({ name, isType }) => !isType && !name.startsWith(".")),
  );
  expect(loaded.length).toBeGreaterThan(2);
  expectNone(
    loaded.filter((path) => !path.startsWith("domain/")),
    "Pages import values of domain/ only: move the value there",
  );
  expectNone(
    heavy.map(({ name }) => name),
    "Split the file in domain/, so that pages import the part without libraries",
  );
});

test("every link of the console leads to a page in its table of routes", () => {
  const [table = ""] = sources.filter(({ path }) => path === "console/routes.tsx").map(({ text }) => text);
  const pages = [...table.matchAll(/^ {2}page\("([^"]+)"/gm)].map(([, path]) => path);
  const linked = sources.flatMap(({ path, text }) =>
    path.startsWith("console/")
      ? [...text.matchAll(/ page(?:=|: )"([^"]+)"/g)].map(([, page]) => ({ path, page }))
      : [],
  );
  expect(pages.length).toBeGreaterThan(2);
  expectNone(
    linked.filter(({ page }) => !pages.includes(page)),
    "Add the page to the table in console/routes.tsx, or correct the link",
  );
});

test("only connectors/net opens sockets, resolves names and sends HTTP requests", () => {
  expectNone(
    breaches(
      ({ path }, name, isType) => !isType && SOCKETS.test(name) && !MAY_OPEN_SOCKETS.test(path) && !isPure(path, name),
    ),
    "Open connections through connectors/net",
  );
});

test("only temporal/run.ts starts workflows, with the search attributes for operators", () => {
  const begins = sources.filter(
    ({ path, text }) => path !== "temporal/run.ts" && /\.workflow\s*\.(?:start|execute|signalWithStart)\(/.test(text),
  );
  expectNone(
    begins.map(({ path }) => path),
    "Start workflows through temporal/run.ts",
  );
});

/** Parts of those modules that open nothing. */
function isPure(path: string, name: string): boolean {
  const { text } = sourceOf(path);
  const [, names = ""] = new RegExp(`import \\{([^}]*)\\} from "${name}"`).exec(text) ?? [];
  return names
    .split(",")
    .every((part) => /^\s*(STATUS_CODES|isIP|isIPv4|isIPv6|BlockList|SocketAddress)?\s*$/.test(part));
}

test("domain code reads no clock and no process, and only config.ts reads the environment", () => {
  const impure = sources.filter(
    ({ path, text }) => path.startsWith("domain/") && /\bDate\.now\(|\bnew Date\(\)|\bprocess\.\w/.test(text),
  );
  const reading = sources.filter(({ text }) => /process\.env/.test(text));
  expectNone(
    [...impure, ...reading].map(({ path }) => path),
    "Pass the time or the setting in as an argument; config.ts alone reads the environment",
  );
});

test("no file has more than 400 lines, and no file switches off type checks", () => {
  expectNone(
    sources.filter(({ text }) => text.split("\n").length > 400).map(({ path }) => path),
    "Split the file at its ideas: 60 lines are usual, 400 are the limit",
  );
  expectNone(
    sources
      .filter(({ text }) => /noExplicitAny|@ts-(?:ignore|nocheck|expect-error)/.test(text))
      .map(({ path }) => path),
    "Type the value instead of excusing it",
  );
});
