import type { Count, Earning, Happenings } from "../../domain/analytics/cells.ts";
import { partsOfRevenue } from "../../domain/analytics/revenue.ts";
import type { Fact, MailPlace } from "../../domain/campaigns/figures.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Conversion } from "../../models/tracking/conversion.ts";
import { trusted } from "../../mongo/collection.ts";
import { instantFilter, loadFacts, type TimeSpan } from "../campaigns/facts.ts";
import { lastMailAt, mailPlaceOf, mailsOfPeople, type OwnMail, wentOut } from "../campaigns/mails-of-people.ts";

/**
 * All events of campaigns in a time span that a report counts (rules/analytics 1), read from the records themselves.
 * Call it in a transaction, so that all counts are of one instant.
 */
export async function loadHappenings(
  workspaceId: string,
  campaignIds: readonly string[],
  span: TimeSpan,
): Promise<Happenings> {
  if (campaignIds.length === 0) return { facts: [], earnings: [] };
  const of: HappeningsAsked = { workspaceId, campaignId: { $in: [...campaignIds] }, span };
  const conversions = await conversionsIn(of);
  const facts: Fact<Count>[] = [
    ...(await loadFacts(workspaceId, campaignIds, span)),
    ...(await firstMails(of)),
    ...(await complaints(of)),
    ...(await meetings(of)),
  ];
  const mails = await mailsOfPeople(
    workspaceId,
    conversions.map(({ recipientId }) => recipientId),
  );
  for (const one of conversions)
    facts.push({ figure: "conversions", ...placeOfConversion(one, mails), at: one.receivedAt.getTime(), count: 1 });
  return { facts, earnings: await earningsIn(of, conversions) };
}

export interface HappeningsAsked {
  workspaceId: string;
  campaignId: { $in: string[] };
  span: TimeSpan;
}

type Person = Pick<Recipient, "_id" | "campaignId">;

/**
 * The contacted people. Each counts at the first email that was sent to them; if none was sent, at the bounce of the
 * email that was refused.
 */
async function firstMails({ workspaceId, campaignId, span }: HappeningsAsked): Promise<Fact<Count>[]> {
  const { Recipient, Send } = scoped(workspaceId);
  const mailed = await Send.aggregate<{ _id: string }>(
    { campaignId, state: { $in: ["SENT", "BOUNCED"] }, sentAt: instantFilter(span) },
    { $group: { _id: "$recipientId" } },
  );
  const select = { $project: { campaignId: 1, lastSentAt: 1, bouncedAt: 1 } };
  type Contacted = Person & Pick<Recipient, "lastSentAt" | "bouncedAt">;
  const last = await Recipient.aggregate<Contacted>({ campaignId, lastSentAt: instantFilter(span) }, select);
  const refused = await Recipient.aggregate<Contacted>(
    { campaignId, bouncedAt: instantFilter(span), "bounce.type": "HARD", lastSentAt: null },
    select,
  );
  const peopleById = new Map([...last, ...refused].map((person) => [person._id, person]));
  const others = mailed.flatMap(({ _id }) => (_id === null || peopleById.has(_id) ? [] : [_id]));
  for (const { _id, campaignId: own, lastSentAt, bouncedAt } of await loadRecipients(workspaceId, others))
    peopleById.set(_id, { _id, campaignId: own, lastSentAt, bouncedAt });
  const mails = await mailsOfPeople(workspaceId, peopleById.keys());
  return [...peopleById.values()].flatMap(({ _id, campaignId: own, lastSentAt, bouncedAt }) => {
    const all = mails.get(_id) ?? [];
    const first = all.find(wentOut);
    // An email that soft bounced and waits to be sent again does not count as sent, but the person was contacted
    const at = first?.sentAt ?? lastSentAt ?? bouncedAt;
    return at === null || at < span.from || at >= span.to
      ? []
      : [{ figure: "reached" as const, ...mailPlaceOf(own, first ?? all[0]), at: at.getTime(), count: 1 }];
  });
}

const AT_ONCE = 1_000;

async function loadRecipients(workspaceId: string, ids: readonly string[]): Promise<Recipient[]> {
  const people: Recipient[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = { _id: trusted({ $in: ids.slice(from, from + AT_ONCE) }) };
    people.push(
      ...(await scoped(workspaceId).Recipient.find(some, { select: { campaignId: 1, lastSentAt: 1, bouncedAt: 1 } })),
    );
  }
  return people;
}

async function complaints({ workspaceId, campaignId, span }: HappeningsAsked): Promise<Fact<Count>[]> {
  const found = await scoped(workspaceId).Message.aggregate<{
    campaignId: string;
    stepId: string | null;
    variantId: string | null;
    sendId: string | null;
    recipientId: string | null;
    mailboxId: string;
    createdAt: Date;
  }>(
    { campaignId, kind: "COMPLAINT", createdAt: instantFilter(span) },
    { $project: { campaignId: 1, stepId: 1, variantId: 1, sendId: 1, recipientId: 1, mailboxId: 1, createdAt: 1 } },
  );
  const people = found.flatMap(({ recipientId }) => recipientId ?? []);
  const mails = await mailsOfPeople(workspaceId, people);
  return found.map(({ campaignId: own, recipientId, stepId, variantId, mailboxId, createdAt }) => {
    const mail = recipientId === null ? undefined : lastMailAt(mails.get(recipientId) ?? [], createdAt);
    const place = stepId === null ? mailPlaceOf(own, mail) : { campaignId: own, stepId, variantId, mailboxId };
    return { figure: "complained", ...place, at: createdAt.getTime(), count: 1 };
  });
}

