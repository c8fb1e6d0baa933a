import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { writeXlsx } from "hucre/xlsx";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { workbook } from "../support/workbooks.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());

const FILE = "/leads/import/file";

function form(
  file: string | Uint8Array,
  fields: Record<string, string> = { action: "commit" },
  type = "text/csv",
): FormData {
  const body = new FormData();
  body.append("file", new File([Buffer.from(file)], "leads.csv", { type }));
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  return body;
}

/** The result of an import once its job has ended. */
async function imported(rest: Rest, file: string | Uint8Array, fields?: Record<string, string>, type?: string) {
  const answer = await rest.post(FILE, form(file, fields, type));
  expect([answer.status, answer.status === 202 ? null : answer.body]).toEqual([202, null]);
  const read = async () => {
    const { body } = await rest.get(`/leads/import/${answer.body.id}`);
    return ["QUEUED", "RUNNING"].includes(body.status) ? null : body;
  };
  const job = await until(read, { deadlineMs: 90_000, what: "the import to end" });
  return job.result;
}

const refused = (code: string, message: string | RegExp, path = "file") => ({
  status: 400,
  body: { code: "VALIDATION_FAILED", details: { issues: [{ path, code, message: expect.stringMatching(message) }] } },
});

test("a workbook is imported like the same table in CSV, even with a wrong file name", async () => {
  const { rest } = await world.workspace();
  await rest.post("/custom-fields", { key: "since", label: "Kunde seit", type: "DATE" });
  const columns = [
    { key: "email", header: "E-Mail-Adresse" },
    { key: "first", header: "Vorname" },
    { key: "phone", header: "Telefon", numFmt: "00000000000" },
    { key: "since", header: "Kunde seit", numFmt: "dd.mm.yyyy" },
    { key: "zip", header: "PLZ", numFmt: "00000" },
    { key: "blank", header: "" },
  ];
  const since = new Date("2026-03-01T00:00:00Z");
  const data = [
    { email: "zoe@x.example", first: "Zoë", phone: 493012345, since, zip: 1067 },
    {},
    { email: "nobody", first: "N" },
  ];
  const book = await writeXlsx({ sheets: [{ name: "Kontakte", columns, data }] });
  const preview = await imported(rest, book, { action: "dryRun" });
  expect(preview).toMatchObject({
    action: "dryRun",
    total: 2,
    created: 1,
    invalid: 1,
    warnings: [],
    unmappedColumns: ["PLZ"],
    mapping: { "E-Mail-Adresse": "email", Vorname: "firstName", Telefon: "phone", "Kunde seit": "customFields.since" },
    errors: [{ row: 2, email: "nobody", code: "INVALID_FORMAT" }],
  });
  expect(await imported(rest, book, { action: "commit", keepUnmapped: "true" })).toMatchObject({
    created: 1,
    unmappedColumns: [],
  });
  const { body } = await rest.get("/leads");
  expect(body.items).toMatchObject([
    {
      email: "zoe@x.example",
      firstName: "Zoë",
      phone: "00493012345",
      customFields: { since: "2026-03-01", plz: "01067" },
    },
  ]);
});

test("cells to the right of a workbook's first row become additional columns", async () => {
  const { rest } = await world.workspace();
  const cells = (...texts: string[]) => `<row>${texts.map((text) => `<c t="str"><v>${text}</v></c>`).join("")}</row>`;
  const book = workbook({
    sheet: `<sheetData>${cells("email")}${cells("a@x.example", "Ann")}${cells("b@x.example")}</sheetData>`,
  });
  const fieldMapping = JSON.stringify({ email: "email", "Column 2": "firstName" });
  expect(await imported(rest, book, { action: "commit", fieldMapping })).toMatchObject({
    created: 2,
    unmappedColumns: [],
  });
  expect((await rest.get("/leads?search=ann")).body.items).toMatchObject([{ email: "a@x.example", firstName: "Ann" }]);
});

