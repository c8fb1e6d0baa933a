import { asksApproval } from "../../domain/campaigns/approval.ts";
import { dayOwnerOf, PERSON_OWNER, REPLY_RESERVE } from "../../domain/sending/day-use.ts";
import { drawGapMs } from "../../domain/sending/pacing.ts";
import { gapOf, paceSeconds, providerDayLimit } from "../../domain/sending/provider-limits.ts";
import { nextUtcDay, utcDay } from "../../domain/time/schedule.ts";
import { scoped, type Workspaced } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Statement } from "../../mongo/direct.ts";
import { approvalFor } from "../campaigns/approvals.ts";
import { guardId } from "../suppression/guard-id.ts";
import { capPart, capResetsAt, capStatements } from "./caps.ts";
import {
  type ClaimRefusal,
  ClaimRefused,
  type ClaimRequest,
  campaignAddressesOf,
  claimAddresses,
  gateOf,
  mailboxOf,
  mailPaceOf,
  recipientFilter,
  refuseSuppressed,
  suppressionParts,
} from "./claim-conditions.ts";
import { capsOf, SENT_BY_CAMPAIGNS, sentByOwner } from "./slots.ts";

/**
 * The lease of a claim in milliseconds. It is longer than an activity's start-to-close timeout, which is longer than an
 * attempt may take (rules/sending 8.4).
 */
const LEASE_MS = 150_000;
/** How many milliseconds after the end of another attempt's lease the send is checked again. */
export const AFTER_LEASE_MS = 1_000;
/**
 * The share of the drawn gap that must pass before the next claim. It is a tenth less than the gap, so that a slightly
 * late email does not make its neighbours miss their slots.
 */
const GAP_GRACE = 0.9;
const NO_GAP = { minGapSeconds: 0, maxGapSeconds: 0 };
/**
 * Writes the checks of one or several claims of a workspace (rules/sending 6.1). The first check that fails throws its
 * refusal. Returns the claimed sends in any order. Call it in a transaction.
 */
export async function writeClaims(requests: ClaimRequest[]): Promise<Send[]> {
  const [first] = requests;
  if (first === undefined) return [];
  const rooms = scoped(first.send.workspaceId);
  await hold(rooms.Recipient, requests.flatMap(recipientOpen), { kind: "stopped", by: "recipient", reasons: [] });
  await hold(rooms.Approval, requests.flatMap(mailApproved), { kind: "stopped", by: "approval", reasons: [] });
  await touchGuards(rooms, requests);
  const suppression = suppressionParts(rooms, requests.flatMap(claimAddresses), requests.flatMap(campaignAddressesOf));
  try {
    await hold(rooms.Mailbox, requests.map(mailboxFree), { kind: "replan", by: "mailbox" });
    await takeDays(rooms, requests);
    await hold(rooms.Send, requests.map(sendTaken), { kind: "replan", by: "send" });
  } catch (error) {
    // A suppressed address is reported even if the mailbox has a problem too
    if (error instanceof ClaimRefused)
      refuseSuppressed(...(await rooms.Send.readBeside(first.send._id, ...suppression)));
    throw error;
  }
  const taken = rooms.Send.part({ _id: { $in: requests.map(({ send }) => send._id) } });
  const [shutGuards, blocked, claimed, caps] = await rooms.Send.readBeside(
    first.send._id,
    ...suppression,
    taken,
    capPart(rooms),
  );
  refuseSuppressed(shutGuards, blocked);
  if (caps.length > 0) {
    const sends = requests.map(({ send }) => send);
    const now = Date.now();
    const refusal = { kind: "replan" as const, by: "workspace" as const, resetsAt: capResetsAt(caps, sends, now) };
    await hold(rooms.SendingCap, capStatements(first.send.workspaceId, sends, now), refusal);
  }
  await hold(rooms.Gate, gatesOpen(requests), { kind: "parked" });
  return claimed;
}

async function hold(
  room: { wroteAll(statements: Statement[]): Promise<boolean> },
  statements: Statement[],
  refusal: ClaimRefusal,
) {
  if (!(await room.wroteAll(statements))) throw new ClaimRefused(refusal);
}

function recipientOpen(request: ClaimRequest): Statement[] {
  return recipientFilter(request).map((filter) => ({ filter, change: { $inc: { claims: 1 } } }));
}

/**
 * Writes the approval of a campaign email that needs one. A change of `approvalMode` changes the fence of the gates, so
 * the mode that is checked here still applies when the claim commits.
 */
function mailApproved({ send, campaign, approval }: ClaimRequest): Statement[] {
  if (campaign === null || !asksApproval(campaign.settings, approval?.sentCount ?? 0)) return [];
  return [{ filter: approvalFor(send, approval?.contentHash ?? null), change: { $inc: { claims: 1 } } }];
}

async function touchGuards(rooms: Workspaced, requests: ClaimRequest[]): Promise<void> {
  const addresses = requests.flatMap(claimAddresses);
  const change = { $inc: { claims: 1 }, $setOnInsert: { reasons: [] } };
  const ids = addresses.map((address) => guardId(rooms.AddressGuard.workspaceId, address));
  await rooms.AddressGuard.wroteAll(ids.map((_id) => ({ filter: { _id }, change, upsert: true })));
}

