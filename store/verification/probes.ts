import type { Etiquette } from "../../domain/verification/etiquette.ts";
import type { VerificationVerdict } from "../../domain/verification/results.ts";
import { scoped } from "../../models/scoped.ts";
import type { VerificationResult } from "../../models/verification/verification-result.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { JobAtWork } from "../jobs.ts";
import { leadFieldsOf, leadWrite, noteUsage, resultIncrements } from "./results.ts";

/** A host for which addresses of a job wait, and when the first address is due, in epoch milliseconds. */
export interface WaitingHost {
  host: string;
  dueAt: number;
}

const OPEN = trusted({ $in: ["WAITING", "ASKING"] as const });

/** The hosts that a job must still probe. */
export async function loadWaitingHosts({ workspaceId, _id: jobId }: JobAtWork): Promise<WaitingHost[]> {
  const open = { jobId, state: { $in: ["WAITING", "ASKING"] } };
  const due = { $ifNull: ["$leaseUntil", "$dueAt"] };
  const found = await scoped(workspaceId).VerificationResult.aggregate<{ _id: string; dueAt: Date }>(open, {
    $group: { _id: "$host", dueAt: { $min: due } },
  });
  return found.map(({ _id: host, dueAt }) => ({ host, dueAt: dueAt.getTime() }));
}

/** When the next address of a job that waits for a host is due, in epoch milliseconds; null when none waits. */
export async function findNextDue({ workspaceId, _id: jobId }: JobAtWork, host: string): Promise<number | null> {
  const next = await scoped(workspaceId).VerificationResult.findOne(
    { jobId, host, state: "WAITING" },
    { sort: { dueAt: 1 } },
  );
  return next?.dueAt?.getTime() ?? null;
}

/**
 * Handles the addresses of workers that were killed during a probe. An address that was or may have been sent to the
 * server is not sent again, and is returned. The others wait again.
 */
export async function takeAbandoned({ workspaceId, _id: jobId }: JobAtWork, now: Date): Promise<VerificationResult[]> {
  const { VerificationResult } = scoped(workspaceId);
  const abandoned = { jobId, state: "ASKING" as const, leaseUntil: trusted({ $lt: now }) };
  await VerificationResult.updateMany(
    { ...abandoned, askedAt: null },
    { $set: { state: "WAITING", leaseId: null, leaseUntil: null } },
  );
  return VerificationResult.find(abandoned);
}

/** Takes the next address that waits for a host, so that no other worker probes it. Null when none is due. */
export function takeDue(
  { workspaceId, _id: jobId }: JobAtWork,
  host: string,
  now: number,
  { leaseMs }: Pick<Etiquette, "leaseMs">,
): Promise<VerificationResult | null> {
  const due = { jobId, host, state: "WAITING" as const, dueAt: trusted({ $lte: new Date(now) }) };
  const lease = { state: "ASKING" as const, leaseId: newId("lse"), leaseUntil: new Date(now + leaseMs), askedAt: null };
  return scoped(workspaceId).VerificationResult.findOneAndUpdate(
    due,
    { $set: lease, $inc: { attempts: 1 } },
    { sort: { dueAt: 1 } },
  );
}

/**
 * Records that the address is about to be sent to the server. Returns false when it is no longer reserved for this
 * worker; then it must not be sent.
 */
export async function markNamed({ workspaceId, _id, leaseId }: VerificationResult): Promise<boolean> {
  const { Job, VerificationResult } = scoped(workspaceId);
  const row = await VerificationResult.findOneAndUpdate(
    { _id, state: "ASKING", leaseId },
    { $set: { askedAt: new Date() } },
  );
  if (row === null) return false;
  // A cancelled job sends no more probes
  return (await Job.findOne({ _id: row.jobId, status: "RUNNING" }, { select: { _id: 1 } })) !== null;
}

/** Makes an address wait again, because it was not sent to the server or the server asked to try later. */
export async function putBack(
  { workspaceId, _id, leaseId }: VerificationResult,
  dueAt: Date,
  isAsked: boolean,
): Promise<void> {
  const again = { state: "WAITING" as const, leaseId: null, leaseUntil: null, askedAt: null, dueAt };
  await scoped(workspaceId).VerificationResult.updateOne(
    { _id, state: "ASKING", leaseId },
    { $set: again, ...(!isAsked && { $inc: { attempts: -1 } }) },
  );
}

/**
 * Stores results of open addresses, in their leads and the job's counts too. An address that already has a result keeps
 * it.
 */
export async function recordResults(
  { workspaceId, _id: jobId }: JobAtWork,
  results: readonly { row: VerificationResult; verdict: VerificationVerdict }[],
): Promise<void> {
  if (results.length === 0) return;
  const { Job, Lead, VerificationResult } = scoped(workspaceId);
  await inTransaction(async () => {
    const ids = results.map(({ row }) => row._id);
    const open = new Set(
      (await VerificationResult.find({ _id: trusted({ $in: ids }), state: OPEN })).map(({ _id }) => _id),
    );
    const stored = results.filter(({ row }) => open.has(row._id));
    if (stored.length === 0) return;
    await VerificationResult.wroteAll(
      stored.map(({ row, verdict: { result, evidence } }) => ({
        filter: { _id: row._id },
        change: { $set: { state: "DONE", result, evidence, leaseId: null, leaseUntil: null, updatedAt: new Date() } },
      })),
    );
    await Lead.wroteAll(
      stored.flatMap(({ row: { leadId, email }, verdict }) =>
        leadId === null ? [] : [leadWrite(leadId, email, leadFieldsOf(verdict))],
      ),
    );
    const count = stored.length;
    const counted = resultIncrements(stored.map(({ verdict }) => verdict.result));
    await Job.updateOne(
      { _id: jobId },
      { $inc: { processed: count, succeeded: count, ...counted, "state.creditsUsed": count } },
    );
    await noteUsage(workspaceId, count, new Date());
  });
}

const PAGE = 500;

/** A page of the addresses that wait for a host, or for one of its servers. */
export function loadWaiting(
  { workspaceId, _id: jobId }: JobAtWork,
  of: { host: string } | { exchange: string },
): Promise<VerificationResult[]> {
  return scoped(workspaceId).VerificationResult.find({ jobId, state: "WAITING", ...of }, { limit: PAGE });
}

/**
 * Settles the open addresses of a job that has ended. Their leads get back their earlier status, and the job's batches
 * are deleted.
 */
export async function settleOpen({ workspaceId, _id: jobId }: JobAtWork): Promise<void> {
  const { Lead, VerificationBatch, VerificationResult } = scoped(workspaceId);
  for (;;) {
    const rows = await VerificationResult.find({ jobId, state: OPEN }, { limit: PAGE });
    if (rows.length === 0) break;
    await inTransaction(async () => {
      await Lead.wroteAll(
        rows.flatMap(({ leadId, email, before }) => {
          if (leadId === null) return [];
          const { filter, change } = leadWrite(leadId, email, {
            verificationStatus: before === null || before === "PENDING" ? "UNVERIFIED" : before,
          });
          return [{ filter: { ...filter, verificationStatus: "PENDING" }, change }];
        }),
      );
      await VerificationResult.updateMany(
        { _id: trusted({ $in: rows.map(({ _id }) => _id) }), state: OPEN },
        { $set: { state: "LEFT" } },
      );
    });
  }
  await VerificationBatch.deleteMany({ jobId });
}
