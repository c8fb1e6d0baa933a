import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { z } from "zod";
import { expectNone } from "../support/expect-none.ts";
import { isKnown, licences, thirdParty } from "../support/third-party.ts";

/** The packages that the service needs to run: their licences, their install scripts and their hashes. */
const lock = readFileSync("package-lock.json", "utf8");
const Package = z.looseObject({
  deprecated: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
});
const packages = z.object({ packages: z.record(z.string(), Package) }).parse(JSON.parse(lock)).packages;
const project = z
  .looseObject({ license: z.string(), allowScripts: z.record(z.string(), z.boolean()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

test("no package runs an install script, and an install fails for a new package that wants to", () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(project.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^strict-allow-scripts=true$/m);
});

test("no installed package reports its installation", () => {
  expectNone(
    Object.keys(packages).filter((path) => /scarf|(?<!open)telemetry|analytics/.test(path)),
    "Remove the package, or replace what reports its installation by an override in package.json",
  );
});

test("an install on an older Node shows no warnings, and no package is deprecated", () => {
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^loglevel=error$/m);
  expect(
    Object.entries(packages).flatMap(([path, { deprecated }]) =>
      deprecated === undefined ? [] : [`${path}: ${deprecated}`],
    ),
  ).toEqual([]);
});

test("only one package controls browsers", () => {
  const drivers = Object.keys(packages).filter((path) =>
    /\/(puppeteer|playwright|selenium|webdriver|chromium-bidi)/.test(path),
  );
  expect(drivers).toEqual(["node_modules/playwright-core"]);
});

test("every package in package-lock.json has a hash", () => {
  const loose = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== "" && !/^sha512-/.test(integrity ?? ""),
  );
  expectNone(
    loose.map(([path]) => path),
    "Run `npm install` with the registry, so that package-lock.json has the hash",
  );
});

test("every runtime package has an accepted licence, and docs/third-party.md is current", () => {
  expectNone(
    [...licences(lock).keys()].filter((licence) => !isKnown(licence)),
    "Check the licence and add it to the known ones in test/support/third-party.ts, or use another package",
  );
  expect(readFileSync("docs/third-party.md", "utf8")).toBe(thirdParty(lock));
  expect([isKnown("(MIT OR GPL-3.0)"), isKnown("MIT AND GPL-3.0"), isKnown("none named")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("LICENSE contains the full text of the licence that package.json names", () => {
  expect(project.license).toBe("Apache-2.0");
  expect(existsSync("LICENSE")).toBe(true);
  expect(readFileSync("LICENSE", "utf8")).toMatch(/Apache License\s+Version 2\.0[\s\S]+END OF TERMS AND CONDITIONS/);
});
