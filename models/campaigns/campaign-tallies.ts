import mongoose from "mongoose";
import {
  addCounts,
  type CampaignCounts,
  type CountedRecipient,
  type CountedSend,
  countsOfRecipient,
  countsOfSend,
  isZero,
  NO_COUNTS,
  onesOf,
  SENT_STATES,
  subtractCounts,
} from "../../domain/campaigns/counts.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { type Counted, setsAny, type Tally, valueSetTo } from "../../mongo/tally.ts";
import { type ClosingWrite, collectedFor } from "../../mongo/transaction.ts";
import { Thread } from "../inbox/thread.ts";
import { Recipient } from "../recipients/recipient.ts";
import { CampaignCounter, COUNTER_PARTS } from "./campaign-counter.ts";

/** What a transaction changes in the numbers of one campaign. */
interface CampaignChange {
  workspaceId: string;
  campaignId: string;
  sum: CampaignCounts;
  /** By recipient, how many more of its threads are positive than before. */
  positiveThreads: Map<string, number>;
}

/** What one document counts for, and whose positive thread it is, if it is one. */
interface Contribution {
  sum: CampaignCounts;
  positiveOf?: string;
}

type Part = Pick<Tally, "fields" | "mayChange" | "countsNothing"> & { countsOf(document: object): Contribution };

/** The collections on which the numbers of campaigns depend, by the name of their model. */
export const CAMPAIGN_TALLIES: Readonly<Record<string, Tally>> = {
  Recipient: tallyOf({
    ...onFields([
      "lastSentAt",
      "openedAt",
      "proxyOpenedAt",
      "clickedAt",
      "repliedAt",
      "autoRepliedAt",
      "bouncedAt",
      "bounce",
      "unsubscribedAt",
      "meetingBooked",
      "revenueAmount",
      "revenueCurrency",
    ]),
    countsOf: (recipient: CountedRecipient) => ({ sum: countsOfRecipient(recipient) }),
  }),
  Send: tallyOf({ ...onSends(), countsOf: (send: CountedSend) => ({ sum: countsOfSend(send) }) }),
  Thread: tallyOf({
    ...onFields(["sentiment", "recipientId"]),
    countsOf: ({ sentiment, recipientId }: { sentiment?: string; recipientId?: string | null }) => ({
      sum: NO_COUNTS,
      ...(sentiment === "POSITIVE" && recipientId && { positiveOf: recipientId }),
    }),
  }),
  Message: tallyOf({
    ...onFields(["kind"]),
    countsOf: ({ kind }: { kind?: string }) => ({
      sum: { counts: onesOf({ complained: kind === "COMPLAINT" }), revenue: {} },
    }),
  }),
  ActivityEvent: tallyOf({
    ...onFields(["type"]),
    countsOf: ({ type }: { type?: string }) => ({
      sum: { counts: onesOf({ conversions: type === "CONVERTED" }), revenue: {} },
    }),
  }),
};

function onFields(names: readonly string[]) {
  const fields = ["campaignId", ...names];
  return {
    fields,
    mayChange: (_: object, change: object) => setsAny(change, fields),
    countsNothing: () => false,
  };
}

/**
 * Every email is claimed and booked by writes that leave it unsent before and after. They need no look at the document,
 * because their filter and their change say so.
 */
function onSends() {
  const fields = ["campaignId", "state", "tracking.opens", "tracking.clicks"];
  const isSent = (state: unknown) => SENT_STATES.some((one) => one === state);
  const countsNothing = ({ state }: Record<string, unknown>) => {
    const states: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "$in") : [state];
    return Array.isArray(states) && states.every((one) => typeof one === "string" && !isSent(one));
  };
  const staysUnsent = (filter: Record<string, unknown>, change: object) => {
    const next = valueSetTo(change, "state");
    return countsNothing(filter) && (next === undefined ? !setsAny(change, ["state"]) : isUnsent(next));
  };
  const isUnsent = (state: unknown) => typeof state === "string" && !state.startsWith("$") && !isSent(state);
  return {
    fields,
    mayChange: (filter: Record<string, unknown>, change: object) =>
      setsAny(change, fields) && !staysUnsent(filter, change),
    countsNothing,
  };
}

