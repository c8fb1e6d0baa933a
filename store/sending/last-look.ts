import type { ProviderDraft } from "../../domain/mailboxes/transport.ts";
import { allowanceOf, ENTERS_WITHIN_MS } from "../../domain/sending/last-look.ts";
import { scoped, type Workspaced } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { ClaimTiming } from "./claim.ts";
import {
  type ClaimRefusal,
  ClaimRefused,
  type ClaimRequest,
  claimAddresses,
  gateOf,
  mailboxOf,
  recipientFilter,
  refuseSuppressed,
  suppressionParts,
} from "./claim-conditions.ts";
import { measureTransaction, sendTransactions } from "./transaction-times.ts";

/**
 * Why a look does not allow the content to be sent. LATE: it took, or would take, so long that a stop may have answered
 * meanwhile; no one has stopped the email.
 */
export type LookRefusal = ClaimRefusal | { kind: "late" };

const LATE: LookRefusal = { kind: "late" };
const NOT_OURS: ClaimRefusal = { kind: "replan", by: "send" };

/**
 * The last look before the first byte of content (rules/sending 5.4): repeats the checks of the claim and moves the
 * send from CLAIMED to DATA. It reads every document that a stop writes, in one transaction with a write of the send,
 * whose lease every stop ends: so when a look and a stop run at the same time, one of them sees the other. Null means
 * that the content may be transmitted, now. If it refuses, nothing may be transmitted, and the send still belongs to
 * the attempt, which must release it. `draft`: the provider's draft that is sent next; it is stored with the look, so
 * that a lost answer can be settled.
 */
export async function lastLook(
  request: ClaimRequest,
  timing: ClaimTiming = NOW,
  draft: ProviderDraft | null = null,
): Promise<LookRefusal | null> {
  const begunAt = performance.now();
  const allowanceMs = allowanceFor(timing, begunAt);
  if (allowanceMs === null) return LATE;
  const refusal = await measureTransaction(() => runLastLook(request, allowanceMs, draft));
  return refusal === null && performance.now() - begunAt > allowanceMs ? LATE : refusal;
}

/** For callers that claimed just now. */
const NOW: ClaimTiming = { begunAt: Number.POSITIVE_INFINITY, tookMs: 0 };

/** A claim has more commands than a look, so its own time shows immediately that the database has become slow. */
function allowanceFor({ begunAt, tookMs }: ClaimTiming, now: number): number | null {
  return allowanceOf(Math.max(sendTransactions.p95(now) ?? 0, tookMs), Math.max(0, now - begunAt));
}

/**
 * The look before the server is asked to accept an email at all (rules/sending 5.4). It only saves a DATA command:
 * while claims are quick it reads nothing, because a stop hardly ever happens between a claim and this look, and the
 * last look finds it.
 */
export async function earlyLook({ send, attemptId }: ClaimRequest, timing: ClaimTiming): Promise<LookRefusal | null> {
  const now = performance.now();
  if (allowanceFor(timing, now) === null) return LATE;
  if (now - timing.begunAt < ENTERS_WITHIN_MS) return null;
  const found = await scoped(send.workspaceId).Send.read(
    { _id: send._id, ...claimedBy(attemptId) },
    { select: { _id: 1 }, limit: 1 },
  );
  return found.length === 1 ? null : NOT_OURS;
}

/** The filter for a send that an attempt has claimed and that no stop has taken from it. */
function claimedBy(attemptId: string) {
  return { state: "SENDING", phase: "CLAIMED", attemptId, $expr: { $gt: ["$leaseUntil", "$$NOW"] } };
}

async function runLastLook(
  request: ClaimRequest,
  allowanceMs: number,
  draft: ProviderDraft | null,
): Promise<ClaimRefusal | null> {
  const { send, attemptId } = request;
  const rooms = scoped(send.workspaceId);
  try {
    return await inTransaction(async () => {
      await refuseStopped(rooms, request, claimAddresses(request));
      const kept = draft === null ? {} : { draft: { $literal: draft } };
      const entered = { phase: "DATA", dataAt: "$$NOW", entersWithinMs: allowanceMs, ...kept };
      const hasEntered = await rooms.Send.wrote({ _id: send._id, ...claimedBy(attemptId) }, [{ $set: entered }]);
      return hasEntered ? null : NOT_OURS;
    });
  } catch (error) {
    if (error instanceof ClaimRefused) return error.refusal;
    throw error;
  }
}

/**
 * The last look for an email that takes its copies with it. If one of them may no longer get it, the email waits: its
 * next attempt leaves the copies out.
 */
export async function lookAgain(
  request: ClaimRequest,
  timing: ClaimTiming,
  draft: ProviderDraft | null,
  copies: string[],
): Promise<LookRefusal | null> {
  if (copies.length > 0 && !(await mayFollow(request, copies))) return LATE;
  return lastLook(request, timing, draft);
}

/** The copies that go with an email in one message, where there are no envelopes: all that may follow it now, or none. */
export async function copiesBeside(request: ClaimRequest, copies: string[]): Promise<string[]> {
  return copies.length > 0 && (await mayFollow(request, copies)) ? copies : [];
}

/** Whether the copies of a sent email may still follow it; they have no send of their own that a stop could end. */
export async function mayFollow(request: ClaimRequest, copies: string[]): Promise<boolean> {
  try {
    await refuseStopped(scoped(request.send.workspaceId), request, copies, []);
    return true;
  } catch (error) {
    if (error instanceof ClaimRefused) return false;
    throw error;
  }
}

/**
 * Checks what stops email to these addresses: the gate, the mailbox, their suppression, and the recipient. One command
 * reads all of it.
 */
async function refuseStopped(
  rooms: Workspaced,
  request: ClaimRequest,
  addresses: string[],
  open = recipientFilter(request),
): Promise<void> {
  const [recipient] = open;
  const [gates, mailboxes, shutGuards, blocked, recipients] = await rooms.Send.readBeside(
    request.send._id,
    rooms.Gate.part(gateOf(request), ID),
    rooms.Mailbox.part(mailboxOf(request), ID),
    ...suppressionParts(rooms, addresses, request.campaign === null ? [] : addresses),
    ...(recipient === undefined ? [] : [rooms.Recipient.part(recipient, ID)]),
  );
  if (gates.length === 0) throw new ClaimRefused({ kind: "parked" });
  if (mailboxes.length === 0) throw new ClaimRefused({ kind: "replan", by: "mailbox" });
  refuseSuppressed(shutGuards, blocked);
  if (recipient !== undefined && recipients?.length === 0)
    throw new ClaimRefused({ kind: "stopped", by: "recipient", reasons: [] });
}

const ID = { _id: 1 } as const;