test("a workbook that cannot be read is refused, and nothing is kept", async () => {
  const { rest, workspaceId } = await world.workspace();
  const row = '<row><c t="str"><v>email</v></c></row>';
  const late = workbook({ sheet: `<sheetData>${row.repeat(2_000)}<row><c t="s"><v>9</v></c></row></sheetData>` });
  expect(await rest.post(FILE, form(late))).toMatchObject(
    refused("WORKBOOK_DAMAGED", /save it again as \.xlsx or CSV/),
  );
  const bomb = workbook({ sheet: "<sheetData/>", declared: { "xl/worksheets/sheet1.xml": 300_000_000 } });
  expect(await rest.post(FILE, form(bomb))).toMatchObject(refused("WORKBOOK_TOO_LARGE", /save the table as CSV/));
  const large = new Uint8Array(20_971_521);
  large.set(Buffer.from("PK\x03\x04"));
  expect(await rest.post(FILE, form(large))).toMatchObject({
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE", details: { limit: 20_971_520 } },
  });
  expect(await rest.post(FILE, form("<table><tr><td>email</td></tr></table>"))).toMatchObject(
    refused("UNSUPPORTED_FORMAT", /HTML/),
  );
  expect(await scoped(workspaceId).JobChunk.count({})).toBe(0);
});

test("a file with quotes escaped by backslashes is imported with one warning, and a correct file without a warning", async () => {
  const { rest } = await world.workspace();
  const escaped = 'email,company\na@x.example,"Acme \\"Best\\" GmbH"\nb@x.example,"\\"B\\""\n';
  const warning = {
    row: 0,
    column: "",
    code: "ESCAPED_QUOTES",
    value: 'a@x.example,"Acme \\"Best\\" GmbH"',
    suggestion: null,
  };
  expect(await imported(rest, escaped)).toMatchObject({ created: 2, warningCount: 1, warnings: [warning] });
  const clean = 'email,company\nc@x.example,"C:\\Acme\\"\nd@x.example,"""D:\\"" Ltd"\n';
  expect(await imported(rest, clean)).toMatchObject({ created: 2, warningCount: 0, warnings: [] });
  const { body } = await rest.get("/leads?sort=email");
  const companies = new Map(
    body.items.map(({ email, company }: { email: string; company: string }) => [email, company]),
  );
  expect(Object.fromEntries(companies)).toEqual({
    "a@x.example": 'Acme "Best" GmbH',
    "b@x.example": '"B"',
    "c@x.example": "C:\\Acme\\",
    "d@x.example": '"D:\\" Ltd',
  });
});

test("columns with the same name stay separate, and may fill one field unless a row has different values", async () => {
  const { rest } = await world.workspace();
  const table = "E-Mail;Telefon;TELEFON ;\nanna@x.example;+49 30 123;+49 170 999;\nbert@x.example;;+49 30 5;\n";
  expect(await imported(rest, table, { action: "dryRun" })).toMatchObject({
    mapping: { "E-Mail": "email", Telefon: "phone" },
    unmappedColumns: ["TELEFON 2"],
  });
  const mapped = (first: string, second: string) => ({
    action: "commit",
    fieldMapping: JSON.stringify({ "E-Mail": "email", Telefon: first, "TELEFON 2": second }),
  });
  expect(await imported(rest, table, mapped("phone", "customFields.mobile"))).toMatchObject({ created: 2 });
  expect(await rest.post(FILE, form(table, mapped("phone", "phone")))).toMatchObject(
    refused("DUPLICATE_TARGET", /phone.*differ in line 2: map one of them$/, "fieldMapping.TELEFON 2"),
  );
  const agreeing = table.replace("+49 170 999", "+49 30 123").replaceAll("x.example", "y.example");
  expect(await imported(rest, agreeing, mapped("phone", "phone"))).toMatchObject({ created: 2, warningCount: 0 });
  const { body } = await rest.get("/leads?search=bert@y.example");
  expect(body.items).toMatchObject([{ phone: "+49 30 5" }]);
  const others = { action: "commit", fieldMapping: JSON.stringify({ email: "email", a: "city", b: "city" }) };
  expect(await rest.post(FILE, form("email,a,b\na@x.example,x,x\n", others))).toMatchObject(
    refused("DUPLICATE_TARGET", /another column already maps to it$/, "fieldMapping.b"),
  );
});

test("an unknown or wrong charset in the request is ignored, and the charset is detected from the file", async () => {
  const { rest } = await world.workspace();
  const table = "email,firstName\na@x.example,Zoë\n";
  for (const [at, type] of [
    "text/csv; charset=x-unheard-of",
    "text/csv; charset=utf-16",
    "application/octet-stream",
  ].entries()) {
    const bytes = Buffer.from(table.replace("a@", `a${at}@`), "latin1");
    expect(await imported(rest, bytes, undefined, type)).toMatchObject({ created: 1, updated: 0 });
  }
  const { body } = await rest.get("/leads?search=zo%C3%AB");
  expect(body.items).toHaveLength(3);
});
