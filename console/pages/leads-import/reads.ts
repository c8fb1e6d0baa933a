import { useState } from "react";
import { isUnderWay } from "../../../domain/job.ts";
import type { Out } from "../../api/call.ts";
import { type Called, useCall } from "../../api/query.ts";

export type FileColumns = Out<"post /leads/import/columns">;
export type FileColumn = FileColumns["columns"][number];
export type Job = Out<"get /leads/import/:jobId">;
type Answer = Out<"post /leads/import", { action: "dryRun" }> | Out<"post /leads/import", { action: "commit" }>;
/** What an import did, or what a check says that it would do. */
export type Summary = Extract<Answer, { action: string }>;

/** Milliseconds between reads of a job that is running. */
const EVERY_MS = 1_000;

/** A job, which is read again until it has ended. */
export function useJob(
  jobId: string,
  endpoint:
    | "get /leads/import/:jobId"
    | "get /mailboxes/import/:jobId"
    | "get /jobs/:jobId" = "get /leads/import/:jobId",
): Called<Job> & { isDone: boolean } {
  const [isOver, setOver] = useState(false);
  const called = useCall(endpoint, { jobId }, isOver ? {} : { every: EVERY_MS });
  const isDone = called.data !== undefined && !isUnderWay(called.data.status);
  if (isDone !== isOver) setOver(isDone);
  return { ...called, isDone };
}

/** Whether a job was a check, which imports nothing. Known once the job has ended. */
export function isCheck({ result }: Job): boolean {
  return result?.["action"] === "dryRun";
}

/** The field of each column by the column's name; an empty text leaves the column out. */
export type ColumnMapping = ReadonlyMap<string, string>;

/** The summary in a job's result, or null if the job ended without one. */
export function summaryIn({ result }: Job): Summary | null {
  return result !== null && typeof result["total"] === "number" ? (result as unknown as Summary) : null; // the result of an import or of a check
}

/** The mapping as a form field. */
export function mappingField(mapping: ColumnMapping): string {
  return JSON.stringify(Object.fromEntries([...mapping].filter(([, field]) => field !== "")));
}
