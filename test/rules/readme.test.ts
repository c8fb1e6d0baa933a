import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { withSettings } from "../support/readme.ts";

const readme = readFileSync("README.md", "utf8");
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));

test("the README's table of settings is that of config.ts: `npm run docs` writes it", () => {
  expect(withSettings(readme)).toBe(readme);
});

test("every path the README names exists", () => {
  const named = [...readme.matchAll(/`([\w.-]+(?:\/[\w.-]*)*)`/g)].map(([, path = ""]) => path);
  const paths = named.filter((path) => !path.startsWith(".data") && (path.includes("/") || /\.(ts|js|md|yml|json)$/.test(path)));
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test("every npm script the README names exists", () => {
  const named = [...readme.matchAll(/npm (?:run )?(start|test|[a-z]+:?[a-z]*)\b/g)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "ci");
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
