import type { Out } from "../../api/call.ts";

export type FileColumns = Out<"post /leads/import/columns">;
export type FileColumn = FileColumns["columns"][number];
export type Job = Out<"get /leads/import/:jobId">;
/** What an import did, or would do. */
export type Summary = Extract<Out<"post /leads/import", { action: "commit" }>, { action: "commit" }>;

/** Milliseconds between reads of a job that is running. */
export const EVERY_MS = 1_000;
/** The largest file that the server reads, in bytes. */
export const MOST_BYTES = 104_857_600;

/** The field of each column by the column's name; an empty text leaves the column out. */
export type ColumnMapping = ReadonlyMap<string, string>;

/** The summary in a job's result, or null if the job ended without one. */
export function summaryIn({ result }: Job): Summary | null {
  return result !== null && typeof result["total"] === "number" ? (result as unknown as Summary) : null; // the result of an import
}

/** The mapping as a form field. */
export function mappingField(mapping: ColumnMapping): string {
  return JSON.stringify(Object.fromEntries([...mapping].filter(([, field]) => field !== "")));
}
