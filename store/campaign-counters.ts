import { addCounts, type CampaignCounts, isZero, NO_COUNTS, subtractCounts } from "../domain/campaigns/counts.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../domain/time/durations.ts";
import { Campaign } from "../models/campaigns/campaign.ts";
import { CampaignCounter, COMPARED_PART } from "../models/campaigns/campaign-counter.ts";
import { counterWrite } from "../models/campaigns/campaign-tallies.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { READ_LIMIT_MS, sessionOption } from "../mongo/direct.ts";
import { inTransaction } from "../mongo/transaction.ts";
import { whenInTime } from "../mongo/unfit.ts";
import { countFromRecords } from "./campaign-metrics.ts";

/** How long the numbers of a campaign go without a comparison, in milliseconds. */
const COMPARE_RUNNING_MS = 10 * MINUTE_MS;
const COMPARE_OTHER_MS = 24 * HOUR_MS;
/** The time limit of a comparison. It is long, because a campaign may have a million recipients. */
const COMPARE_LIMIT_MS = 30 * SECOND_MS;
const ACROSS = { acrossWorkspaces: true };

/** Creates the counter of a new campaign, which has no numbers yet. Call it in the transaction that creates it. */
export async function openCounter(workspaceId: string, campaignId: string): Promise<void> {
  await writeCompared({ workspaceId, campaignId }, NO_COUNTS, COMPARE_RUNNING_MS);
}

/**
 * The numbers of campaigns of one workspace, from their counters. Campaigns from before the counters, which no
 * comparison has counted yet, are counted from their records. Those that cannot be counted in time are absent.
 */
export async function readCounts(workspaceId: string, ids: readonly string[]): Promise<Map<string, CampaignCounts>> {
  const { sums, complete } = await readCounters(workspaceId, ids);
  const others = ids.filter((id) => !complete.has(id));
  const counted = others.length === 0 ? null : await whenInTime(countFromRecords(workspaceId, others));
  return new Map([...[...sums].filter(([id]) => complete.has(id)), ...(counted ?? [])]);
}

async function readCounters(workspaceId: string, ids: readonly string[], maxTimeMs = READ_LIMIT_MS) {
  const select = { _id: 0, campaignId: 1, counts: 1, revenue: 1, compareAt: 1 } as const;
  const of = { campaignId: { $in: [...ids] } };
  const parts = await scoped(workspaceId).CampaignCounter.read(of, { maxTimeMs, select });
  const sums = new Map<string, CampaignCounts>();
  for (const part of parts)
    sums.set(part.campaignId, addCounts(sums.get(part.campaignId) ?? NO_COUNTS, countsOf(part)));
  const complete = new Set(parts.filter(({ compareAt }) => compareAt !== null).map(({ campaignId }) => campaignId));
  return { sums, complete };
}

/** The fields are absent where nothing was counted yet. */
function countsOf({ counts, revenue }: Partial<Pick<CampaignCounter, "counts" | "revenue">>): CampaignCounts {
  const amounts = Object.entries(revenue ?? {}).map(([currency, { people, amount }]) => [
    currency,
    { people, amount: amount.toString() },
  ]);
  return { counts: counts ?? {}, revenue: Object.fromEntries(amounts) };
}

/**
 * Compares the counters of a campaign with its records, adds what they differ by, and returns that difference. Both are
 * read at one instant and the difference is added, so events that are counted meanwhile stay counted. If two comparisons
 * run at the same time, one of them starts again.
 */
export function compareCounter({
  workspaceId,
  _id,
  status,
}: Pick<Campaign, "workspaceId" | "_id" | "status">): Promise<CampaignCounts> {
  return inTransaction(async () => {
    const records = (await countFromRecords(workspaceId, [_id], COMPARE_LIMIT_MS)).get(_id) ?? NO_COUNTS;
    const sum = (await readCounters(workspaceId, [_id], COMPARE_LIMIT_MS)).sums.get(_id) ?? NO_COUNTS;
    const difference = subtractCounts(withKnownTracking(records, sum), sum);
    const isRunning = status === "ACTIVE" || status === "SCHEDULED" || status === "PAUSED";
    const everyMs = isRunning ? COMPARE_RUNNING_MS : COMPARE_OTHER_MS;
    await writeCompared({ workspaceId, campaignId: _id }, difference, everyMs);
    return difference;
  });
}

