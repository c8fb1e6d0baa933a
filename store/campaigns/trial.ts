import type { Step, WinnerMetric } from "../../domain/sequences/sequence.ts";
import type { Achiever, Trial } from "../../domain/sequences/winner.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";

const PAGE = 1_000;
/**
 * How many milliseconds a count may take. A million sends are counted within two seconds, and an activity must not run
 * longer than this without a heartbeat.
 */
const COUNT_MS = 15_000;

/** The event in a lead's history that each metric counts. The event contains the step at which it happened. */
const COUNTED = {
  REPLY_RATE: "REPLIED",
  POSITIVE_REPLY_RATE: "REPLIED",
  CLICK_RATE: "CLICK",
  CONVERSION_RATE: "CONVERTED",
  REVENUE: "CONVERTED",
} as const satisfies Record<WinnerMetric, string>;

/**
 * The results of the enabled variants of a step. `currency` is set for REVENUE, and null while no one has bought
 * anything.
 */
export type LoadedTrial = Trial & { currency: string | null };

/**
 * Loads who received which variant of a step, in emails that are old enough to be judged, and which of these people did
 * what the metric counts.
 */
export async function loadTrial(workspaceId: string, campaignId: string, step: Step): Promise<LoadedTrial> {
  const { stepId, variants, winner } = step;
  const maturityMs = winner.maturityHours * HOUR_MS;
  const mature = {
    campaignId,
    state: { $in: ["SENT", "BOUNCED"] },
    stepId,
    sentAt: { $lte: new Date(Date.now() - maturityMs) },
  };
  const { Send } = scoped(workspaceId);
  const counted = await allOf(
    Send.walk<{ _id: string | null; count: number }>(
      mature,
      [{ $group: { _id: "$variantId", count: { $sum: 1 } } }],
      COUNT_MS,
    ),
  );
  const sends = new Map(counted.map(({ _id, count }) => [_id, count]));
  const { currency, acts } = await loadActs(workspaceId, campaignId, stepId, winner.metric);
  const people = [...acts.keys()];
  const achievers: Achiever[] = [];
  for (let from = 0; from < people.length; from += PAGE) {
    const mails = Send.walk<Mailed>(
      { ...mature, recipientId: { $in: people.slice(from, from + PAGE) } },
      [SHOWN],
      COUNT_MS,
    );
    for await (const { recipientId, variantId, variantShares: shares, sentAt } of mails) {
      const done = acts.get(recipientId) ?? [];
      if (variantId !== null)
        achievers.push({ variantId, shares: shares ?? null, ...firstCount(done, sentAt.getTime() + maturityMs) });
    }
  }
  const open = variants.filter(({ enabled }) => enabled);
  return { arms: open.map(({ variantId }) => ({ variantId, sends: sends.get(variantId) ?? 0 })), achievers, currency };
}

interface Mailed {
  recipientId: string;
  variantId: string | null;
  variantShares: Record<string, number> | null;
  sentAt: Date;
}

const SHOWN = { $project: { _id: 0, recipientId: 1, variantId: 1, variantShares: 1, sentAt: 1 } };

/** One action of a person that the metric counts. */
interface Act {
  at: number;
  amount: number;
}

/**
 * When a person is first counted, and how much the person had bought by then. Later purchases add to the person's total
 * but are no further evidence, because the variant is known by then.
 */
function firstCount(acts: readonly Act[], matureAt: number): Pick<Achiever, "amount" | "total" | "countedAt"> {
  const countedAt = Math.max(matureAt, Math.min(...acts.map(({ at }) => at)));
  const sumUntil = (until: number) => acts.reduce((sum, { at, amount }) => sum + (at <= until ? amount : 0), 0);
  return { countedAt, amount: sumUntil(countedAt), total: sumUntil(Number.POSITIVE_INFINITY) };
}

/** The counted actions after a step, by recipient. */
async function loadActs(workspaceId: string, campaignId: string, stepId: string, metric: WinnerMetric) {
  if (metric === "REVENUE") return loadPurchases(workspaceId, campaignId, stepId);
  const event = { campaignId, type: COUNTED[metric], "data.stepId": stepId, recipientId: { $gt: "" } };
  const first = { $group: { _id: "$recipientId", at: { $min: "$at" } } };
  const whoDid = await allOf(
    scoped(workspaceId).ActivityEvent.walk<{ _id: string; at: Date }>(event, [first], COUNT_MS),
  );
  const happened = metric === "POSITIVE_REPLY_RATE" ? await thePositive(workspaceId, campaignId, whoDid) : whoDid;
  return { currency: null, acts: new Map(happened.map(({ _id, at }) => [_id, [{ at: at.getTime(), amount: 1 }]])) };
}

interface Purchase {
  recipientId: string;
  at: Date;
  value: unknown;
  currency: unknown;
}

/**
 * The purchases in the most frequent currency; among equally frequent ones, the first in alphabetical order. Purchases
 * in other currencies do not count.
 */
async function loadPurchases(workspaceId: string, campaignId: string, stepId: string) {
  const event = { campaignId, type: COUNTED.REVENUE, "data.stepId": stepId, recipientId: { $gt: "" } };
  const shown = { $project: { _id: 0, recipientId: 1, at: 1, value: "$data.value", currency: "$data.currency" } };
  const paid = (await allOf(scoped(workspaceId).ActivityEvent.walk<Purchase>(event, [shown], COUNT_MS))).flatMap(
    paidOf,
  );
  const byCurrency = [...Map.groupBy(paid, ({ currency }) => currency)];
  byCurrency.sort(([one, first], [other, second]) => second.length - first.length || (one < other ? -1 : 1));
  const [[currency, purchases] = [null, []]] = byCurrency;
  return { currency, acts: Map.groupBy(purchases, ({ recipientId }) => recipientId) };
}

function paidOf({ recipientId, at, value, currency }: Purchase) {
  const amount = Number(value ?? Number.NaN);
  if (typeof currency !== "string" || !Number.isFinite(amount) || amount <= 0) return [];
  return [{ recipientId, at: at.getTime(), amount, currency: currency.toUpperCase() }];
}

/** Those of the given recipients whose newest categorised reply is positive. */
async function thePositive<T extends { _id: string | null }>(
  workspaceId: string,
  campaignId: string,
  whoDid: T[],
): Promise<T[]> {
  const positive = { campaignId, sentiment: "POSITIVE", recipientId: { $gt: "" } };
  const found = await allOf(
    scoped(workspaceId).Thread.walk<{ _id: string }>(positive, [{ $group: { _id: "$recipientId" } }], COUNT_MS),
  );
  const positiveIds = new Set<string | null>(found.map(({ _id }) => _id));
  return whoDid.filter(({ _id }) => positiveIds.has(_id));
}

async function allOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** How many people were sent each variant, including recent emails, by variant id. */
export async function loadContacted(workspaceId: string, campaignId: string): Promise<Map<string, number>> {
  const sent = { campaignId, state: { $in: ["SENT", "BOUNCED"] } };
  const counts = await scoped(workspaceId).Send.aggregate<{ _id: string | null; count: number }>(sent, {
    $group: { _id: "$variantId", count: { $sum: 1 } },
  });
  return new Map(counts.flatMap(({ _id, count }) => (_id === null ? [] : [[_id, count]])));
}
