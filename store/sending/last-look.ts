import { ENTERS_WITHIN_MS } from "../../domain/sending/last-look.ts";
import { scoped, type Workspaced } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import {
  addressesOf,
  type ClaimRefusal,
  ClaimRefused,
  type ClaimRequest,
  gateOf,
  mailboxOf,
  recipientOf,
  refuseBlocked,
  refuseGuarded,
} from "./claim-conditions.ts";

/**
 * The last look before the first byte of content (rules/sending 5.4): repeats the checks of the claim and moves the send from CLAIMED to
 * DATA. It
 * reads every document that a stop writes, in one transaction with a write of the send, whose lease every stop ends: so when a look and a
 * stop run at the same time, one of them sees the other. Null means that the content may be transmitted, now. If it refuses, nothing may be
 * transmitted, and the send still belongs to the attempt, which must release it.
 */
export async function lastLook(request: ClaimRequest): Promise<ClaimRefusal | null> {
  const begunAt = performance.now();
  const refusal = await look(request);
  return refusal === null && performance.now() - begunAt > ENTERS_WITHIN_MS ? TOO_LATE : refusal;
}

const TOO_LATE: ClaimRefusal = { kind: "replan", by: "send" };

async function look(request: ClaimRequest): Promise<ClaimRefusal | null> {
  const { send, attemptId } = request;
  const rooms = scoped(send.workspaceId);
  try {
    return await inTransaction(async () => {
      await refuseStopped(rooms, request, addressesOf(request));
      if (!(await isOneFor(rooms.Recipient, recipientOf(request))))
        throw new ClaimRefused({ kind: "stopped", by: "recipient", reasons: [] });
      const claimed = { _id: send._id, state: "SENDING", phase: "CLAIMED", attemptId, $expr: { $gt: ["$leaseUntil", "$$NOW"] } };
      const hasEntered = await rooms.Send.wrote(claimed, [{ $set: { phase: "DATA", dataAt: "$$NOW" } }]);
      return hasEntered ? null : TOO_LATE;
    });
  } catch (error) {
    if (error instanceof ClaimRefused) return error.refusal;
    throw error;
  }
}

/** Whether the copies of a sent mail may still follow it; they have no send of their own that a stop could end. */
export async function mayFollow(request: ClaimRequest, copies: string[]): Promise<boolean> {
  try {
    await refuseStopped(scoped(request.send.workspaceId), request, copies);
    return true;
  } catch (error) {
    if (error instanceof ClaimRefused) return false;
    throw error;
  }
}

/** Checks what stops mail to any recipient: the gate, the mailbox, and the suppression of these addresses. */
async function refuseStopped(rooms: Workspaced, request: ClaimRequest, addresses: string[]): Promise<void> {
  if (!(await isOneFor(rooms.Gate, [gateOf(request)]))) throw new ClaimRefused({ kind: "parked" });
  if (!(await isOneFor(rooms.Mailbox, [mailboxOf(request)]))) throw new ClaimRefused({ kind: "replan", by: "mailbox" });
  await refuseGuarded(rooms, addresses, request.campaign === null ? [] : addresses);
  await refuseBlocked(rooms, addresses);
}

interface Room {
  read(filter: Record<string, unknown>, options: { select: { _id: 1 }; limit: number }): Promise<unknown[]>;
}

/** Whether each of these filters matches a document. */
async function isOneFor(room: Room, filters: Record<string, unknown>[]): Promise<boolean> {
  for (const filter of filters) if ((await room.read(filter, { select: { _id: 1 }, limit: 1 })).length === 0) return false;
  return true;
}
