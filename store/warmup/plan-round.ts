import pLimit from "p-limit";
import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import { bandOf } from "../../domain/mailboxes/band.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { answersOf, splitByShares } from "../../domain/warmup/enrolment.ts";
import { hasPartner, type PlannedMailbox } from "../../domain/warmup/partners.ts";
import { type PlannedOpening, planOpenings } from "../../domain/warmup/plan.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { findCampaignSenders, targetOn, type WarmupGround } from "./ground.ts";
import { type CountsOfDay, chunksOf, countToday, loadAddresses, loadGrounds, loadMeetings } from "./plan-reads.ts";
import { missWarmupMail } from "./settle.ts";
import { writeOpenings } from "./write-plan.ts";

const NO_PARTNER = "NO_PARTNER";
const writes = pLimit(8);

/**
 * How many emails of a round will be sent, and the workspaces in which a mailbox has lost its last partner or found
 * one.
 */
export interface PlannedRound {
  mails: number;
  news: Set<string>;
}

/**
 * ALL: the day of all mailboxes; WAITING: the rest of the day for mailboxes that have started or changed since, or had
 * no partner.
 */
export type PlanScope = "ALL" | "WAITING";

/**
 * Plans which mailbox sends to which on this UTC day (rules/warmup 2), and books the emails. Existing plans are kept,
 * so a repeated or concurrent round plans nothing twice. `beat` is called from time to time.
 */
export async function planWarmupRound(scope: PlanScope, beat: () => void): Promise<PlannedRound> {
  const now = Date.now();
  const day = utcDay(now);
  const dayStart = Date.parse(`${day}T00:00:00.000Z`);
  const grounds = await loadGrounds(beat);
  const waits = ({ enrolment }: WarmupGround) => enrolment.replanAt !== null;
  if (scope === "WAITING" && !grounds.some(waits)) return { mails: 0, news: new Set() };
  // A mailbox that had no partner may have one now
  const writers = grounds.filter(
    (ground) => scope === "ALL" || waits(ground) || ground.enrolment.statusReason === NO_PARTNER,
  );
  const isAsked = new Set(writers.map(({ mailbox }) => mailbox._id));
  const senders = new Set<string>();
  for (const some of chunksOf(grounds)) {
    for (const id of await findCampaignSenders(
      some.map(({ mailbox }) => mailbox._id),
      now,
    ))
      senders.add(id);
    beat();
  }
  const targets = new Map(
    grounds.map((ground) => [ground.mailbox._id, targetOn(ground, dayStart, senders.has(ground.mailbox._id))]),
  );
  const counts = await countToday(day, new Map(grounds.map(({ mailbox }) => [mailbox._id, bandOf(mailbox)])));
  const planned = grounds.map((ground) =>
    plannedOf(ground, targets.get(ground.mailbox._id) ?? 0, counts, isAsked.has(ground.mailbox._id)),
  );
  const met = await loadMeetings(dayStart, [...isAsked], beat);
  const openings: PlannedOpening[] = [];
  for (const page of planOpenings(day, planned, met)) {
    openings.push(...page);
    beat();
  }
  const surplusOf = new Map(
    writers.map((ground) => [ground.mailbox._id, -leftFor(ground, targets.get(ground.mailbox._id) ?? 0, counts)]),
  );
  return writePlans(day, writers, planned, targets, openings, surplusOf, beat);
}

async function writePlans(
  day: string,
  writers: readonly WarmupGround[],
  planned: readonly PlannedMailbox[],
  targets: ReadonlyMap<string, number>,
  openings: readonly PlannedOpening[],
  surplusOf: ReadonlyMap<string, number>,
  beat: () => void,
): Promise<PlannedRound> {
  const bySender = Map.groupBy(openings, ({ from }) => from);
  const plannedOf = new Map(planned.map((one) => [one.mailboxId, one]));
  const emailOf = await loadAddresses(openings.map(({ to }) => to));
  const round: PlannedRound = { mails: 0, news: new Set() };
  await Promise.all(
    writers.map((ground) =>
      writes(async () => {
        const { _id: mailboxId, workspaceId } = ground.mailbox;
        const own = (bySender.get(mailboxId) ?? []).flatMap(({ number, to }) => {
          const [partner, email] = [plannedOf.get(to), emailOf.get(to)];
          if (partner === undefined || email === undefined) return [];
          return [{ number, partner: { workspaceId: partner.workspaceId, mailboxId: to, email } }];
        });
        const mails = await inTransaction(() => writeOpenings(ground, day, own, targets.get(mailboxId) ?? 0));
        round.mails += mails;
        await missSurplus(mailboxId, day, surplusOf.get(mailboxId) ?? 0);
        const one = plannedOf.get(mailboxId);
        const isAlone = own.length === 0 && one !== undefined && one.target > 0 && !hasPartner(one, planned);
        if (await notePartner(workspaceId, mailboxId, isAlone)) round.news.add(workspaceId);
        beat();
      }),
    ),
  );
  return round;
}

/** Records that a mailbox has no partner, or has one again. Returns whether that has changed. */
async function notePartner(workspaceId: string, mailboxId: string, isAlone: boolean): Promise<boolean> {
  const { WarmupEnrolment } = scoped(workspaceId);
  const before = isAlone ? null : NO_PARTNER;
  const statusReason = isAlone ? NO_PARTNER : null;
  return (
    (await WarmupEnrolment.updateOne(
      { _id: mailboxId, status: "ACTIVE", statusReason: before },
      { $set: { statusReason } },
    )) > 0
  );
}

function plannedOf(
  { enrolment, mailbox }: WarmupGround,
  target: number,
  counts: CountsOfDay,
  isAsked: boolean,
): PlannedMailbox {
  const id = mailbox._id;
  const left = leftFor({ enrolment, mailbox }, target, counts);
  const openings = isAsked && left > 0 ? splitByShares(left, enrolment.pools) : [];
  return {
    mailboxId: id,
    workspaceId: mailbox.workspaceId,
    organisation: organisationOf(domainOf(mailbox.email)),
    provider: mailbox.provider,
    band: bandOf(mailbox),
    target,
    openings: openings.map(({ type, count }) => ({ pool: type, count })),
    pools: enrolment.pools.map(({ type }) => type),
    planned: counts.used.get(id) ?? 0,
    received: counts.received.get(id) ?? 0,
    receivedFromWeak: counts.fromWeak.get(id) ?? 0,
  };
}

/** How many openings must still be planned; negative when the target was lowered. */
function leftFor(
  { enrolment, mailbox }: Pick<WarmupGround, "enrolment" | "mailbox">,
  target: number,
  counts: CountsOfDay,
): number {
  return target - answersOf(target, enrolment.config.replyRate) - (counts.opened.get(mailbox._id) ?? 0);
}

/** Gives up the openings of a day that exceed a lowered target, the latest first. */
async function missSurplus(fromMailboxId: string, day: string, surplus: number): Promise<void> {
  if (surplus <= 0) return;
  const planned = WarmupMail.find({ fromMailboxId, day, kind: "OPENING", state: "PLANNED" })
    .sort({ dueAt: -1 })
    .limit(surplus);
  for (const mail of await planned.lean<WarmupMail[]>()) await missWarmupMail(mail);
}
