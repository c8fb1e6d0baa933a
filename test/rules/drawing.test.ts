import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { expectNone, expectSame } from "../support/expect-none.ts";
import { CORE, GROUND, LANGUAGES, ROOMS, TYPES } from "./laws.ts";

const page = readFileSync("docs/rooms.md", "utf8");
const [, drawing = ""] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? [];
/** A room of the law that does not exist yet is not drawn. */
const rooms = Object.keys(ROOMS).filter((room) => existsSync(room));

/**
 * `api > domain/errors.ts`, `workflows > activities (types)`: each arrow of the drawing, one line for each file it
 * names.
 */
function drawn(): string[] {
  return drawing
    .trim()
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const [, from, arrow, label, targets] = /^ {2}([\w.]+) (-->|-\.->)(?:\|([^|]+)\|)? ([\w. &]+)$/.exec(line) ?? [];
      if (targets === undefined) throw new Error(`This line of the drawing cannot be read: ${line}`);
      const named = (arrow === "-->" ? label : label?.replace(/^types(?: of )?/, "")) ?? "";
      const files = named === "" ? [""] : named.split(", ").map((file) => `/${file}`);
      const kind = arrow === "-->" ? "" : " (types)";
      return targets.split(" & ").flatMap((to) => files.map((file) => `${from} > ${to}${file}${kind}`));
    });
}

function lawful(): string[] {
  const values = rooms.flatMap((room) => (ROOMS[room] ?? []).map((to) => `${room} > ${to}`));
  const types = rooms.flatMap((room) => (TYPES[room] ?? []).map((to) => `${room} > ${to} (types)`));
  return [...values, ...types];
}

test("the drawing has exactly the arrows for the imports that test/rules/laws.ts allows", () => {
  expectSame(drawn(), lawful(), {
    missing: "Draw the arrow in docs/rooms.md: test/rules/laws.ts allows it",
    extra: "Remove the arrow from docs/rooms.md: test/rules/laws.ts does not allow it",
  });
});

test("every room of test/rules/laws.ts is in the drawing and in the table below the drawing", () => {
  const named = drawn().flatMap((arrow) => arrow.split(/ > |\/| \(/));
  expectNone(
    rooms.filter((room) => !named.includes(room) || !page.includes(`\n| \`${room}/\` |`)),
    "Add the room to the table and to the drawing in docs/rooms.md",
  );
});

test("docs/rooms.md names the same areas as test/rules/laws.ts", () => {
  const listOf = (kind: string) =>
    new RegExp(`^- \\*\\*${kind}\\*\\*: ([a-z, -]+?)(?:, and the outbox)?\\.`, "m").exec(page)?.[1]?.split(", ");
  expect([listOf("Languages"), listOf("Ground"), listOf("Core")]).toEqual([LANGUAGES, GROUND, CORE]);
});
