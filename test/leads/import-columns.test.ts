import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { writeXlsx } from "hucre/xlsx";
import { scoped } from "../../models/scoped.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());

const COLUMNS = "/leads/import/columns";

function form(file: string | Uint8Array, name = "leads.csv"): FormData {
  const body = new FormData();
  body.append("file", new File([Buffer.from(file)], name));
  return body;
}

test("the columns of a file are read with sample cells and suggested fields, and nothing is stored", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.post("/custom-fields", { key: "revenue", label: "Umsatz", type: "NUMBER" });
  const rows = ["a@x.test;Ada;1.234,50;;", "b@x.test;Ada;;;", ";Grace;7;;", "c@x.test;Mira;8;;", "d@x.test;Noor;9;;"];
  const { status, body } = await rest.post(
    COLUMNS,
    form(["E-Mail;Vorname;Umsatz;Notiz;", ...rows].join("\n"), "Kontakte.csv"),
  );
  expect([status, body]).toEqual([
    200,
    {
      fileName: "Kontakte.csv",
      rows: 5,
      columns: [
        { name: "E-Mail", samples: ["a@x.test", "b@x.test", "c@x.test"], suggestedField: "email" },
        { name: "Vorname", samples: ["Ada", "Grace", "Mira"], suggestedField: "firstName" },
        { name: "Umsatz", samples: ["1.234,50", "7", "8"], suggestedField: "customFields.revenue" },
        { name: "Notiz", samples: [], suggestedField: null },
      ],
    },
  ]);
  const { Job, JobChunk, Lead } = scoped(workspaceId);
  expect(await Promise.all([Job.count(), JobChunk.count(), Lead.count()])).toEqual([0, 0, 0]);
});

test("the columns of a workbook are read like those of a CSV file, and a long cell is shortened", async () => {
  const { rest } = await world.workspace();
  const columns = [
    { key: "email", header: "E-Mail" },
    { key: "note", header: "Notiz" },
  ];
  const book = await writeXlsx({
    sheets: [{ name: "A", columns, data: [{ email: "a@x.test", note: "n".repeat(300) }] }],
  });
  const { body } = await rest.post(COLUMNS, form(book, "Kontakte.xlsx"));
  expect(body).toMatchObject({
    rows: 1,
    columns: [
      { name: "E-Mail", samples: ["a@x.test"], suggestedField: "email" },
      { name: "Notiz", samples: [`${"n".repeat(99)}…`], suggestedField: null },
    ],
  });
});

test("a file that cannot be read is refused with a reason, and a key without leads:write reads no file", async () => {
  const { rest } = await world.workspace();
  const { rest: reader } = await world.workspace("leads:read");
  expect(await rest.post(COLUMNS, form("<table><tr><td>email</td></tr></table>"))).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path: "file", code: "UNSUPPORTED_FORMAT" }] } },
  });
  expect(await rest.post(COLUMNS, form("E-Mail\n"))).toMatchObject({
    status: 400,
    body: { details: { issues: [{ path: "file", code: "EMPTY_FILE" }] } },
  });
  expect(await reader.post(COLUMNS, form("E-Mail\na@x.test"))).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE" },
  });
});
