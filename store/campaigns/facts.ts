import type { Fact, Figure } from "../../domain/campaigns/figures.ts";
import { NEVER, type Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { lastMailAt, mailPlaceOf, mailsOfPeople, type OwnMail } from "./mails-of-people.ts";

/** Instants from `from` up to but excluding `to`. */
export interface TimeSpan {
  from: Date;
  to: Date;
}

/**
 * Everything that is counted for campaigns, each fact with the email it belongs to (rules/campaigns 6.3). There are
 * facts of emails and facts of people. With a time span, only facts within it. Call it in a transaction, so that all
 * facts are of one instant.
 */
export async function loadFacts(
  workspaceId: string,
  campaignIds: readonly string[],
  span: TimeSpan | null = null,
): Promise<Fact[]> {
  const campaignId = { $in: [...campaignIds] };
  return [
    ...(await factsOfMails(workspaceId, campaignId, span)),
    ...(await factsOfPeople(workspaceId, campaignId, span)),
  ];
}

type InCampaigns = { $in: string[] };

/** A filter for a date field: within the span, or set at all when the span is null. */
export function instantFilter(span: TimeSpan | null): { $gte: Date; $lt: Date } | { $gt: Date } {
  return span === null ? { $gt: NEVER } : { $gte: span.from, $lt: span.to };
}

interface MailCount {
  _id: {
    campaignId: string;
    state: string;
    stepId: string | null;
    variantId: string | null;
    mailboxId: string | null;
    at: Date | null;
  };
  count: number;
}

/**
 * The UTC offsets of all zones are multiples of this, so every span of this length lies within one hour of every zone.
 */
const SPAN_MINUTES = 15;

/** Counts emails from an index alone, because a campaign may have a million of them. */
async function factsOfMails(workspaceId: string, campaignId: InCampaigns, span: TimeSpan | null): Promise<Fact[]> {
  const at = { $dateTrunc: { date: "$sentAt", unit: "minute", binSize: SPAN_MINUTES } };
  const place = {
    campaignId: "$campaignId",
    state: "$state",
    stepId: "$stepId",
    variantId: "$variantId",
    mailboxId: "$mailboxId",
  };
  const counts = await scoped(workspaceId).Send.aggregate<MailCount>(
    { campaignId, state: { $in: ["SENT", "BOUNCED"] }, ...(span !== null && { sentAt: instantFilter(span) }) },
    { $group: { _id: { ...place, at }, count: { $sum: 1 } } },
  );
  return counts.flatMap(({ _id: { state, at, ...place }, count }) => {
    const figures: Figure[] = state === "SENT" ? ["contacted", "sent", "delivered"] : ["contacted", "sent"];
    return figures.map((figure) => ({ figure, ...place, at: at?.getTime() ?? null, count }));
  });
}

type Person = Pick<Recipient, "_id" | "campaignId"> & { at: Date };
type FieldOfFact =
  | "openedAt"
  | "proxyOpenedAt"
  | "clickedAt"
  | "repliedAt"
  | "autoRepliedAt"
  | "unsubscribedAt"
  | "bouncedAt";

async function factsOfPeople(workspaceId: string, campaignId: InCampaigns, span: TimeSpan | null): Promise<Fact[]> {
  const { Recipient } = scoped(workspaceId);
  const findHaving = (field: FieldOfFact, match: object = {}) =>
    Recipient.aggregate<Person>(
      { campaignId, [field]: instantFilter(span), ...match },
      { $project: { campaignId: 1, at: `$${field}` } },
    );
  const opened = await findHaving("openedAt");
  const proxyOpened = await findHaving("proxyOpenedAt");
  const clicked = await findHaving("clickedAt");
  const replied = await findHaving("repliedAt");
  const autoReplied = await findHaving("autoRepliedAt");
  const unsubscribed = await findHaving("unsubscribedAt");
  const bounced = await findHaving("bouncedAt", { "bounce.type": "HARD" });
  const positive = await positiveOf(workspaceId, campaignId, span, replied);
  const everybody = [opened, proxyOpened, clicked, replied, autoReplied, unsubscribed, bounced, positive].flat();
  const mails = await mailsOfPeople(
    workspaceId,
    everybody.map(({ _id }) => _id),
  );
  const mailsOfPerson = ({ _id }: Person) => mails.get(_id) ?? [];
  const factsOf = (
    figure: Figure,
    people: readonly Person[],
    mailOf: (person: Person) => OwnMail | undefined,
  ): Fact[] =>
    people.map((person) => ({
      figure,
      ...mailPlaceOf(person.campaignId, mailOf(person)),
      at: person.at.getTime(),
      count: 1,
    }));
  const firstBy = (field: "openedAt" | "proxyOpenedAt" | "clickedAt") => (person: Person) =>
    mailsOfPerson(person).reduce<OwnMail | undefined>(
      (first, mail) => (isEarlier(mail[field], first?.[field]) ? mail : first),
      undefined,
    ) ?? lastMailAt(mailsOfPerson(person), person.at);
  const answers = await answeredSteps(workspaceId, campaignId, span);
  const answeredBy = (type: "REPLIED" | "AUTO_REPLIED") => (person: Person) => {
    const stepId = answers.get(answerKey(type, person));
    return (
      mailsOfPerson(person).find((mail) => stepId !== undefined && mail.stepId === stepId) ??
      lastMailAt(mailsOfPerson(person), person.at)
    );
  };
  const refusedMail = (person: Person) =>
    mailsOfPerson(person).find(({ state, failure }) => state === "FAILED" && isHardBounce(failure));
  const backMail = (person: Person) =>
    refusedMail(person) ?? mailsOfPerson(person).findLast(({ state }) => state === "BOUNCED");
  return [
    ...factsOf("opened", opened, firstBy("openedAt")),
    ...factsOf("proxyOpened", proxyOpened, firstBy("proxyOpenedAt")),
    ...factsOf("clicked", clicked, firstBy("clickedAt")),
    ...factsOf("replied", replied, answeredBy("REPLIED")),
    ...factsOf("autoReplied", autoReplied, answeredBy("AUTO_REPLIED")),
    ...factsOf("positiveReplies", positive, answeredBy("REPLIED")),
    ...factsOf("unsubscribed", unsubscribed, (person) => lastMailAt(mailsOfPerson(person), person.at)),
    ...factsOf("bounced", bounced, (person) => backMail(person) ?? lastMailAt(mailsOfPerson(person), person.at)),
    // A recipient that was refused in the SMTP dialogue was contacted, though no email was sent (rules/campaigns 6.2)
    ...factsOf(
      "contacted",
      bounced.filter((person) => refusedMail(person) !== undefined),
      refusedMail,
    ),
  ];
}

function isHardBounce(failure: OwnMail["failure"]): boolean {
  return failure?.reason === "HARD_BOUNCE";
}

function isEarlier(at: Date | null | undefined, than: Date | null | undefined): boolean {
  // Documents of earlier versions lack the fields
  return at instanceof Date && (!(than instanceof Date) || at < than);
}

/**
 * The step that each reply answered, by recipient and instant of the reply. If two replies share an instant, the first
 * one counts.
 */
async function answeredSteps(
  workspaceId: string,
  campaignId: InCampaigns,
  span: TimeSpan | null,
): Promise<Map<string, string>> {
  const steps = new Map<string, string>();
  for (const type of ["REPLIED", "AUTO_REPLIED"] as const) {
    const events = await scoped(workspaceId).ActivityEvent.aggregate<{
      recipientId: string;
      at: Date;
      stepId?: string | null;
    }>(
      { campaignId, type, ...(span !== null && { at: instantFilter(span) }) },
      { $sort: { _id: 1 } },
      { $project: { recipientId: 1, at: 1, stepId: "$data.stepId" } },
    );
    for (const { recipientId, at, stepId } of events) {
      const key = answerKey(type, { _id: recipientId, at });
      if (stepId && !steps.has(key)) steps.set(key, stepId);
    }
  }
  return steps;
}

function answerKey(type: string, { _id, at }: Pick<Person, "_id" | "at">): string {
  return `${type} ${_id} ${at.getTime()}`;
}

/**
 * The people whose newest categorised reply is positive, at the instant of their first reply. Someone without a counted
 * reply, for example when an automatic reply was marked positive, counts at the start of the thread.
 */
async function positiveOf(
  workspaceId: string,
  campaignId: InCampaigns,
  span: TimeSpan | null,
  repliers: readonly Person[],
): Promise<Person[]> {
  const { Recipient, Thread } = scoped(workspaceId);
  const threads = await Thread.aggregate<{ _id: string; campaignId: string; at: Date }>(
    { campaignId, sentiment: "POSITIVE", recipientId: { $gt: "" } },
    { $group: { _id: "$recipientId", campaignId: { $first: "$campaignId" }, at: { $min: "$createdAt" } } },
  );
  const peopleById = new Map(repliers.map((person) => [person._id, person]));
  const others = threads.filter(
    ({ _id, at }) => !peopleById.has(_id) && (span === null || (at >= span.from && at < span.to)),
  );
  const silent =
    others.length === 0
      ? []
      : await Recipient.find({ _id: trusted({ $in: others.map(({ _id }) => _id) }), repliedAt: null });
  const silentIds = new Set(silent.map(({ _id }) => _id));
  return [
    ...threads.flatMap(({ _id }) => peopleById.get(_id) ?? []),
    ...others.filter(({ _id }) => silentIds.has(_id)),
  ];
}
