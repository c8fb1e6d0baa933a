import { OPEN } from "../../domain/states.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import { Campaign } from "../../models/campaign.ts";
import { Mailbox } from "../../models/mailbox.ts";
import { NEVER, Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_INSTANT, IS_TEXT } from "../../mongo/schema.ts";
import { mailboxBar } from "./eligibility.ts";

/** Somebody overdue is told after 1, 2, 4, 8 minutes and so on: a busy installation is not made busier by those whose turn will come. */
const AFTER_MINUTES = Array.from({ length: 16 }, (_, power) => 2 ** power);
/** Wider than a round of the reconciler is long, so that no round misses one. */
const WINDOW_MS = 90_000;
/** So late nobody is while all is well: several rounds of the reconciler have told them to look. */
const LATE_MS = 5 * MINUTE_MS;
const MOST = 1_000;
const ACROSS = { acrossWorkspaces: true };
const ADMITTED = { status: trusted({ $in: [...OPEN] }), admittedAt: trusted(IS_INSTANT) };

/**
 * Open recipients of an active campaign whose instant has passed and who have done nothing: their run was lost, or a signal to it, or
 * it waits for something that nobody knows of any more. Whether one is noted as parked does not matter.
 */
export async function overdueIn({ workspaceId, _id: campaignId }: Campaign, now: number): Promise<RecipientIds[]> {
  const passed = AFTER_MINUTES.map((minutes) => {
    const until = now - minutes * MINUTE_MS;
    return { nextSendAt: trusted({ $gt: new Date(until - WINDOW_MS), $lte: new Date(until) }) };
  });
  const overdue = { campaignId, ...ADMITTED, $or: passed };
  const found = await scoped(workspaceId).Recipient.find(overdue, { sort: { nextSendAt: 1 }, limit: MOST, select: { _id: 1 } });
  return found.map(({ _id: recipientId }) => ({ v: 1, workspaceId, campaignId, recipientId }));
}

/** Mailboxes that somebody is noted to wait for although they do not rest, in every workspace: they can send, or are lost or gone. */
export async function forgottenMailboxes(now: number): Promise<{ workspaceId: string; mailboxId: string }[]> {
  const awaited = await Recipient.aggregate<{ _id: { workspaceId: string; mailboxId: string } }>([
    { $match: { awaitedMailboxId: IS_TEXT } },
    { $group: { _id: { workspaceId: "$workspaceId", mailboxId: "$awaitedMailboxId" } } },
  ]).option(ACROSS);
  const ids = awaited.map(({ _id }) => _id.mailboxId);
  const mailboxes = await Mailbox.find({ _id: trusted({ $in: ids }) }, null, ACROSS).lean<Mailbox[]>();
  const resting = mailboxes.filter((mailbox) => mailboxBar(mailbox, now)?.kind === "RESTING").map(({ _id }) => _id);
  return awaited.map(({ _id }) => _id).filter(({ mailboxId }) => !resting.includes(mailboxId));
}

/**
 * How many people an installation has forgotten: open recipients of active campaigns who are overdue by five minutes, and those who
 * wait for a mailbox that can send. Zero while all is well.
 */
export async function countOverdue(now: number): Promise<number> {
  const campaigns = await Campaign.find({ status: "ACTIVE" }, { workspaceId: 1 }, ACROSS).lean<Campaign[]>();
  if (campaigns.length === 0) return 0;
  const active = {
    workspaceId: trusted({ $in: [...new Set(campaigns.map(({ workspaceId }) => workspaceId))] }),
    campaignId: trusted({ $in: campaigns.map(({ _id }) => _id) }),
  };
  const late = { ...active, ...ADMITTED, nextSendAt: trusted({ $gt: NEVER, $lte: new Date(now - LATE_MS) }) };
  const free = (await forgottenMailboxes(now)).map(({ mailboxId }) => mailboxId);
  const held = { ...active, ...ADMITTED, awaitedMailboxId: trusted({ $in: free }), updatedAt: trusted({ $lte: new Date(now - LATE_MS) }) };
  const counts = [Recipient.countDocuments(late), ...(free.length > 0 ? [Recipient.countDocuments(held)] : [])];
  return (await Promise.all(counts.map((count) => count.setOptions(ACROSS)))).reduce((sum, count) => sum + count, 0);
}
