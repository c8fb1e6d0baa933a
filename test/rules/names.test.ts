import { globSync, readFileSync } from "node:fs";
import { test } from "@jest/globals";
import { expectNone } from "../support/expect-none.ts";

const ROOMS =
  "{domain,mongo,models,connectors,temporal,store,operations,activities,workflows,api,mcp,runtime,worker,embedded}";
const sources = globSync(`${ROOMS}/**/*.ts`).map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** Exported names of a kind, each with the file that exports it. */
function exported(kind: string): { name: string; path: string }[] {
  const pattern = new RegExp(`^export (?:async )?(?:${kind})\\*? (\\w+)`, "gm");
  return sources.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([, name = ""]) => ({ name, path })));
}

/** `scoped()` is the project's word for what belongs to one workspace. */
const KNOWN = ["scoped"];
const REGULAR = /^[a-z]+(?<!e)ed$/;
const IRREGULAR = new Set(
  "begun bound bought brought built caught chosen done drawn felt forgotten found given gone heard held kept known left lost made meant met paid said seen sent shown sold spoken taken thought thrown told understood won written".split(
    " ",
  ),
);

test("the name of every exported function has a verb, and is not a bare participle", () => {
  const bare = exported("function").filter(
    ({ name }) => !KNOWN.includes(name) && (REGULAR.test(name) || IRREGULAR.has(name)),
  );
  expectNone(bare, "Name each function by a verb, such as loadX, findX or markX");
});

test("no two areas export a type of the same name", () => {
  const byName = Map.groupBy(exported("interface|type|class|enum"), ({ name }) => name);
  const twice = [...byName].filter(([, found]) => new Set(found.map(({ path }) => path)).size > 1);
  expectNone(
    twice.map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(", ")}`),
    "Rename one of the two types, so that each name means one thing",
  );
});
