import { open } from "../../domain/access/seal.ts";
import type { Job } from "../../models/job.ts";
import type { JobChunk } from "../../models/job-chunk.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { Context } from "../context.ts";
import { digestOf } from "./plan.ts";

const SHOWN_EXAMPLES = 10;

/**
 * Describes the rows of a job that does not exist yet: the addresses of the first rows, and a digest of the chunks that
 * the call wrote. Rows that arrived in the request are already part of the request's digest.
 */
export async function stagedRowsOf(
  { workspaceId, services }: Context,
  { _id: jobId, chunkCount }: Pick<Job, "_id" | "chunkCount">,
  isOfCall: (chunkId: string) => boolean,
) {
  const { JobChunk } = scoped(workspaceId);
  let digest = "";
  const first: unknown[] = [];
  for (let number = 0; number < chunkCount; number++) {
    const id = `${jobId}:${number}`;
    if (number > 0 && !isOfCall(id)) break;
    const chunk = await JobChunk.get(id);
    if (chunk === null) continue;
    const rows = rowsIn(services.keyRing, workspaceId, chunk);
    if (isOfCall(id)) digest = digestOf([digest, rows]);
    first.push(...rows.slice(0, SHOWN_EXAMPLES - first.length));
  }
  return {
    digest,
    areLeads: first.every((row) => typeof row === "string"),
    examples: await namesOf(workspaceId, first),
  };
}

function rowsIn(ring: Context["services"]["keyRing"], workspaceId: string, { _id, rows }: JobChunk): unknown[] {
  const read: unknown = JSON.parse(
    open(ring, { workspaceId, collection: "job_chunks", documentId: _id, field: "rows" }, rows),
  );
  return Array.isArray(read) ? read : [];
}

/** The addresses of the leads whose ids are rows, or the addresses in the rows themselves. */
async function namesOf(workspaceId: string, rows: readonly unknown[]): Promise<string[]> {
  const ids = rows.filter((row) => typeof row === "string");
  const leads = ids.length === 0 ? [] : await scoped(workspaceId).Lead.find({ _id: trusted({ $in: ids }) });
  const addresses = rows.flatMap((row) => (typeof row === "object" && row !== null ? addressIn(row) : []));
  return [...leads.map(({ email }) => email), ...addresses];
}

/** The address in a row: the cell `email`, or in a file the first cell with an `@`. */
function addressIn(row: object): string[] {
  const cell: unknown =
    "email" in row ? row.email : Object.values(row).find((value) => typeof value === "string" && value.includes("@"));
  return typeof cell === "string" ? [cell] : [];
}
