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

test("no package runs a script of its own when it is installed, and a new one that wants to fails the install", () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ""));
  expect(project.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^strict-allow-scripts=true$/m);
});

test("nothing that reports its being installed is installed at all", () => {
  expectNone(
    Object.keys(packages).filter((path) => /scarf|(?<!open)telemetry|analytics/.test(path)),
    "Remove the package, or replace what reports its installation by an override in package.json",
  );
});

test("an install on an older Node is quiet, and no package is deprecated, of which npm would have warned", () => {
  expect(readFileSync(".npmrc", "utf8")).toMatch(/^loglevel=error$/m);
  expect(
    Object.entries(packages).flatMap(([path, { deprecated }]) =>
      deprecated === undefined ? [] : [`${path}: ${deprecated}`],
    ),
  ).toEqual([]);
});

test("one package drives browsers", () => {
  const drivers = Object.keys(packages).filter((path) =>
    /\/(puppeteer|playwright|selenium|webdriver|chromium-bidi)/.test(path),
  );
  expect(drivers).toEqual(["node_modules/playwright-core"]);
});

test("every package is held to a hash", () => {
  const loose = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== "" && !/^sha512-/.test(integrity ?? ""),
  );
  expectNone(
    loose.map(([path]) => path),
    "Run `npm install` with the registry, so that package-lock.json has the hash",
  );
});

test("every package that is installed to run has a licence that is known, and the list of them is current", () => {
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

test("the licence that package.json names is there in full", () => {
  expect(project.license).toBe("Apache-2.0");
  expect(existsSync("LICENSE")).toBe(true);
  expect(readFileSync("LICENSE", "utf8")).toMatch(/Apache License\s+Version 2\.0[\s\S]+END OF TERMS AND CONDITIONS/);
});
