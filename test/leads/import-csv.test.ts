import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { rowsAsked } from "../../operations/leads/import-rows.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const header = (columns: number) => `email${Array.from({ length: columns - 1 }, (_, at) => `,column${at}`).join("")}\n`;

test("a row of a CSV text has only its filled cells, and the first row names every column", async () => {
  const rows = await rowsAsked({ csv: "email,name,note\na@x.test\nb@x.test,,two\n,,\n" });
  expect(rows.page(0, 3)).toEqual([
    { email: "a@x.test", name: "", note: "" },
    { email: "b@x.test", note: "two" },
  ]);
  const wide = await rowsAsked({ csv: `${header(1_000)}${"a@x.test\n".repeat(5_000)}` });
  expect(wide.json(1, 1)).toBe('[{"email":"a@x.test"}]');
});

test("a CSV text with short rows under very many columns is refused at the row that exceeds the limit", async () => {
  const { rest } = await world.workspace();
  const ask = (rows: number, fields: object = {}) =>
    rest.post("/leads/import", { action: "dryRun", csv: `${header(1_000)}${"a@x.test\n".repeat(rows)}`, ...fields });
  expect(await ask(5_001)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path: "csv", code: "TOO_BIG" }] } },
  });
});

test("a CSV text is read in slices, so that other work runs meanwhile and a text with too many rows is refused early", async () => {
  const row = `a@x.test,${"x".repeat(87)}\n`;
  let turns = 0;
  let isRead = false;
  const count = () => {
    turns++;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const rows = await rowsAsked({ csv: `email,note\n${row.repeat(20_000)}` });
  isRead = true;
  expect(rows.length).toBe(20_000);
  expect(turns).toBeGreaterThanOrEqual(20);
});

test.each([
  ["email,name\na@x.test,A,b", "TOO_MANY_CELLS", 2],
  ["email\n", "EMPTY_FILE", undefined],
  ['email,name\na@x.test,"A\n', "QUOTE_NOT_CLOSED", 2],
  [header(1_001), "TOO_MANY_COLUMNS", 1],
  ["<html><body>no</body></html>", "NOT_CSV", undefined],
  ["PK\u0003\u0004 a workbook", "NOT_CSV", undefined],
  ["%PDF-1.7 a document", "NOT_CSV", undefined],
])("the refusal of a CSV text names the field csv and gives no advice about files: %j", async (csv, code, line) => {
  const { rest } = await world.workspace();
  const { status, body } = await rest.post("/leads/import", { action: "commit", csv });
  expect([status, body.details.issues, body.details.line]).toEqual([
    400,
    [{ path: "csv", code, message: expect.not.stringMatching(/file|xlsx|save/) }],
    line,
  ]);
});
