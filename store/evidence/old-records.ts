import { HISTORY_EVENTS, type HistoryEvent, OPEN, RECIPIENT_STATUSES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { idBound, pagesOf } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { eraseNames } from "../recipients/erased.ts";
import { ERASED_RANGE, erasedAddressOf, isErasedAddress } from "../suppression/guard-id.ts";

/** How many recipients, or prospects, one transaction changes. */
const PAGE = 50;
const COUNT_MS = 60_000;
const CAMPAIGNS_AT_ONCE = 200;

/**
 * Events that stay: figures and results of variants are counted from them, a repeated bounce or opt-out is recognised by
 * them, and a segment of leads that were not contacted lately must not contain someone who was.
 */
const KEPT: readonly HistoryEvent[] = [
  "SENT",
  "REPLIED",
  "AUTO_REPLIED",
  "CLICK",
  "CONVERTED",
  "BOUNCED",
  "UNSUBSCRIBE",
  "SUPPRESSED",
  "UNSUPPRESSED",
];
const DELETED = HISTORY_EVENTS.filter((type) => !KEPT.includes(type));
const FINAL = RECIPIENT_STATUSES.filter((status) => !OPEN.includes(status));
/** The states of emails that never change into a sent email by themselves. */
const SETTLED: readonly Send["state"][] = ["SENT", "BOUNCED", "FAILED", "RELEASED"];

/** The campaigns that were completed or archived before `cut`, and were not continued since. */
async function finishedCampaigns(workspaceId: string, cut: Date): Promise<string[]> {
  const found = await scoped(workspaceId).Campaign.read(finishedBefore(cut), { select: { _id: 1 } });
  return found.map(({ _id }) => _id).sort();
}

function finishedBefore(cut: Date) {
  return {
    $or: [
      { status: "COMPLETED", completedAt: { $lt: cut } },
      { status: "ARCHIVED", archivedAt: { $lt: cut } },
    ],
  } as const;
}

/**
 * Filters of old events: those of leads outside of campaigns, and those of finished campaigns. A running campaign
 * decides by its events.
 */
async function oldEvents(workspaceId: string, cut: Date) {
  const ids = [null, ...(await finishedCampaigns(workspaceId, cut))];
  const [type, _id] = [trusted({ $in: DELETED }), trusted({ $lt: idBound("evt", cut) })];
  return pagesOf(ids, CAMPAIGNS_AT_ONCE).map((some) => ({
    campaignId: trusted({ $in: some }),
    type,
    _id,
    at: trusted({ $lt: cut }),
  }));
}

const EVENT_INDEX = "workspaceId_1_campaignId_1_type_1__id_-1";

export async function countOldEvents(workspaceId: string, cut: Date, limit: number): Promise<number> {
  const { ActivityEvent } = scoped(workspaceId);
  let count = 0;
  for (const filter of await oldEvents(workspaceId, cut)) {
    if (count >= limit) break;
    const options = { hint: EVENT_INDEX, limit: limit - count, maxTimeMs: COUNT_MS };
    count += await ActivityEvent.count(filter, options);
  }
  return count;
}

/** Deletes events from before `cut`, at most `most`. Returns how many. */
export async function deleteOldEvents(workspaceId: string, cut: Date, most: number): Promise<number> {
  const { ActivityEvent } = scoped(workspaceId);
  let count = 0;
  for (const filter of await oldEvents(workspaceId, cut)) {
    if (count >= most) break;
    const options = { hint: EVENT_INDEX, limit: most - count, select: { _id: 1 as const }, maxTimeMs: COUNT_MS };
    const page = await ActivityEvent.read(filter, options);
    count += await ActivityEvent.deleteMany({ _id: trusted({ $in: page.map(({ _id }) => _id) }) });
  }
  return count;
}

/** Recipients of these campaigns that have ended and still have their address. */
function namedRecipients(campaignIds: readonly string[], after = "") {
  const { from, to } = ERASED_RANGE;
  // Two ranges of the index by address, so that the replaced addresses are not read again in each round
  const ranges = [
    { $gt: after, $lt: from },
    { $gt: after, $gte: to },
  ];
  const campaignId = trusted({ $in: [...campaignIds] });
  return { campaignId, $or: ranges.map((range) => ({ email: trusted(range) })), status: trusted({ $in: FINAL }) };
}

const RECIPIENT_INDEX = "campaignId_1_email_1";

export async function countOldRecipients(workspaceId: string, cut: Date, limit: number): Promise<number> {
  const { Recipient } = scoped(workspaceId);
  let count = 0;
  for (const some of pagesOf(await finishedCampaigns(workspaceId, cut), CAMPAIGNS_AT_ONCE)) {
    if (count >= limit) break;
    const options = { hint: RECIPIENT_INDEX, limit: limit - count, maxTimeMs: COUNT_MS };
    count += await Recipient.count(namedRecipients(some), options);
  }
  return count;
}

/** Those of these campaigns that have recipients to empty. Most campaigns of earlier rounds have none. */
async function* campaignsToEmpty(workspaceId: string, campaignIds: readonly string[]): AsyncGenerator<string> {
  const options = { hint: RECIPIENT_INDEX, limit: 1, select: { campaignId: 1 as const }, maxTimeMs: COUNT_MS };
  for (const some of pagesOf(campaignIds, CAMPAIGNS_AT_ONCE)) {
    for (let left = some; left.length > 0; ) {
      const [first] = await scoped(workspaceId).Recipient.read(namedRecipients(left), options);
      if (first === undefined) break;
      yield first.campaignId;
      left = left.filter((id) => id !== first.campaignId);
    }
  }
}

/**
 * Empties the recipients of campaigns that finished before `cut`, and their emails, about `most` at most. A hash stays
 * in place of the address: it keeps the person from getting the campaign twice, and old unsubscribe links still work.
 * Returns how many recipients it emptied.
 */
export async function emptyOldRecipients(workspaceId: string, cut: Date, most: number): Promise<number> {
  const { Recipient } = scoped(workspaceId);
  let count = 0;
  for await (const campaignId of campaignsToEmpty(workspaceId, await finishedCampaigns(workspaceId, cut))) {
    for (let after = ""; count < most; ) {
      const page = await Recipient.read(namedRecipients([campaignId], after), {
        hint: RECIPIENT_INDEX,
        sort: { email: 1 },
        limit: PAGE,
        select: { email: 1 },
        maxTimeMs: COUNT_MS,
      });
      if (page.length === 0) break;
      const ids = page.map(({ _id }) => _id);
      count += await inTransaction(() => emptyRecipients(workspaceId, campaignId, cut, ids));
      after = page.at(-1)?.email ?? after;
    }
    if (count >= most) break;
  }
  return count;
}

async function emptyRecipients(workspaceId: string, campaignId: string, cut: Date, ids: string[]): Promise<number> {
  const { Campaign, Recipient, Send } = scoped(workspaceId);
  const [campaign] = await Campaign.read({ _id: campaignId, ...finishedBefore(cut) }, { select: { _id: 1 } });
  if (campaign === undefined) return 0;
  const sends = await Send.read(
    { recipientId: { $in: ids } },
    { select: { recipientId: 1, state: 1, to: 1, failure: 1 } },
  );
  const open = new Set(sends.flatMap(({ recipientId, state }) => (SETTLED.includes(state) ? [] : [recipientId])));
  const recipients = (await Recipient.read({ _id: { $in: ids }, status: { $in: FINAL } })).filter(
    ({ _id, email }) => !open.has(_id) && !isErasedAddress(email),
  );
  // The write makes a transaction start again that adds leads to the campaign, or continues it, at the same moment
  if (recipients.length === 0 || !(await Campaign.touch(campaignId))) return 0;
  const isEmptied = new Set<string | null>(recipients.map(({ _id }) => _id));
  const nameless = await eraseNames(workspaceId, recipients);
  await Recipient.bulk([...nameless].map(([update, set]) => ({ update, set })));
  await Send.bulk(
    sends.filter(({ recipientId }) => isEmptied.has(recipientId)).map((send) => emptiedSend(workspaceId, send)),
  );
  return recipients.length;
}

function emptiedSend(workspaceId: string, { _id, to, failure }: Pick<Send, "_id" | "to" | "failure">) {
  const text = { subject: null, content: null, response: null, failure: failure && { ...failure, text: null } };
  return { update: _id, set: { to: erasedAddressOf(workspaceId, to), ...text } };
}

const PROSPECT_INDEX = "workspaceId_1_prospectId_1";

function oldProspects(cut: Date) {
  return { updatedAt: trusted({ $lt: cut }), hold: null };
}

export function countOldProspects(workspaceId: string, cut: Date, limit: number): Promise<number> {
  const options = { hint: PROSPECT_INDEX, limit, maxTimeMs: COUNT_MS };
  return scoped(workspaceId).KnownProspect.count(oldProspects(cut), options);
}

/** Deletes the prospects that the workspace knows and that did not change since `cut`, at most `most`. Returns how many. */
export async function deleteOldProspects(workspaceId: string, cut: Date, most: number): Promise<number> {
  const { KnownProspect, SearchList } = scoped(workspaceId);
  const options = { hint: PROSPECT_INDEX, limit: most, select: { _id: 1 as const }, maxTimeMs: COUNT_MS };
  const ids = (await KnownProspect.read(oldProspects(cut), options)).map(({ _id }) => _id);
  let count = 0;
  for (const some of pagesOf(ids, PAGE)) {
    count += await inTransaction(async () => {
      const old = await KnownProspect.read({ _id: { $in: some }, ...oldProspects(cut) }, { select: { listIds: 1 } });
      const lists = Map.groupBy(
        old.flatMap(({ listIds }) => listIds),
        (listId) => listId,
      );
      for (const [listId, entries] of lists)
        await SearchList.updateOne({ _id: listId }, { $inc: { itemCount: -entries.length } });
      return KnownProspect.deleteMany({ _id: trusted({ $in: old.map(({ _id }) => _id) }) });
    });
  }
  return count;
}
