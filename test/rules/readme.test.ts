import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { expectNone } from "../support/expect-none.ts";
import { SETTINGS_FILE, settingsPage } from "../support/settings.ts";

const pages = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".md") ? [join("docs", name)] : [],
  ),
].map((path) => ({
  path,
  text: readFileSync(path, "utf8"),
}));
const readme = readFileSync("README.md", "utf8");
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const MOST_LINES = 150;
const SOURCES = [
  "api",
  "config.ts",
  "domain",
  "embedded",
  "models",
  "operations",
  "runtime",
  "start.js",
  "temporal",
  "worker",
];

test("docs/settings.md is up to date with config.ts (npm run docs writes the page)", () => {
  expect(readFileSync(SETTINGS_FILE, "utf8")).toBe(settingsPage());
});

test("every npm script that README.md or a guide names exists", () => {
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(/npm (?:run )?(start|test|[a-z]+:?[a-z]*)\b/g)].map(([, name = ""]) => name),
  );
  const asked = named.filter((name) => name !== "ci" && name !== "itself");
  expect(asked.length).toBeGreaterThan(10);
  expectNone(
    asked.filter((name) => scripts[name] === undefined),
    "Add the script to package.json, or correct its name in the document",
  );
});

test("the README is short, and contains the commands to run and to test", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(MOST_LINES);
  expect(readme).toContain("\nnpm ci && npm start ");
  expect(readme).toContain("\nnpm ci && npm test ");
});

test("every message in the troubleshooting table is a message of the service", () => {
  const [, table = ""] = readFileSync("docs/operating.md", "utf8").split(/^\| It says \|.*\n.*\n/m);
  const messages = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = ""]) => message);
  expect(messages.length).toBeGreaterThan(15);
  const texts = SOURCES.flatMap(filesIn).map((path) => readFileSync(path, "utf8"));
  const isSaid = (message: string) => {
    const parts = message.split("…").filter((part) => part.trim() !== "");
    return texts.some((text) => parts.every((part) => text.includes(part)));
  };
  expectNone(
    messages.filter((message) => !isSaid(message)),
    "Correct the message in the table of troubles in docs/operating.md: no code says it",
  );
});

function filesIn(path: string): string[] {
  if (/\.(ts|js)$/.test(path)) return [path];
  const names = readdirSync(path, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => join(path, name));
}
