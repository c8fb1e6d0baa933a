import { proxyActivities } from "@temporalio/workflow";
import type { SheetActivities } from "../activities/sheets.ts";
import { SHEET, type SheetIds, type SheetOutcome } from "../domain/leads/sheet.ts";

const { fetchSheet } = proxyActivities<SheetActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: SHEET.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Reads a spreadsheet once, while a caller waits. */
export async function readSheet(ids: SheetIds): Promise<SheetOutcome> {
  return fetchSheet(ids);
}