function mailboxFree(request: ClaimRequest): Statement {
  const { send, mailbox, campaign, gap } = request;
  const { minGapSeconds, maxGapSeconds } = gapOf(mailbox, campaign?.settings ?? gap ?? NO_GAP);
  const paceMs = paceSeconds(mailbox) * 1_000;
  const gapMs = Math.max(paceMs, Math.round(drawGapMs(minGapSeconds, maxGapSeconds, send._id) * GAP_GRACE));
  const isReached = (instant: string) => ({ $or: [{ $eq: [instant, null] }, { $lte: [instant, "$$NOW"] }] });
  const inMs = (amount: number) => ({ $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount } });
  // Email that a person requested only waits for the provider's pace, and never makes the next email earlier
  const pace = mailPaceOf(request);
  const due = pace === "person" ? isReached("$paceAt") : isReached("$nextAt");
  const nextAt = pace === "person" ? { $max: ["$nextAt", inMs(gapMs)] } : inMs(gapMs);
  const by = pace === "person" ? "$nextAtBy" : (campaign?.campaignId ?? null);
  const nextAtBy = mailbox.maxGapSeconds === null ? by : null;
  return {
    filter: { ...mailboxOf(request), $expr: due },
    change: [{ $set: { nextAt, nextAtBy, ...(paceMs > 0 && { paceAt: inMs(paceMs) }) } }],
  };
}

async function takeDays({ MailboxDay }: Workspaced, requests: ClaimRequest[]): Promise<void> {
  const now = Date.now();
  const today = utcDay(now);
  if (!(await MailboxDay.wroteAll(requests.map((request) => dayCounted(request, today))))) {
    const [first, second] = requests;
    // A day without any booking has no document yet. If the document exists, the limit of the day is reached
    const isNew =
      first !== undefined && second === undefined && (await MailboxDay.get(`${first.mailbox._id}:${today}`)) === null;
    if (!isNew) throw new ClaimRefused({ kind: "replan", by: "day", resetsAt: nextUtcDay(now) });
    const { mailbox, send } = first;
    const sentBy = { [dayOwnerOf(send)]: 1 };
    await MailboxDay.insert({ _id: `${mailbox._id}:${today}`, mailboxId: mailbox._id, day: today, sent: 1, sentBy });
  }
  const bookedElsewhere = requests.filter(({ send }) => send.day !== null && send.day !== today);
  await MailboxDay.wroteAll(
    bookedElsewhere.map(({ send, mailbox }) => ({
      filter: { _id: `${mailbox._id}:${send.day}` },
      change: { $pull: { taken: { sendId: send._id } } },
    })),
  );
}

function dayCounted({ send, mailbox, campaign }: ClaimRequest, today: string): Statement {
  const { cap, room, share } = capsOf(mailbox, campaign?.settings.perMailboxDailyLimit ?? 0);
  const owner = dayOwnerOf(send);
  const ofCampaign = [{ $lt: [SENT_BY_CAMPAIGNS, room] }, { $lt: [sentByOwner(owner), share] }];
  const inDay = { $lt: ["$sent", cap] };
  const below = {
    $and: [
      send.kind === "REPLY" ? { $or: [inDay, inReserve(mailbox)] } : inDay,
      ...(campaign === null ? [] : ofCampaign),
    ],
  };
  return {
    filter: { _id: `${mailbox._id}:${today}`, day: today, $expr: below },
    change: { $inc: { sent: 1, [`sentBy.${owner}`]: 1 }, $pull: { taken: { sendId: send._id } } },
  };
}

/**
 * An expression that allows some replies beyond the mailbox's own daily limit, so that campaigns cannot block the
 * inbox. The provider's limit always applies.
 */
function inReserve(mailbox: ClaimRequest["mailbox"]) {
  const most = providerDayLimit(mailbox);
  return {
    $and: [{ $lt: [sentByOwner(PERSON_OWNER), REPLY_RESERVE] }, ...(most === null ? [] : [{ $lt: ["$sent", most] }])],
  };
}

function sendTaken({ send, mailbox, campaign, attemptId, messageId, ...facts }: ClaimRequest): Statement {
  const reached = mailPaceOf({ send, campaign }) === "person" ? true : { $lte: ["$slotAt", "$$NOW"] };
  const claimed = {
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
    content: { $literal: facts.content },
    tracking: { $literal: facts.tracking },
    variantId: facts.variantId,
    variantShares: { $literal: facts.variantShares ?? null },
    checks: { $literal: facts.checks },
  };
  return { filter: { _id: send._id, state: "RESERVED", $expr: reached }, change: [{ $set: claimed }] };
}

/**
 * The gates are written last, so that claims with the same gate conflict for the shortest time. Claims of a group that
 * share a gate write it only once.
 */
function gatesOpen(requests: ClaimRequest[]): Statement[] {
  const gates = new Map<string, Statement>();
  for (const request of requests) {
    const filter = gateOf(request);
    gates.set(`${filter["_id"]} ${filter["fence"]}`, { filter, change: { $inc: { claims: 1 } } });
  }
  return [...gates.values()];
}
