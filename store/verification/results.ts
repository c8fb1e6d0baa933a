import { addressHashOf } from "../../domain/leads/address-hash.ts";
import type { VerificationStatus } from "../../domain/states.ts";
import { readAddress } from "../../domain/values/address.ts";
import { COUNT_OF, type VerificationResultName, type VerificationVerdict } from "../../domain/verification/results.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import type { VerificationBatch } from "../../models/verification/verification-batch.ts";
import { trusted } from "../../mongo/collection.ts";
import type { Statement } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type JobAtWork, JobMoved } from "../jobs.ts";

/** An address of a batch, after the stored results and DNS were checked. */
export interface LookedAt {
  leadId: string | null;
  email: string;
  before: VerificationStatus | null;
  outcome:
    | {
        kind: "FOUND";
        verdict: VerificationVerdict;
        /** Whether the result is new, and not taken from an earlier verification. */
        isFresh: boolean;
        /** Whether the lead already has this result. */
        isKept: boolean;
      }
    /** The mail server must be probed. */
    | { kind: "WAITING"; exchange: string; host: string };
}

function resultIdOf(jobId: string, email: string): string {
  return `${jobId}:${addressHashOf(email)}`;
}

/** Those of these addresses that the job already has, because another batch contained them. */
export async function loadKnownResults(
  { workspaceId, _id: jobId }: JobAtWork,
  emails: readonly string[],
): Promise<Set<string>> {
  const ids = emails.map((email) => resultIdOf(jobId, email));
  const found = await scoped(workspaceId).VerificationResult.find(
    { _id: trusted({ $in: ids }) },
    { select: { email: 1 } },
  );
  return new Set(found.map(({ email }) => email));
}

/**
 * Stores the results of a batch, in the leads too, and marks the batch as done, in one transaction. `size` is the
 * number of addresses in the batch. @throws JobMoved when the job is not running or another worker has done the batch
 */
export async function recordBatch(
  job: JobAtWork,
  batch: VerificationBatch,
  looked: readonly LookedAt[],
  size: number,
): Promise<void> {
  const { workspaceId, _id: jobId } = job;
  const { Job, Lead, VerificationResult } = scoped(workspaceId);
  const now = new Date();
  const found = looked.flatMap(({ outcome }) => (outcome.kind === "FOUND" ? [outcome] : []));
  const waiting = looked.length - found.length;
  const counted = resultIncrements(found.map(({ verdict }) => verdict.result));
  const fresh = found.filter(({ isFresh }) => isFresh).length;
  await inTransaction(async () => {
    const processed = size - waiting;
    const moved = await Job.updateOne(
      { _id: jobId, status: "RUNNING", nextChunk: batch.number },
      {
        $set: { nextChunk: batch.number + 1 },
        $inc: { processed, succeeded: processed, ...counted, "state.creditsUsed": fresh },
      },
    );
    if (moved === 0) throw new JobMoved();
    await VerificationResult.storeAll(
      looked.map(({ leadId, email, before, outcome }) => ({
        _id: resultIdOf(jobId, email),
        jobId,
        leadId,
        email,
        before,
        ...(outcome.kind === "FOUND"
          ? { state: "DONE" as const, result: outcome.verdict.result, evidence: outcome.verdict.evidence }
          : { state: "WAITING" as const, exchange: outcome.exchange, host: outcome.host, dueAt: now }),
      })),
    );
    const writes = looked.flatMap(({ leadId, email, outcome }) => {
      if (leadId === null) return [];
      if (outcome.kind === "WAITING") return [leadWrite(leadId, email, { verificationStatus: "PENDING" })];
      return outcome.isKept ? [] : [leadWrite(leadId, email, leadFieldsOf(outcome.verdict))];
    });
    await Lead.wroteAll(writes);
    await noteUsage(workspaceId, fresh, now);
  });
}

/**
 * A change of a lead by its verification. It does not apply when the lead's address has changed meanwhile, or when the
 * address hard bounced, because a bounce is more reliable than a server's answer.
 */
export function leadWrite(leadId: string, email: string, fields: object): Statement {
  const filter = { _id: leadId, email, suppressionReason: { $ne: "HARD_BOUNCE" } };
  return { filter, change: { $set: { ...fields, updatedAt: new Date() } } };
}

export function leadFieldsOf({ result, evidence }: VerificationVerdict) {
  return { verificationStatus: result, verifiedAt: new Date(evidence.foundAt), verification: evidence };
}

export function resultIncrements(results: readonly VerificationResultName[]): {
  [path: `state.counts.${string}`]: number;
} {
  return Object.fromEntries(
    [...Map.groupBy(results, (result) => COUNT_OF[result])].map(([count, all]) => [
      `state.counts.${count}`,
      all.length,
    ]),
  );
}

/** Adds to the number of addresses that were checked on the day of `now`. */
export async function noteUsage(workspaceId: string, count: number, now: Date): Promise<void> {
  if (count === 0) return;
  const day = now.toISOString().slice(0, 10);
  await scoped(workspaceId).VerificationDay.updateOne(
    { _id: `${workspaceId}:${day}`, day },
    { $inc: { count } },
    { upsert: true },
  );
}

export type VerifiedLead = Pick<Lead, "_id" | "email" | "verificationStatus" | "verifiedAt" | "suppressionReason"> & {
  verification?: Lead["verification"];
};

/** An address to verify, and its lead. A value that is not a valid address is kept as the caller entered it. */
interface VerificationItem {
  email: string;
  lead: VerifiedLead | null;
}

const NEEDED = { email: 1, verificationStatus: 1, verifiedAt: 1, verification: 1, suppressionReason: 1 } as const;

/** The distinct addresses of a batch. A lead that was deleted meanwhile is left out. */
export async function loadSubjects(
  workspaceId: string,
  { leadIds, emails }: VerificationBatch,
): Promise<VerificationItem[]> {
  const { Lead } = scoped(workspaceId);
  const named = emails.map((text) => readAddress(text)?.address ?? text);
  const [byId, byEmail] = await Promise.all([
    leadIds.length === 0 ? [] : Lead.find({ _id: trusted({ $in: leadIds }) }, { select: NEEDED }),
    named.length === 0 ? [] : Lead.find({ email: trusted({ $in: named }) }, { select: NEEDED }),
  ]);
  const leads = new Map([...byId, ...byEmail].map((lead) => [lead.email, lead]));
  return [...new Set([...leads.keys(), ...named])].map((email) => ({ email, lead: leads.get(email) ?? null }));
}
