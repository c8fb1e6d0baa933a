import { DAY_MS, MINUTE_MS } from "../domain/time/durations.ts";
import type { AuditEntry } from "../models/access/audit-entry.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { inTransaction } from "../mongo/transaction.ts";

/** How long the counts of refused calls are kept. The audit chain keeps the first call of each group longer. */
const KEPT_MS = 90 * DAY_MS;

type Refused = Pick<AuditEntry, "actor" | "action" | "at">;

/**
 * Counts a refused call in the group of its credential, operation and minute (rules/security 6.3). Only the first call
 * of a group runs `writeFirst`, in one transaction with the count, so that a flood of refused calls does not compete
 * for the head of the chain. Returns whether this was the first.
 */
export async function countRefusal(
  workspaceId: string,
  refused: Refused,
  code: string,
  writeFirst: () => Promise<void>,
): Promise<boolean> {
  const { AuditRefusals } = scoped(workspaceId);
  const { actor, action } = refused;
  const _id = groupOf(workspaceId, refused);
  const counted = { $inc: { count: 1, [`codes.${code}`]: 1 } };
  if (await AuditRefusals.wrote({ _id }, counted)) return false;
  const minute = minuteOf(refused.at);
  const made = {
    actor,
    action,
    minute,
    createdAt: refused.at,
    updatedAt: refused.at,
    expiresAt: new Date(minute.getTime() + KEPT_MS),
  };
  return inTransaction(async () => {
    const row = await AuditRefusals.changeOne({ _id }, { ...counted, $setOnInsert: made }, { upsert: true });
    if (row?.count !== 1) return false;
    await writeFirst();
    return true;
  });
}

/**
 * How many calls each entry stands for, by entry id. The entry of a refused call stands for all refused calls of its
 * group; null when that count was deleted.
 */
export async function loadCallCounts(
  workspaceId: string,
  entries: readonly AuditEntry[],
): Promise<Map<string, number | null>> {
  const isRefused = ({ outcome }: AuditEntry) => outcome === "DENIED" || outcome === "FAILED";
  const groups = new Map(entries.filter(isRefused).map((entry) => [entry._id, groupOf(entry.workspaceId, entry)]));
  const rows = await scoped(workspaceId).AuditRefusals.find({ _id: trusted({ $in: [...groups.values()] }) });
  const counts = new Map(rows.map(({ _id, count }) => [_id, count]));
  return new Map(
    entries.map(({ _id }) => {
      const group = groups.get(_id);
      return [_id, group === undefined ? 1 : (counts.get(group) ?? null)];
    }),
  );
}

function groupOf(workspaceId: string, { actor, action, at }: Refused): string {
  return [workspaceId, actor.kind, actor.id, action, minuteOf(at).getTime()].join(":");
}

function minuteOf(at: Date): Date {
  return new Date(at.getTime() - (at.getTime() % MINUTE_MS));
}
