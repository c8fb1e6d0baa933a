import { drawGapMs } from "../domain/pacing.ts";
import { utcDay } from "../domain/schedule.ts";
import type { Settings } from "../domain/settings.ts";
import { trusted } from "../models/collection.ts";
import type { GuardReason } from "../models/guard.ts";
import type { Mailbox } from "../models/mailbox.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import { inTransaction } from "../models/transaction.ts";
import { gateId, shardOf } from "./gates.ts";
import { domainsOf, guardId } from "./suppress.ts";

/** Longer than the activity's start-to-close limit, which is longer than an attempt's (security.md 8.4). */
export const LEASE_MS = 150_000;
/** A late mail does not replan its neighbours: the gap a claim leaves is a tenth shorter than drawn. */
const GAP_GRACE = 0.9;
const UNLIMITED = 2 ** 31;

export interface ClaimRequest {
  send: Send;
  mailbox: Mailbox;
  /** Null for mail without a campaign: the workspace's gates and no recipient. */
  campaign: { campaignId: string; fence: number; settings: Settings; shard: number } | null;
  attemptId: string;
  messageId: string;
  bytesHash: string;
  mailRef: string;
  subject: string;
  variantId: string | null;
  checks: Record<string, unknown>;
}

export type Refusal =
  | { kind: "stopped"; by: "recipient" | "guard" | "block-list"; reasons: GuardReason[] }
  | { kind: "parked" }
  | { kind: "replan"; by: "mailbox" | "day" | "send" };
export type ClaimResult = { kind: "claimed"; send: Send } | Refusal;

/** Carries a refusal out of the transaction, so that nothing it wrote stays. */
class Refused extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/**
 * The only door to the wire (security.md 8.2): one transaction whose every check is a write, so that each stop meets it as a
 * write conflict. After it commits the send is SENDING, CLAIMED and ours until the lease ends; refused, nothing has changed.
 */
export async function claim(request: ClaimRequest): Promise<ClaimResult> {
  try {
    return { kind: "claimed", send: await inTransaction(() => writeClaim(request)) };
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    // The answer to the commit was lost: the row tells whether the claim is ours
    const row = await scoped(request.send.workspaceId).Send.get(request.send._id);
    if (row?.state === "SENDING" && row.attemptId === request.attemptId) return { kind: "claimed", send: row };
    throw error;
  }
}

async function writeClaim(request: ClaimRequest): Promise<Send> {
  const { send, campaign } = request;
  if (campaign !== null) await takeRecipient(send);
  await passGuard(send);
  await passBlockList(send);
  await takeMailbox(request);
  await takeDay(request);
  const claimed = await takeSend(request);
  await passGate(request);
  return claimed;
}

async function takeRecipient(send: Send): Promise<void> {
  const open = { $in: ["PENDING", "IN_PROGRESS"] };
  const taken = await scoped(send.workspaceId).Recipient.wrote(
    { _id: send.recipientId, status: open, nextStepId: send.stepId },
    { $inc: { claims: 1 } },
  );
  if (!taken) throw new Refused({ kind: "stopped", by: "recipient", reasons: [] });
}

async function passGuard(send: Send): Promise<void> {
  const guard = await scoped(send.workspaceId).Guard.changeOne(
    { _id: guardId(send.workspaceId, send.to) },
    { $inc: { claims: 1 }, $setOnInsert: { reasons: [] } },
    { upsert: true },
  );
  if (guard !== null && guard.reasons.length > 0) throw new Refused({ kind: "stopped", by: "guard", reasons: guard.reasons });
}

async function passBlockList(send: Send): Promise<void> {
  const domains = domainsOf(send.to.slice(send.to.lastIndexOf("@") + 1));
  const blocked = await scoped(send.workspaceId).BlockListEntry.findOne({ value: trusted({ $in: domains }) });
  if (blocked !== null) throw new Refused({ kind: "stopped", by: "block-list", reasons: ["BLOCK_LISTED"] });
}

async function takeMailbox({ send, mailbox, campaign }: ClaimRequest): Promise<void> {
  const settings = campaign?.settings ?? null;
  const gapMs = drawGapMs(
    mailbox.minGapSeconds ?? settings?.minGapSeconds ?? 0,
    mailbox.maxGapSeconds ?? settings?.maxGapSeconds ?? 0,
    send._id,
  );
  const usable = campaign === null ? { $in: ["CONNECTED", "PAUSED"] } : "CONNECTED";
  const due = campaign === null ? true : { $or: [{ $eq: ["$nextAt", null] }, { $lte: ["$nextAt", "$$NOW"] }] };
  const next = { $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount: Math.round(gapMs * GAP_GRACE) } };
  const taken = await scoped(send.workspaceId).Mailbox.wrote({ _id: mailbox._id, status: usable, $expr: due }, [
    { $set: { nextAt: next } },
  ]);
  if (!taken) throw new Refused({ kind: "replan", by: "mailbox" });
}