async function meetings({ workspaceId, campaignId, span }: HappeningsAsked): Promise<Fact<Count>[]> {
  const booked = await scoped(workspaceId).Recipient.aggregate<Person & { at: Date }>(
    { campaignId, meetingBooked: true },
    // Documents of earlier versions may lack the instant
    { $project: { campaignId: 1, at: { $ifNull: ["$meetingBookedAt", "$reportedOutcome.at", "$createdAt"] } } },
    { $match: { at: instantFilter(span) } },
  );
  const mails = await mailsOfPeople(
    workspaceId,
    booked.map(({ _id }) => _id),
  );
  return booked.map(({ _id, campaignId: own, at }) => ({
    figure: "meetings",
    ...mailPlaceOf(own, lastMailAt(mails.get(_id) ?? [], at)),
    at: at.getTime(),
    count: 1,
  }));
}

type Converted = Pick<
  Conversion,
  "recipientId" | "campaignId" | "stepId" | "variantId" | "sendId" | "url" | "type" | "value" | "currency"
> & {
  receivedAt: Date;
};

/** The accepted conversions of a time span. Their events are found by time, and then the conversions by recipient. */
export async function conversionsIn({ workspaceId, campaignId, span }: HappeningsAsked): Promise<Converted[]> {
  const { ActivityEvent, Conversion } = scoped(workspaceId);
  const events = await ActivityEvent.aggregate<{ _id: string | null }>(
    { type: "CONVERTED", at: instantFilter(span), campaignId },
    { $group: { _id: "$recipientId" } },
  );
  const ids = events.flatMap(({ _id }) => _id ?? []);
  const found: Converted[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = {
      recipientId: trusted({ $in: ids.slice(from, from + AT_ONCE) }),
      status: "accepted",
      receivedAt: trusted(instantFilter(span)),
    };
    found.push(...(await Conversion.find(some)));
  }
  return found;
}

function placeOfConversion(
  { campaignId, recipientId, stepId, variantId }: Converted,
  mails: ReadonlyMap<string, OwnMail[]>,
): MailPlace {
  const mail = mails.get(recipientId)?.find((one) => one.stepId === stepId);
  return { campaignId, stepId, variantId, mailboxId: mail?.mailboxId ?? null };
}

/**
 * The part of the revenue that belongs to the time span, for people who purchased in it or whose revenue was set by
 * hand in it.
 */
async function earningsIn(
  { workspaceId, campaignId, span }: HappeningsAsked,
  conversions: readonly Converted[],
): Promise<Earning[]> {
  const { Conversion, Recipient } = scoped(workspaceId);
  const people = await Recipient.aggregate<{ _id: string }>(
    { campaignId, revenueAmount: { $gt: "" } },
    { $project: { at: TOLD_AT } },
    { $match: { at: instantFilter(span) } },
  );
  const buyers = conversions.flatMap(({ type, recipientId }) => (type === "PURCHASE" ? [recipientId] : []));
  const ids = [...new Set([...people.map(({ _id }) => _id), ...buyers])];
  const mails = await mailsOfPeople(workspaceId, ids);
  const earnings: Earning[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = { $in: ids.slice(from, from + AT_ONCE) };
    const bought = await Conversion.find({ recipientId: trusted(some), status: "accepted", type: "PURCHASE" });
    const byPerson = Map.groupBy(bought, ({ recipientId }) => recipientId);
    for (const person of await Recipient.aggregate<Earner>({ _id: some }, { $project: { ...EARNER, at: TOLD_AT } })) {
      const {
        _id,
        campaignId: own,
        revenueAmount: amount,
        revenueCurrency: currency,
        revenueCounted: counted,
        at: toldAt,
      } = person;
      if (amount === null || currency === null) continue;
      const purchases = (byPerson.get(_id) ?? []).map((row) => ({ ...row, at: row.receivedAt.getTime() }));
      for (const part of partsOfRevenue(
        { amount, currency, counted: counted ?? null, toldAt: toldAt.getTime() },
        purchases,
      )) {
        if (part.at < span.from.getTime() || part.at >= span.to.getTime()) continue;
        const mail = lastMailAt(mails.get(_id) ?? [], new Date(part.at));
        const place = part.purchase === null ? mailPlaceOf(own, mail) : placeOfConversion(part.purchase, mails);
        earnings.push({ ...place, at: part.at, currency, amount: part.amount });
      }
    }
  }
  return earnings;
}

type Earner = Person & Pick<Recipient, "revenueAmount" | "revenueCurrency" | "revenueCounted"> & { at: Date };
const EARNER = { campaignId: 1, revenueAmount: 1, revenueCurrency: 1, revenueCounted: 1 } as const;
/** When revenue was reported by hand. Documents of earlier versions lack the first field. */
const TOLD_AT = { $ifNull: ["$reportedOutcome.at", "$createdAt"] };