function tallyOf({ countsOf, ...part }: Part): Tally {
  const add = (workspaceId: string, document: Counted | null, sign: 1 | -1) => {
    const campaignId = document?.["campaignId"];
    if (document === null || typeof campaignId !== "string") return;
    const { sum, positiveOf } = countsOf(document);
    if (isZero(sum) && positiveOf === undefined) return;
    const change = changeOf(workspaceId, campaignId);
    change.sum = (sign === 1 ? addCounts : subtractCounts)(change.sum, sum);
    if (positiveOf !== undefined)
      change.positiveThreads.set(positiveOf, (change.positiveThreads.get(positiveOf) ?? 0) + sign);
  };
  return {
    ...part,
    isCounted(document) {
      const { sum, positiveOf } = countsOf(document);
      return !isZero(sum) || positiveOf !== undefined;
    },
    count(workspaceId, changes) {
      for (const { before, after } of changes) {
        add(workspaceId, before, -1);
        add(workspaceId, after, 1);
      }
    },
  };
}

function changeOf(workspaceId: string, campaignId: string): CampaignChange {
  const changes = collectedFor(CHANGES);
  const key = `${workspaceId} ${campaignId}`;
  const change = changes.get(key) ?? { workspaceId, campaignId, sum: NO_COUNTS, positiveThreads: new Map() };
  changes.set(key, change);
  return change;
}

/**
 * All changes of a transaction are written as its last step, so that it conflicts with others for the shortest time. One
 * campaign's are written to one part. Each transaction of a process takes the next part, so that those that commit at
 * the same time rarely meet.
 */
const CHANGES: ClosingWrite<Map<string, CampaignChange>> = {
  begin: () => new Map(),
  async write(changes) {
    const part = nextPart();
    const writes = [];
    for (const change of changes.values()) {
      const sum = addCounts(change.sum, await countPositive(change));
      if (!isZero(sum)) writes.push(counterWrite(change, part, sum));
    }
    if (writes.length > 0)
      await CampaignCounter.collection.bulkWrite(writes as never, { ordered: true, ...sessionOption() }); // ids are texts in every model
  },
};
let lastPart = Math.floor(Math.random() * COUNTER_PARTS);

function nextPart(): string {
  lastPart = (lastPart + 1) % COUNTER_PARTS;
  return String(lastPart);
}

/**
 * A recipient with positive threads in several mailboxes counts once. The write to the recipient makes one of two
 * transactions start again that change its threads at the same time.
 */
async function countPositive({ workspaceId, campaignId, positiveThreads }: CampaignChange): Promise<CampaignCounts> {
  let positive = 0;
  for (const [recipientId, more] of positiveThreads) {
    if (more === 0) continue;
    const recipient = { _id: recipientId as never, workspaceId }; // ids are texts in every model
    await Recipient.collection.updateOne(recipient, { $inc: { touches: 1 } }, sessionOption());
    const filter = { workspaceId, campaignId, sentiment: "POSITIVE", recipientId };
    const now = await Thread.collection.countDocuments(filter, sessionOption());
    positive += Number(now > 0) - Number(now - more > 0);
  }
  return { counts: positive === 0 ? {} : { positive }, revenue: {} };
}

/** The write that adds numbers to one part of a campaign's counter. `set` are further fields of the part. */
export function counterWrite(
  { workspaceId, campaignId }: Pick<CampaignCounter, "workspaceId" | "campaignId">,
  part: string,
  { counts, revenue }: CampaignCounts,
  set: Partial<Pick<CampaignCounter, "compareAt">> = {},
) {
  const now = new Date();
  const amounts = Object.entries(revenue).flatMap(([currency, { people, amount }]) => [
    [`revenue.${currency}.people`, people],
    [`revenue.${currency}.amount`, mongoose.mongo.Decimal128.fromString(amount)],
  ]);
  const $inc = { ...prefixed(counts), ...Object.fromEntries(amounts), touches: 1 };
  const $setOnInsert = { campaignId, createdAt: now, ...(set.compareAt === undefined && { compareAt: null }) };
  const filter = { _id: `${campaignId}:${part}`, workspaceId };
  return { updateOne: { filter, update: { $inc, $set: { ...set, updatedAt: now }, $setOnInsert }, upsert: true } };
}

function prefixed(counts: CampaignCounts["counts"]): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [`counts.${name}`, count]));
}
