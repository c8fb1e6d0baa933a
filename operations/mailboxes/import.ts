import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import type { ConnectionResult } from "../../domain/mailboxes/connection-test.ts";
import {
  BULK_TEST,
  MAX_BULK_TEST,
  MAX_IMPORT,
  type MailboxRow,
  type RowRefusal,
} from "../../domain/mailboxes/import.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { withinCap } from "../../store/daily-caps.ts";
import { resultOf, whyNot } from "../../store/mailboxes/import.ts";
import { connectionBatchRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import { longText, nullable } from "../fields.ts";
import { cancelJob, getJob, JobRecord, jobView, startJob } from "../jobs.ts";
import { operation } from "../operation.ts";
import { anyHasBegun } from "../sending/causes.ts";
import { refuseTooManyTests } from "./connection-test.ts";
import { csvRows, readRows } from "./import-rows.ts";

const scope = "mailboxes:connect" as const;
const rowError = nullable(
  z.object({ code: z.string().describe("The error code"), message: z.string().describe("The error as a sentence") }),
);

export const testBulk = operation({
  summary: "Test the credentials of up to 50 rows of a CSV file without storing them",
  scope,
  errors: ["LIMIT_EXCEEDED"],
  input: z.strictObject({
    rows: csvRows(MAX_BULK_TEST).describe(
      "1 to 50 rows with `email`, `password` or `app_password`, `smtp_host` and the like",
    ),
  }),
  output: z.object({
    items: z
      .array(
        z.object({
          row: z.number().int().describe("The row, from 1"),
          email: nullable(z.string()).describe("The address in the row"),
          ok: z.boolean().describe("Whether the mailbox can be used"),
          error: rowError.describe("Why the row failed"),
        }),
      )
      .describe("The result for each row"),
  }),
  async run(ctx, { rows }) {
    const read = readRows(ctx, rows);
    const results = await tryRows(ctx, read);
    return { items: read.map((each, index) => ({ row: index + 1, ...told(each, results) })) };
  },
});

/** Rows that are tested at the same time and stored in one transaction. */
const CHUNK = 10;

export const importCsv = operation({
  summary:
    "Connect the mailboxes of a CSV file: each row is tested, then stored. A known address gets the new credentials",
  scope,
  errors: ["LIMIT_EXCEEDED"],
  audits: "mailboxes.import",
  effects: { CHANGES_SENDING: anyHasBegun },
  input: z.strictObject({
    fileName: longText.min(1).describe("The name of the file"),
    rows: csvRows(MAX_IMPORT).describe(
      "1 to 2,000 rows with `email`, `password` or `app_password`, `smtp_host` and the like",
    ),
  }),
  output: JobRecord,
  async run(ctx, { fileName, rows }) {
    const read = readRows(ctx, rows);
    const tested = testsOf(read.filter(({ kind }) => kind === "try").length);
    return withinCap(ctx.workspaceId, tested, async () =>
      jobView(await startJob(ctx, { type: "MAILBOX_IMPORT", fileName, parameters: {}, chunks: chunksOf(read) })),
    );
  },
});

export const importJob = getJob(
  "MAILBOX_IMPORT",
  scope,
  "Read the progress of a mailbox import, and the outcome of each row",
);
export const cancelImport = cancelJob(
  { resultOf },
  "MAILBOX_IMPORT",
  scope,
  "Stop a mailbox import: connected mailboxes stay, and once this call has returned no further row is stored",
);

/** Each row is a test of its own. */
function testsOf(count: number) {
  return { what: "CONNECTION_TESTS" as const, count, path: "rows" };
}

function* chunksOf(rows: MailboxRow[]): Generator<{ count: number; json: string }> {
  for (let start = 0; start < rows.length; start += CHUNK) {
    const page = rows.slice(start, start + CHUNK);
    yield { count: page.length, json: JSON.stringify(page) };
  }
}

/** The test results of the rows that can be tested, by address. */
async function tryRows(ctx: Context, read: MailboxRow[]): Promise<Map<string, ConnectionResult>> {
  const rows = read.flatMap((each) => (each.kind === "try" ? [each.row] : []));
  if (rows.length === 0) return new Map();
  const { workspaceId, services } = ctx;
  await refuseTooManyTests(workspaceId);
  const _id = newId("tst");
  const place = { workspaceId, collection: "connection_batches", documentId: _id, field: "rows" };
  const sealedRows = seal(services.keyRing, place, JSON.stringify(rows));
  const results = await withinCap(workspaceId, testsOf(rows.length), async () => {
    await scoped(workspaceId).ConnectionBatch.insert({ _id, sealedRows });
    const run = connectionBatchRun({ v: 1, workspaceId, batchId: _id });
    return services.engine.execute<ConnectionResult[]>(run, BULK_TEST.deadlineMs);
  });
  return new Map(
    rows.flatMap(({ email }, index) => (results[index] === undefined ? [] : [[email, results[index]] as const])),
  );
}

function told(
  each: MailboxRow,
  results: Map<string, ConnectionResult>,
): { email: string | null; ok: boolean; error: RowRefusal | null } {
  if (each.kind === "refused") return { email: each.email, ok: false, error: each.error };
  const email = each.kind === "try" ? each.row.email : each.email;
  if (each.kind === "duplicate")
    return { email, ok: false, error: { code: "DUPLICATE", message: "An earlier row has this address" } };
  const error = whyNot(results.get(email));
  return { email, ok: error === null, error };
}
