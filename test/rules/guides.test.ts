import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { routes } from "../../api/routes.ts";
import { pickAction } from "../../operations/choice.ts";
import type { Route } from "../../operations/declaration.ts";
import { isErrorGuideFresh } from "../support/error-guide.ts";
import { expectNone } from "../support/expect-none.ts";
import { expectVerification } from "./webhook-snippets.ts";

test("the webhook guide's verification in JavaScript accepts a genuine delivery and refuses forged ones", () => {
  expectVerification("js");
});

test("the guide on errors is up to date with the table of error codes (npm run docs writes the guide)", () => {
  expect(isErrorGuideFresh()).toBe(true);
});

test("the start page for developers has every command of the README's first campaign, in the same order", () => {
  const [readme = []] = commandBlocksOf("README.md");
  const page = commandBlocksOf("docs/start/developer.md").flat();
  expect(readme.length).toBeGreaterThan(5);
  expect(page.filter((line) => readme.includes(line))).toEqual(readme);
});

test("the API accepts every call on the start page for developers", () => {
  const calls = commandBlocksOf("docs/start/developer.md").flat().flatMap(callsIn);
  expect(calls.length).toBeGreaterThan(15);
  expectNone(
    calls.flatMap((call) => refusalOf(call) ?? []),
    "Correct the command in docs/start/developer.md",
  );
});

/** The lines of each `sh` block of a document. */
function commandBlocksOf(document: string): string[][] {
  const blocks = [...readFileSync(document, "utf8").matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  return blocks.map(([, block = ""]) => block.trimEnd().split("\n"));
}

interface ShellCall {
  method: string;
  path: string;
  body: string | null;
}

/** `api /path -X PATCH -d '{...}'`: the function `api` of the README with its arguments, as a request. */
function callsIn(line: string): ShellCall[] {
  const written = /\bapi '?(\/[^\s')]+)'?(?: -X ([A-Z]+))?(?: -d '(.*?)'(?=\)| \||$))?/g;
  return [...line.matchAll(written)].map(([, path = "", method, body = null]) => ({
    method: (method ?? (body === null ? "GET" : "POST")).toLowerCase(),
    path,
    body: body?.replaceAll(/'\$\w+'/g, "id") ?? null,
  }));
}

/** The API's objection to a request; null when it would accept it. */
function refusalOf({ method, path, body }: ShellCall): string | null {
  const [bare = "", query = ""] = path.split("?");
  const named = (template: string) => new RegExp(`^${template.replaceAll(/:(\w+)/g, "(?<$1>\\$\\w+)")}$`).exec(bare);
  const route: Route | undefined = routes.find(([verb, template]) => verb === method && named(template) !== null);
  if (route === undefined) return `${method} ${path}: no such endpoint`;
  const [, template, operation, , options] = route;
  const whole = options?.whole;
  const sent = body === null ? Object.fromEntries(new URLSearchParams(query)) : JSON.parse(body);
  const fields = { ...(whole === undefined ? sent : { [whole]: sent }), ...named(template)?.groups };
  try {
    const { action, input } =
      "actions" in operation ? pickAction(operation, fields) : { action: operation, input: fields };
    action.input.parse(input);
    return null;
  } catch (err) {
    return `${method} ${path}: ${String(err)}`;
  }
}
