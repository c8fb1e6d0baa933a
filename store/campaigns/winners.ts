import type { Step } from "../../domain/sequences/sequence.ts";
import { type Arm, winnerAmong } from "../../domain/sequences/winner.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";

const PAGE = 1_000;
/**
 * Milliseconds that a count may take: a million sends are counted within a second or two, and an activity must not be silent for longer.
 */
const COUNT_MS = 15_000;

/** The event of a lead's history that each metric counts; the event says at which step it happened. */
const COUNTED = {
  REPLY_RATE: "REPLIED",
  POSITIVE_REPLY_RATE: "REPLIED",
  CLICK_RATE: "CLICK",
  CONVERSION_RATE: "CONVERTED",
} as const;

/**
 * Chooses the winner of every step that chooses automatically (rules/campaigns 3.2), and stores it where the counts show a winner or a
 * different one than
 * before. Setting the mode to OFF removes the winner again. Returns how many changed.
 */
export async function chooseWinners(workspaceId: string, campaignId: string, steps: readonly Step[]): Promise<number> {
  let chosen = 0;
  for (const step of steps) {
    if (!isContest(step)) continue;
    const winnerVariantId = winnerAmong(await armsOf(workspaceId, campaignId, step), step.winner);
    if (winnerVariantId === null || winnerVariantId === step.winner.winnerVariantId) continue;
    if (await inTransaction(() => write(workspaceId, campaignId, step, winnerVariantId))) chosen++;
  }
  return chosen;
}

/** Whether this step must be checked for a winner from time to time. */
export function isContest({ winner, variants }: Step): boolean {
  return winner.mode === "AUTO" && variants.filter(({ enabled }) => enabled).length > 1;
}

/** For each enabled variant, the number of sends that are old enough, and how many of their recipients did what the metric counts. */
async function armsOf(workspaceId: string, campaignId: string, { stepId, variants, winner }: Step): Promise<Arm[]> {
  const { ActivityEvent, Send } = scoped(workspaceId);
  const mature = {
    campaignId,
    state: { $in: ["SENT", "BOUNCED"] },
    stepId,
    sentAt: { $lte: new Date(Date.now() - winner.maturityHours * HOUR_MS) },
  };
  const count = (match: object) =>
    allOf(Send.walk<Count>({ ...mature, ...match }, [{ $group: { _id: "$variantId", count: { $sum: 1 } } }], COUNT_MS));
  const sends = tally(await count({}));
  const hits = new Map<string, number>();
  const event = { campaignId, type: COUNTED[winner.metric], "data.stepId": stepId };
  const whoDid = await allOf(ActivityEvent.walk<{ _id: string | null }>(event, [{ $group: { _id: "$recipientId" } }], COUNT_MS));
  const happened = winner.metric === "POSITIVE_REPLY_RATE" ? await thePositive(workspaceId, campaignId, whoDid) : whoDid;
  for (let from = 0; from < happened.length; from += PAGE) {
    const recipientIds = happened.slice(from, from + PAGE).map(({ _id }) => _id);
    for (const [variantId, more] of tally(await count({ recipientId: { $in: recipientIds } })))
      hits.set(variantId, (hits.get(variantId) ?? 0) + more);
  }
  return variants
    .filter(({ enabled }) => enabled)
    .map(({ variantId }) => ({ variantId, sends: sends.get(variantId) ?? 0, hits: hits.get(variantId) ?? 0 }));
}

/** Of the recipients that replied, those whose newest categorised reply is positive. */
async function thePositive<T extends { _id: string | null }>(workspaceId: string, campaignId: string, whoDid: T[]): Promise<T[]> {
  const positive = { campaignId, sentiment: "POSITIVE", recipientId: { $gt: "" } };
  const found = await allOf(scoped(workspaceId).Thread.walk<{ _id: string }>(positive, [{ $group: { _id: "$recipientId" } }], COUNT_MS));
  const known = new Set<string | null>(found.map(({ _id }) => _id));
  return whoDid.filter(({ _id }) => known.has(_id));
}

async function allOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

interface Count {
  _id: string | null;
  count: number;
}

function tally(counts: Count[]): Map<string, number> {
  return new Map(counts.flatMap(({ _id, count }) => (_id === null ? [] : [[_id, count]])));
}

/** Increments the campaign's version, as every edit of the sequence does. If this step was edited in between, that edit wins. */
async function write(workspaceId: string, campaignId: string, judged: Step, winnerVariantId: string): Promise<boolean> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const campaign = await Campaign.findOne({ _id: campaignId, status: trusted({ $ne: "ARCHIVED" }) });
  const sequence = await Sequence.findOne({ campaignId });
  const at = sequence?.steps.findIndex(({ stepId }) => stepId === judged.stepId) ?? -1;
  const step = sequence?.steps[at];
  if (campaign === null || step === undefined || JSON.stringify(step) !== JSON.stringify(judged)) return false;
  const version = campaign.version + 1;
  await Sequence.updateOne({ campaignId }, { $set: { [`steps.${at}.winner.winnerVariantId`]: winnerVariantId, version } });
  await Campaign.updateOne({ _id: campaignId }, { $set: { version } });
  return true;
}
