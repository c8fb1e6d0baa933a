import { open } from "../../domain/access/seal.ts";
import type { JobChunk } from "../../models/job-chunk.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { Context } from "../context.ts";
import { digestOf } from "./plan.ts";

const SHOWN_EXAMPLES = 10;

/** What the rows of a job that is not there yet come to: how many, the first of them by name, and a digest of them all. */
export async function stagedRowsOf({ workspaceId, services }: Context, ids: readonly string[]) {
  const { JobChunk } = scoped(workspaceId);
  let [total, digest] = [0, ""];
  const first: unknown[] = [];
  for (const id of [...ids].sort(byNumber)) {
    const chunk = await JobChunk.get(id);
    if (chunk === null) continue;
    const rows = rowsIn(services.keyRing, workspaceId, chunk);
    total += chunk.count;
    digest = digestOf([digest, rows]);
    first.push(...rows.slice(0, SHOWN_EXAMPLES - first.length));
  }
  return { total, digest, areLeads: first.every((row) => typeof row === "string"), examples: await namesOf(workspaceId, first) };
}

/** By the number after the id of the job. */
function byNumber(one: string, other: string): number {
  return numberIn(one) - numberIn(other);
}

function numberIn(id: string): number {
  return Number(id.slice(id.lastIndexOf(":") + 1));
}

function rowsIn(ring: Context["services"]["keyRing"], workspaceId: string, { _id, rows }: JobChunk): unknown[] {
  const read: unknown = JSON.parse(open(ring, { workspaceId, collection: "job_chunks", documentId: _id, field: "rows" }, rows));
  return Array.isArray(read) ? read : [];
}

/** The addresses of leads that rows name by their ids, or those in the rows themselves. */
async function namesOf(workspaceId: string, rows: readonly unknown[]): Promise<string[]> {
  const ids = rows.filter((row) => typeof row === "string");
  const leads = ids.length === 0 ? [] : await scoped(workspaceId).Lead.find({ _id: trusted({ $in: ids }) });
  const addresses = rows.flatMap((row) => (typeof row === "object" && row !== null && "email" in row ? [String(row.email)] : []));
  return [...leads.map(({ email }) => email), ...addresses];
}
