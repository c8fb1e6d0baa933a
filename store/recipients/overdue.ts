import { OPEN } from "../../domain/states.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { NEVER, Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_INSTANT, IS_TEXT } from "../../mongo/schema.ts";
import { mailboxBar } from "./eligibility.ts";

/**
 * An overdue recipient is woken after 1, 2, 4, 8 minutes and so on. A busy deployment therefore gets little extra work
 * from recipients that will be handled anyway.
 */
const AFTER_MINUTES = Array.from({ length: 16 }, (_, power) => 2 ** power);
/**
 * The length of each window in milliseconds. It is longer than a round of the reconciler, so that no round misses a
 * recipient.
 */
const WINDOW_MS = 90_000;
/**
 * How many milliseconds a recipient is overdue before it counts as forgotten. Several rounds of the reconciler should
 * have woken it by then.
 */
const LATE_MS = 5 * MINUTE_MS;
const MOST = 1_000;
const ACROSS = { acrossWorkspaces: true };
const ADMITTED = { status: trusted({ $in: [...OPEN] }), admittedAt: trusted(IS_INSTANT) };

/**
 * Admitted open recipients of an active campaign that are overdue and have done nothing. Their workflow run, or a
 * signal to it, was lost, or they wait for something that no longer exists. Parked recipients are included.
 */
export async function findOverdue({ workspaceId, _id: campaignId }: Campaign, now: number): Promise<RecipientIds[]> {
  const passed = AFTER_MINUTES.map((minutes) => {
    const until = now - minutes * MINUTE_MS;
    return { nextSendAt: trusted({ $gt: new Date(until - WINDOW_MS), $lte: new Date(until) }) };
  });
  const overdue = { campaignId, ...ADMITTED, $or: passed };
  const found = await scoped(workspaceId).Recipient.find(overdue, {
    sort: { nextSendAt: 1 },
    limit: MOST,
    select: { _id: 1 },
  });
  return found.map(({ _id: recipientId }) => ({ v: 1, workspaceId, campaignId, recipientId }));
}

/**
 * Mailboxes of all workspaces that recipients wait for although the mailboxes are not cooling down: they can send, are
 * disconnected or no longer exist.
 */
export async function findForgottenMailboxes(now: number): Promise<{ workspaceId: string; mailboxId: string }[]> {
  const awaited = await Recipient.aggregate<{ _id: { workspaceId: string; mailboxId: string } }>([
    { $match: { awaitedMailboxId: IS_TEXT } },
    { $group: { _id: { workspaceId: "$workspaceId", mailboxId: "$awaitedMailboxId" } } },
  ]).option(ACROSS);
  const ids = awaited.map(({ _id }) => _id.mailboxId);
  const mailboxes = await Mailbox.find({ _id: trusted({ $in: ids }) }, null, ACROSS).lean<Mailbox[]>();
  const restingIds = mailboxes.filter((mailbox) => mailboxBar(mailbox, now)?.kind === "RESTING").map(({ _id }) => _id);
  return awaited.map(({ _id }) => _id).filter(({ mailboxId }) => !restingIds.includes(mailboxId));
}

/**
 * How many recipients of active campaigns in the deployment are forgotten: overdue by five minutes, or waiting for a
 * mailbox that can send. Zero in normal operation.
 */
export async function countOverdue(now: number): Promise<number> {
  const active = await inActiveCampaigns();
  if (active === null) return 0;
  const late = { ...active, ...ADMITTED, nextSendAt: passedLong(now) };
  const free = (await findForgottenMailboxes(now)).map(({ mailboxId }) => mailboxId);
  const waitingForFree = {
    ...active,
    ...ADMITTED,
    awaitedMailboxId: trusted({ $in: free }),
    updatedAt: trusted({ $lte: new Date(now - LATE_MS) }),
  };
  const counts = [
    Recipient.countDocuments(late),
    ...(free.length > 0 ? [Recipient.countDocuments(waitingForFree)] : []),
  ];
  return (await Promise.all(counts.map((count) => count.setOptions(ACROSS)))).reduce((sum, count) => sum + count, 0);
}

/** The recipients of active campaigns that have been overdue the longest, in all workspaces. */
export async function findLongestOverdue(now: number, limit: number): Promise<Recipient[]> {
  const active = await inActiveCampaigns();
  if (active === null) return [];
  const late = { ...active, ...ADMITTED, nextSendAt: passedLong(now) };
  return Recipient.find(late, null, ACROSS).sort({ nextSendAt: 1 }).limit(limit).lean<Recipient[]>();
}

function passedLong(now: number) {
  return trusted({ $gt: NEVER, $lte: new Date(now - LATE_MS) });
}

/** A filter for the active campaigns; null when there is none. */
async function inActiveCampaigns() {
  const campaigns = await Campaign.find({ status: "ACTIVE" }, { workspaceId: 1 }, ACROSS).lean<Campaign[]>();
  if (campaigns.length === 0) return null;
  return {
    workspaceId: trusted({ $in: [...new Set(campaigns.map(({ workspaceId }) => workspaceId))] }),
    campaignId: trusted({ $in: campaigns.map(({ _id }) => _id) }),
  };
}
