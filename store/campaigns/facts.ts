import type { Fact, Figure } from "../../domain/campaigns/figures.ts";
import { NEVER, type Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/**
 * Everything that is counted of a campaign, each with the step and variant it belongs to (rules/campaigns 6.3): of mails, and of people,
 * whose replies and bounces are fewer. Call it in a transaction, so that it is one picture.
 */
export async function loadFacts(workspaceId: string, campaignId: string): Promise<Fact[]> {
  return [...(await factsOfMails(workspaceId, campaignId)), ...(await factsOfPeople(workspaceId, campaignId))];
}

interface MailCount {
  _id: { state: string; stepId: string | null; variantId: string | null; at: Date | null };
  count: number;
}

/** The offsets of all zones are multiples of this, so every span lies within one day of every zone. */
const SPAN_MINUTES = 15;

/** Read from an index alone: a campaign may have a million mails. */
async function factsOfMails(workspaceId: string, campaignId: string): Promise<Fact[]> {
  const at = { $dateTrunc: { date: "$sentAt", unit: "minute", binSize: SPAN_MINUTES } };
  const counts = await scoped(workspaceId).Send.aggregate<MailCount>(
    { campaignId, state: { $in: ["SENT", "BOUNCED"] } },
    { $group: { _id: { state: "$state", stepId: "$stepId", variantId: "$variantId", at }, count: { $sum: 1 } } },
  );
  return counts.flatMap(({ _id: { state, stepId, variantId, at }, count }) => {
    const figures: Figure[] = state === "SENT" ? ["contacted", "sent", "delivered"] : ["contacted", "sent"];
    return figures.map((figure) => ({ figure, stepId, variantId, at: at?.getTime() ?? null, count }));
  });
}

/** A mail that a fact names. */
interface Named {
  stepId: string | null;
  variantId: string | null;
}

type Person = Pick<Recipient, "_id" | "currentStepId" | "nextStepId" | "lastSentAt" | "variantByStep">;

async function factsOfPeople(workspaceId: string, campaignId: string): Promise<Fact[]> {
  const { ActivityEvent, Recipient } = scoped(workspaceId);
  const answered = async (type: string) => {
    const told = await ActivityEvent.aggregate<{ _id: string; stepId: string | null }>(
      { campaignId, type },
      { $sort: { at: 1 } },
      { $group: { _id: "$recipientId", stepId: { $first: "$data.stepId" } } },
    );
    return new Map(told.map(({ _id, stepId }) => [_id, { stepId, variantId: null }]));
  };
  const replies = await answered("REPLIED");
  const autoReplies = await answered("AUTO_REPLIED");
  const cameBack = await bouncesOf(workspaceId, campaignId);
  const having = async (field: FieldOfFact, match: object = {}) =>
    Recipient.aggregate<Person & { at: Date }>(
      { campaignId, [field]: { $gt: NEVER }, ...match },
      { $project: { at: `$${field}`, currentStepId: 1, nextStepId: 1, lastSentAt: 1, variantByStep: 1 } },
    );
  const facts: Fact[] = [];
  const count = (figure: Figure, people: (Person & { at: Date })[], named: ReadonlyMap<string, Named>) => {
    for (const person of people)
      facts.push({ figure, ...mailOf(person, named.get(person._id) ?? null), at: person.at.getTime(), count: 1 });
  };
  const firsts = await firstMails(workspaceId, campaignId);
  count("opened", await having("openedAt"), firsts.openedAt);
  count("proxyOpened", await having("proxyOpenedAt"), firsts.proxyOpenedAt);
  count("clicked", await having("clickedAt"), firsts.clickedAt);
  const repliers = await having("repliedAt");
  count("replied", repliers, replies);
  count("autoReplied", await having("autoRepliedAt"), autoReplies);
  count("positiveReplies", await positiveOf(workspaceId, campaignId, repliers), replies);
  count("unsubscribed", await having("unsubscribedAt"), NONE);
  const bounced = await having("bouncedAt", { "bounce.type": "HARD" });
  count("bounced", bounced, cameBack.all);
  // Whoever was refused within the SMTP dialogue was contacted, though no mail was sent (rules/campaigns 6.2)
  count(
    "contacted",
    bounced.filter(({ _id }) => cameBack.refused.has(_id)),
    cameBack.refused,
  );
  return facts;
}

type FieldOfFact = "openedAt" | "proxyOpenedAt" | "clickedAt" | "repliedAt" | "autoRepliedAt" | "unsubscribedAt" | "bouncedAt";
const NONE: ReadonlyMap<string, Named> = new Map();

/** The mail that a fact of a person belongs to: the named one, else the last one that was sent, else the one that would have been. */
function mailOf({ currentStepId, nextStepId, lastSentAt, variantByStep }: Person, named: Named | null): Named {
  const stepId = named?.stepId ?? currentStepId ?? (lastSentAt === null ? nextStepId : null);
  return { stepId, variantId: named?.variantId ?? (stepId === null ? null : (variantByStep[stepId] ?? null)) };
}

/** The mail that each person opened or clicked first. */
async function firstMails(workspaceId: string, campaignId: string) {
  const mails = await scoped(workspaceId).Send.find(
    { campaignId, $or: [{ "tracking.opens": true }, { "tracking.clicks": true }] },
    { select: { recipientId: 1, stepId: 1, variantId: 1, openedAt: 1, proxyOpenedAt: 1, clickedAt: 1 } },
  );
  const firstBy = (field: "openedAt" | "proxyOpenedAt" | "clickedAt") => {
    const first = new Map<string, Named & { at: Date }>();
    for (const { recipientId, stepId, variantId, [field]: at } of mails) {
      const known = first.get(recipientId ?? "");
      if (at && recipientId !== null && (known === undefined || at < known.at)) first.set(recipientId, { stepId, variantId, at });
    }
    return first;
  };
  return { openedAt: firstBy("openedAt"), proxyOpenedAt: firstBy("proxyOpenedAt"), clickedAt: firstBy("clickedAt") };
}

/** The mail of each person that came back, and those of them that never went out. */
async function bouncesOf(workspaceId: string, campaignId: string) {
  const { Send } = scoped(workspaceId);
  const select = { $project: { recipientId: 1, stepId: 1, variantId: 1 } };
  type Back = Named & { recipientId: string };
  const returned = await Send.aggregate<Back>({ campaignId, state: "BOUNCED" }, select);
  const refused = await Send.aggregate<Back>({ campaignId, state: "FAILED", "failure.reason": "HARD_BOUNCE" }, select);
  const byPerson = (rows: Back[]) => new Map(rows.map(({ recipientId, stepId, variantId }) => [recipientId, { stepId, variantId }]));
  return { all: byPerson([...returned, ...refused]), refused: byPerson(refused) };
}

/** The people whose newest categorised reply is positive, from the instant of their first reply on. */
async function positiveOf(workspaceId: string, campaignId: string, repliers: (Person & { at: Date })[]) {
  const { Recipient, Thread } = scoped(workspaceId);
  const positive = { campaignId, sentiment: "POSITIVE", recipientId: { $gt: "" } };
  const people = await Thread.aggregate<{ _id: string; at: Date }>(positive, {
    $group: { _id: "$recipientId", at: { $min: "$lastMessageAt" } },
  });
  const known = new Map(repliers.map((person) => [person._id, person]));
  const others = new Map(people.flatMap(({ _id, at }) => (known.has(_id) ? [] : [[_id, at] as const])));
  const read = others.size === 0 ? [] : await Recipient.find({ _id: trusted({ $in: [...others.keys()] }) });
  return [
    ...people.flatMap(({ _id }) => known.get(_id) ?? []),
    ...read.map((recipient) => ({ ...recipient, at: others.get(recipient._id) ?? recipient.updatedAt })),
  ];
}