/** The records only say whether any email was tracked. If the counter agrees, its number stays. */
function withKnownTracking({ counts, revenue }: CampaignCounts, { counts: known }: CampaignCounts): CampaignCounts {
  const tracking = (["withPixel", "withLinks"] as const).map((name) => {
    const isKnown = (counts[name] ?? 0) > 0 && (known[name] ?? 0) > 0;
    return [name, (isKnown ? known : counts)[name] ?? 0];
  });
  return { counts: { ...counts, ...Object.fromEntries(tracking) }, revenue };
}

async function writeCompared(
  ids: Pick<CampaignCounter, "workspaceId" | "campaignId">,
  difference: CampaignCounts,
  everyMs: number,
): Promise<void> {
  const compareAt = new Date(Date.now() + everyMs);
  const write = counterWrite(ids, COMPARED_PART, difference, { compareAt });
  await CampaignCounter.collection.bulkWrite([write] as never, sessionOption()); // ids are texts in every model
}

export interface Comparison {
  compared: number;
  /** The ids of the campaigns whose counters were wrong. */
  corrected: string[];
  /** Why campaigns could not be compared, by their id. They are compared later. */
  failed: Map<string, unknown>;
  /** The id after which the next round looks for campaigns without a counter; empty to begin again. */
  after: string;
}

type Compared = Pick<Campaign, "workspaceId" | "_id" | "status">;
/** How many campaigns one round looks at, and how many are compared at most. */
const PAGE = 500;
const FIELDS = { workspaceId: 1, status: 1 };

/**
 * One round of comparisons for about `forMs` milliseconds: half of them for campaigns without a counter, the rest for
 * those whose time has come. This gives campaigns from before the counters theirs, and corrects what a process of an
 * earlier release has changed without counting it.
 */
export async function compareCounters(forMs: number, after = ""): Promise<Comparison> {
  const started = performance.now();
  const page = await Campaign.find({ _id: trusted({ $gt: after }) }, FIELDS, ACROSS)
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Campaign[]>();
  const next = page.length < PAGE ? "" : (page.at(-1)?._id ?? "");
  const result: Comparison = { compared: 0, corrected: [], failed: new Map(), after: next };
  let last: string | null = null;
  for (const campaign of await withoutCounter(page)) {
    if (last !== null && performance.now() > started + forMs / 2) {
      // The next round starts after this campaign, even if it could not be counted
      result.after = last;
      break;
    }
    await compareOne(campaign, result);
    last = campaign._id;
  }
  for (const campaign of await dueCampaigns()) {
    if (result.compared > 0 && performance.now() > started + forMs) break;
    const difference = await compareOne(campaign, result);
    if (difference !== null && !isZero(difference)) result.corrected.push(campaign._id);
  }
  return result;
}

async function withoutCounter(page: readonly Campaign[]): Promise<Compared[]> {
  const ids = page.map(({ _id }) => `${_id}:${COMPARED_PART}`);
  const filter = { _id: trusted({ $in: ids }) };
  const found = await CampaignCounter.find(filter, { campaignId: 1 }, ACROSS).lean<CampaignCounter[]>();
  const known = new Set(found.map(({ campaignId }) => campaignId));
  return page.filter(({ _id }) => !known.has(_id));
}

/** The campaigns whose comparison is due, the longest overdue first. */
async function dueCampaigns(): Promise<Compared[]> {
  const filter = { compareAt: trusted({ $gt: new Date(0), $lte: new Date() }) };
  const due = await CampaignCounter.find(filter, { campaignId: 1 }, ACROSS)
    .sort({ compareAt: 1 })
    .limit(PAGE)
    .lean<CampaignCounter[]>();
  const ids = due.map(({ campaignId }) => campaignId);
  const found = await Campaign.find({ _id: trusted({ $in: ids }) }, FIELDS, ACROSS).lean<Campaign[]>();
  const byId = new Map(found.map((campaign) => [campaign._id, campaign]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A campaign that cannot be compared now holds up no other one. */
async function compareOne(campaign: Compared, result: Comparison): Promise<CampaignCounts | null> {
  result.compared += 1;
  try {
    return await compareCounter(campaign);
  } catch (error) {
    result.failed.set(campaign._id, error);
    const compareAt = new Date(Date.now() + COMPARE_RUNNING_MS);
    const filter = { _id: `${campaign._id}:${COMPARED_PART}`, workspaceId: campaign.workspaceId };
    await CampaignCounter.updateOne(filter, { $set: { compareAt } });
    return null;
  }
}
