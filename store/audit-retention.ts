import type { DeedFacts } from "../models/access/audit-deed.ts";
import type { AuditHead } from "../models/access/audit-head.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { newId } from "../mongo/ids.ts";
import { inTransaction } from "../mongo/transaction.ts";
import { RETAINED, writeAtEnd } from "./audit-chain.ts";

/** The time limit in milliseconds for finding the first entry that is young enough. */
const COUNT_MS = 60_000;

/** How many entries from before `cut` are at the beginning of the chain, at most `limit`. */
export async function countOldEntries(workspaceId: string, cut: Date, limit: number): Promise<number> {
  const { AuditEntry } = scoped(workspaceId);
  const [kept] = await AuditEntry.read(
    { at: { $gte: cut } },
    { sort: { seq: 1 }, limit: 1, select: { seq: 1 }, maxTimeMs: COUNT_MS },
  );
  return AuditEntry.count(kept === undefined ? {} : { seq: trusted({ $lt: kept.seq }) }, { limit });
}

/**
 * Deletes the entries from before `cut` at the beginning of the chain, at most `most`. In the same transaction the head
 * stores the number and hash of the newest of them, so that the rest of the chain is still verified, and a new entry
 * says so. Returns how many were deleted.
 */
export async function deleteOldEntries(workspaceId: string, cut: Date, most: number): Promise<number> {
  const { AuditEntry, AuditHead } = scoped(workspaceId);
  return inTransaction(async () => {
    const first = await AuditEntry.read({}, { sort: { seq: 1 }, limit: most, select: { seq: 1, at: 1, hash: 1 } });
    const kept = first.findIndex(({ at }) => at >= cut);
    const old = kept === -1 ? first : first.slice(0, kept);
    const newest = old.at(-1);
    if (newest === undefined) return 0;
    const deletedTo = { deletedSeq: newest.seq, deletedHash: newest.hash };
    if (!(await AuditHead.wrote({ _id: workspaceId }, { $set: deletedTo }))) return 0;
    const deleted = await AuditEntry.deleteMany({ seq: trusted({ $lte: newest.seq }) });
    await writeAtEnd(workspaceId, [{ _id: newId("aud"), facts: retainedFacts(deletedTo) }]);
    return deleted;
  });
}

function retainedFacts(target: Pick<AuditHead, "deletedSeq" | "deletedHash">): DeedFacts {
  const actor = { kind: "SERVICE", id: "retention" } as const;
  const unchanged = { before: null, after: null, changed: [] };
  return {
    at: new Date(),
    actor,
    action: RETAINED,
    target: { ...target },
    fields: [],
    outcome: "DONE",
    code: null,
    ...unchanged,
    ip: null,
    traceId: null,
  };
}
