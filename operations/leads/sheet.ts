import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { MAX_ROWS } from "../../domain/leads/import.ts";
import { SHEET, type SheetIds, type SheetOutcome, sheetOf } from "../../domain/leads/sheet.ts";
import { newId } from "../../mongo/ids.ts";
import { askForSheet, dropSheet, takeSheet } from "../../store/leads/sheets.ts";
import { sheetRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import { operation } from "../operation.ts";

export const googleSheet = operation({
  summary:
    "Read the rows of a spreadsheet that anyone with the link can view, to pass to `dryRun` and `commit`. Imports nothing",
  scope: "leads:write",
  errors: ["HOST_NOT_ALLOWED", "LIMIT_EXCEEDED", "PROVIDER_NOT_CONFIGURED", "SHEET_UNREADABLE"],
  input: z.strictObject({
    url: z.string().min(1).max(2_000).describe("The URL of a spreadsheet that anyone with the link can view"),
  }),
  output: z.object({
    fileName: z.string().describe("The name of the spreadsheet"),
    columns: z.array(z.string()).describe("Its columns"),
    rows: z.array(z.record(z.string(), z.string())).describe("Its rows, to pass to `commit`"),
    total: z.number().int().describe("The number of rows"),
  }),
  async run({ workspaceId, services }, { url }) {
    const server = services.settings.sheetsUrl;
    if (server === null) {
      throw new AppError(
        "PROVIDER_NOT_CONFIGURED",
        "This deployment reads no spreadsheets, because SHEETS_URL is off",
        {
          setting: "SHEETS_URL",
        },
      );
    }
    const sheet = sheetOf(url, server);
    if (sheet === "PATH")
      throw invalid("url", "must be the address of a spreadsheet: https://…/spreadsheets/d/…", "INVALID_FORMAT");
    if (sheet === "HOST") throw new AppError("HOST_NOT_ALLOWED", "Spreadsheets are read only from docs.google.com");
    const ids = { v: 1 as const, workspaceId, sheetId: newId("job") };
    try {
      await askForSheet(services.keyRing, ids, sheet);
      const { fileName, columns, rows } = await takeSheet(services.keyRing, ids, await partsOf(services, ids));
      return { fileName, columns, rows: rows.map((cells) => asRow(columns, cells)), total: rows.length };
    } finally {
      await dropSheet(ids);
    }
  },
});

/** @throws AppError SHEET_UNREADABLE, LIMIT_EXCEEDED, SERVICE_UNAVAILABLE */
async function partsOf({ engine }: Context["services"], ids: SheetIds): Promise<number> {
  const outcome = await engine.execute<SheetOutcome>(sheetRun(ids), SHEET.callerMs);
  switch (outcome.kind) {
    case "read":
      return outcome.parts;
    case "unreadable":
      throw new AppError("SHEET_UNREADABLE", `The spreadsheet cannot be read: ${outcome.why}`, {
        limit: SHEET.maxBytes,
      });
    case "too-many":
      throw new AppError("LIMIT_EXCEEDED", `An import has at most ${MAX_ROWS} rows`, { limit: MAX_ROWS });
    case "away":
      throw new AppError("SERVICE_UNAVAILABLE", "The spreadsheet server did not respond: try again", {
        retryAfterSeconds: 5,
      });
  }
}

/** Converts a row to an object by column names. Cells beyond the named columns are dropped. */
function asRow(columns: readonly string[], cells: readonly string[]): Record<string, string> {
  return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ""]));
}
