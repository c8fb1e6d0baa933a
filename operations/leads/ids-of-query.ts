import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { LeadQuery } from "./filter.ts";

/** Milliseconds: enough for a million leads. */
const LONGEST_MS = HOUR_MS;
const BATCH = 1_000;

/** The ids of all leads of a query, each once, in no order that a caller may rely on. */
export async function* idsOf({ workspaceId, filter, hint, segment }: LeadQuery): AsyncGenerator<string> {
  const stages = [...(segment?.stages ?? []), { $match: filter }, { $project: { _id: 1 as const } }];
  const found = scoped(workspaceId).Lead.walk<{ _id: string }>(segment?.match ?? filter, stages, LONGEST_MS, {
    batchSize: BATCH,
    ...(hint !== null && { hint }),
  });
  for await (const { _id } of found) yield _id;
}