async function takeDay({ send, mailbox, campaign }: ClaimRequest): Promise<void> {
  const { MailboxDay } = scoped(send.workspaceId);
  const today = utcDay(Date.now());
  const cap = mailbox.dailySendLimit === 0 ? UNLIMITED : mailbox.dailySendLimit;
  const share = campaign === null || campaign.settings.perMailboxDailyLimit === 0 ? UNLIMITED : campaign.settings.perMailboxDailyLimit;
  const owner = campaign?.campaignId ?? "none";
  const below = { $and: [{ $lt: ["$sent", cap] }, { $lt: [{ $ifNull: [{ $getField: { field: owner, input: "$sentBy" } }, 0] }, share] }] };
  const counted = { $inc: { sent: 1, [`sentBy.${owner}`]: 1 }, $pull: { taken: { sendId: send._id } } };
  const _id = `${mailbox._id}:${today}`;
  const taken = await MailboxDay.wrote({ _id, day: today, $expr: below }, counted);
  if (!taken) {
    // A day without any booking has no document yet; one that exists was full
    if ((await MailboxDay.get(_id)) !== null) throw new Refused({ kind: "replan", by: "day" });
    await MailboxDay.insert({ _id, mailboxId: mailbox._id, day: today, sent: 1, sentBy: { [owner]: 1 } });
  }
  if (send.day !== null && send.day !== today) {
    await MailboxDay.updateOne({ _id: `${mailbox._id}:${send.day}` }, { $pull: { taken: { sendId: send._id } } });
  }
}

async function takeSend({ send, mailbox, campaign, attemptId, messageId, ...facts }: ClaimRequest): Promise<Send> {
  const reached = campaign === null ? true : { $lte: ["$slotAt", "$$NOW"] };
  const claimed = await scoped(send.workspaceId).Send.changeOne({ _id: send._id, state: "RESERVED", $expr: reached }, [
    {
      $set: {
        state: "SENDING",
        phase: "CLAIMED",
        attemptId,
        mailboxId: mailbox._id,
        day: utcDay(Date.now()),
        leaseUntil: { $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount: LEASE_MS } },
        claimedAt: "$$NOW",
        updatedAt: "$$NOW",
        fence: campaign?.fence ?? null,
        messageId,
        messageIds: { $setUnion: ["$messageIds", [messageId]] },
        bytesHash: facts.bytesHash,
        mailRef: facts.mailRef,
        subject: { $literal: facts.subject },
        variantId: facts.variantId,
        checks: { $literal: facts.checks },
      },
    },
  ]);
  if (claimed === null) throw new Refused({ kind: "replan", by: "send" });
  return claimed;
}

async function passGate({ send, campaign }: ClaimRequest): Promise<void> {
  const ownerId = campaign?.campaignId ?? send.workspaceId;
  const shard = campaign?.shard ?? shardOf(send._id);
  const fence = campaign === null ? {} : { fence: campaign.fence };
  const open = await scoped(send.workspaceId).Gate.wrote({ _id: gateId(ownerId, shard), isOpen: true, ...fence }, { $inc: { claims: 1 } });
  if (!open) throw new Refused({ kind: "parked" });
}

/**
 * The last look (mail.md 4.1): moves CLAIMED to DATA before the first byte of content. False when the lease ran out or was
 * revoked by a stop, another attempt holds the row, or the gate closed since the claim; then nothing may be transmitted.
 */
export async function enterData(claimed: Send, attemptId: string): Promise<boolean> {
  const { Gate, Send } = scoped(claimed.workspaceId);
  const ownerId = claimed.campaignId ?? claimed.workspaceId;
  const gate = await Gate.get(gateId(ownerId, shardOf(claimed.recipientId ?? claimed._id)));
  if (gate === null || !gate.isOpen || (claimed.fence !== null && gate.fence !== claimed.fence)) return false;
  const live = { $gt: ["$leaseUntil", "$$NOW"] };
  return Send.wrote({ _id: claimed._id, state: "SENDING", phase: "CLAIMED", attemptId, $expr: live }, { $set: { phase: "DATA" } });
}
