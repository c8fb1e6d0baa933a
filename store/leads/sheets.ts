import { type KeyRing, open, seal } from "../../domain/access/seal.ts";
import { MAX_ROWS } from "../../domain/leads/import.ts";
import type { Sheet, SheetIds } from "../../domain/leads/sheet.ts";
import { scoped } from "../../models/scoped.ts";

/** The content of a sheet: the names of its columns, and its rows as text. */
export interface ReadSheet {
  fileName: string;
  columns: string[];
  rows: string[][];
}

export class TooManyRows extends Error {}

const PART = 1_000;

/** Stores which sheet is requested, because workflows carry only ids. */
export async function askForSheet(ring: KeyRing, ids: SheetIds, sheet: Sheet): Promise<void> {
  await putSheetRows(ring, ids, 0, sheet, 0);
}

export async function sheetAsked(ring: KeyRing, ids: SheetIds): Promise<Sheet | null> {
  return takeSheetRows<Sheet>(ring, ids, 0);
}

/** Stores the content of a sheet in parts, and returns their number. @throws TooManyRows */
export async function keepSheet(ring: KeyRing, ids: SheetIds, { rows, ...head }: ReadSheet): Promise<number> {
  if (rows.length > MAX_ROWS) throw new TooManyRows();
  await putSheetRows(ring, ids, 1, head, 0);
  let parts = 1;
  for (let start = 0; start < rows.length; start += PART) {
    const page = rows.slice(start, start + PART);
    await putSheetRows(ring, ids, ++parts, page, page.length);
  }
  return parts;
}

/** Returns the content of a sheet and deletes it. */
export async function takeSheet(ring: KeyRing, ids: SheetIds, parts: number): Promise<ReadSheet> {
  const head = await takeSheetRows<Omit<ReadSheet, "rows">>(ring, ids, 1);
  const rows: string[][] = [];
  for (let part = 2; part <= parts; part++) rows.push(...((await takeSheetRows<string[][]>(ring, ids, part)) ?? []));
  await dropSheet(ids);
  return { fileName: head?.fileName ?? "", columns: head?.columns ?? [], rows };
}

export async function dropSheet({ workspaceId, sheetId }: SheetIds): Promise<void> {
  await scoped(workspaceId).JobChunk.deleteMany({ jobId: sheetId });
}

async function putSheetRows(
  ring: KeyRing,
  { workspaceId, sheetId }: SheetIds,
  number: number,
  value: unknown,
  count: number,
): Promise<void> {
  const _id = `${sheetId}:${number}`;
  const rows = seal(ring, sheetRowsPlace(workspaceId, _id), JSON.stringify(value));
  await scoped(workspaceId).JobChunk.insert({ _id, jobId: sheetId, number, count, firstRow: 1, rows });
}

async function takeSheetRows<T>(ring: KeyRing, { workspaceId, sheetId }: SheetIds, number: number): Promise<T | null> {
  const chunk = await scoped(workspaceId).JobChunk.get(`${sheetId}:${number}`);
  return chunk === null ? null : JSON.parse(open(ring, sheetRowsPlace(workspaceId, chunk._id), chunk.rows)); // only `putSheetRows` writes them
}

function sheetRowsPlace(workspaceId: string, documentId: string) {
  return { workspaceId, collection: "job_chunks", documentId, field: "rows" };
}
