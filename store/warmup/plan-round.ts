import pLimit from "p-limit";
import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import { bandOf } from "../../domain/mailboxes/band.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { answersOf, splitByShares } from "../../domain/warmup/enrolment.ts";
import { MetBefore } from "../../domain/warmup/met-before.ts";
import { hasPartner, type PlannedMailbox } from "../../domain/warmup/partners.ts";
import { type PlannedOpening, planOpenings } from "../../domain/warmup/plan.ts";
import { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupEnrolment } from "../../models/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { findCampaignSenders, groundOf, loadZone, targetOn, type WarmupGround } from "./ground.ts";
import { missWarmupMail } from "./settle.ts";
import { writeOpenings } from "./write-plan.ts";

/** Days over which it counts who met whom, the planned one among them. */
const MEETING_DAYS = 7;
const CHUNK = 1_000;
const NO_PARTNER = "NO_PARTNER";
const ACROSS = { acrossWorkspaces: true };
const writes = pLimit(8);

/** How many mails of a round are to be sent, and the workspaces where somebody has nobody to write to any more, or somebody again. */
export interface PlannedRound {
  mails: number;
  news: Set<string>;
}

/** ALL: the day of everybody; WAITING: what is left of it for whoever has started or changed since, or had no partner. */
export type PlanScope = "ALL" | "WAITING";

/**
 * Plans who writes to whom on this UTC day (rules/warmup 2) and books it. What is planned already stays, so a round that is repeated, or two
 * at once, plan nothing twice. `beat` is called all along.
 */
export async function planWarmupRound(scope: PlanScope, beat: () => void): Promise<PlannedRound> {
  const now = Date.now();
  const day = utcDay(now);
  const dayStart = Date.parse(`${day}T00:00:00.000Z`);
  const grounds = await loadGrounds(beat);
  const waits = ({ enrolment }: WarmupGround) => enrolment.replanAt !== null;
  if (scope === "WAITING" && !grounds.some(waits)) return { mails: 0, news: new Set() };
  // Whoever had nobody to write to may have somebody now
  const asked = grounds.filter((ground) => scope === "ALL" || waits(ground) || ground.enrolment.statusReason === NO_PARTNER);
  const isAsked = new Set(asked.map(({ mailbox }) => mailbox._id));
  const senders = new Set<string>();
  for (const some of chunksOf(grounds)) {
    for (const id of await findCampaignSenders(
      some.map(({ mailbox }) => mailbox._id),
      now,
    ))
      senders.add(id);
    beat();
  }
  const targets = new Map(grounds.map((ground) => [ground.mailbox._id, targetOn(ground, dayStart, senders.has(ground.mailbox._id))]));
  const counts = await countToday(day, new Map(grounds.map(({ mailbox }) => [mailbox._id, bandOf(mailbox)])));
  const planned = grounds.map((ground) => plannedOf(ground, targets.get(ground.mailbox._id) ?? 0, counts, isAsked.has(ground.mailbox._id)));
  const met = await loadMeetings(dayStart, beat);
  const openings: PlannedOpening[] = [];
  for (const page of planOpenings(day, planned, met)) {
    openings.push(...page);
    beat();
  }
  const surplusOf = new Map(asked.map((ground) => [ground.mailbox._id, -leftFor(ground, targets.get(ground.mailbox._id) ?? 0, counts)]));
  return write(day, asked, planned, targets, openings, surplusOf, beat);
}

async function write(
  day: string,
  asked: readonly WarmupGround[],
  planned: readonly PlannedMailbox[],
  targets: ReadonlyMap<string, number>,
  openings: readonly PlannedOpening[],
  surplusOf: ReadonlyMap<string, number>,
  beat: () => void,
): Promise<PlannedRound> {
  const bySender = Map.groupBy(openings, ({ from }) => from);
  const plannedOf = new Map(planned.map((one) => [one.mailboxId, one]));
  const emailOf = new Map((await addressesOf(openings.map(({ to }) => to))).map(({ _id, email }) => [_id, email]));
  const round: PlannedRound = { mails: 0, news: new Set() };
  await Promise.all(
    asked.map((ground) =>
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

/** Says when a mailbox has nobody to write to, and no longer when it has. Returns whether that is news. */
async function notePartner(workspaceId: string, mailboxId: string, isAlone: boolean): Promise<boolean> {
  const { WarmupEnrolment } = scoped(workspaceId);
  const before = isAlone ? null : NO_PARTNER;
  const statusReason = isAlone ? NO_PARTNER : null;
  return (await WarmupEnrolment.updateOne({ _id: mailboxId, status: "ACTIVE", statusReason: before }, { $set: { statusReason } })) > 0;
}

async function loadGrounds(beat: () => void): Promise<WarmupGround[]> {
  const enrolments = await WarmupEnrolment.find({ status: "ACTIVE" }, null, ACROSS).sort({ _id: 1 }).lean<WarmupEnrolment[]>();
  const zones = new Map<string, string>();
  const grounds: WarmupGround[] = [];
  for (const some of chunksOf(enrolments)) {
    const ids = some.map(({ _id }) => _id);
    const mailboxes = await Mailbox.find({ _id: trusted({ $in: ids }), status: "CONNECTED" }, null, ACROSS).lean<Mailbox[]>();
    const mailboxOf = new Map(mailboxes.map((mailbox) => [mailbox._id, mailbox]));
    for (const enrolment of some) {
      const mailbox = mailboxOf.get(enrolment._id);
      if (mailbox === undefined) continue;
      const { workspaceId } = enrolment;
      if (!zones.has(workspaceId)) zones.set(workspaceId, await loadZone(workspaceId));
      grounds.push(groundOf(enrolment, mailbox, zones.get(workspaceId) ?? "UTC"));
    }
    beat();
  }
  return grounds;
}

interface Counts {
  /** Numbers that are used up, and openings of them that were not missed; by sender. */
  used: Map<string, number>;
  opened: Map<string, number>;
  received: Map<string, number>;
  fromWeak: Map<string, number>;
}

async function countToday(day: string, bands: ReadonlyMap<string, string>): Promise<Counts> {
  const counts: Counts = { used: new Map(), opened: new Map(), received: new Map(), fromWeak: new Map() };
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1);
  const rows = WarmupMail.find({ kind: "OPENING", day }, { fromMailboxId: 1, toMailboxId: 1, state: 1 }).lean<WarmupMail[]>().cursor();
  for await (const { fromMailboxId, toMailboxId, state } of rows) {
    add(counts.used, fromMailboxId);
    if (state === "MISSED" || state === "FAILED") continue;
    add(counts.opened, fromMailboxId);
    add(counts.received, toMailboxId);
    const band = bands.get(fromMailboxId);
    if (band === "THROTTLED" || band === "QUARANTINED") add(counts.fromWeak, toMailboxId);
  }
  return counts;
}

function plannedOf({ enrolment, mailbox }: WarmupGround, target: number, counts: Counts, isAsked: boolean): PlannedMailbox {
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

/** Openings that are still to be planned; below zero when a target was lowered. */
function leftFor({ enrolment, mailbox }: Pick<WarmupGround, "enrolment" | "mailbox">, target: number, counts: Counts): number {
  return target - answersOf(target, enrolment.config.replyRate) - (counts.opened.get(mailbox._id) ?? 0);
}

/** Gives up openings of a day beyond a target that was lowered, the latest first. */
async function missSurplus(fromMailboxId: string, day: string, surplus: number): Promise<void> {
  if (surplus <= 0) return;
  const planned = WarmupMail.find({ fromMailboxId, day, kind: "OPENING", state: "PLANNED" }).sort({ dueAt: -1 }).limit(surplus);
  for (const mail of await planned.lean<WarmupMail[]>()) await missWarmupMail(mail);
}

/** Who met whom in the last seven days, by one index. A mail that was missed or refused is no meeting. */
async function loadMeetings(dayStart: number, beat: () => void): Promise<MetBefore> {
  const met = new MetBefore();
  const since = utcDay(dayStart - (MEETING_DAYS - 1) * DAY_MS);
  const rows = WarmupMail.find({ kind: "OPENING", day: trusted({ $gte: since }) }, { _id: 0, fromMailboxId: 1, toMailboxId: 1 })
    .lean<Pick<WarmupMail, "fromMailboxId" | "toMailboxId">[]>()
    .cursor();
  let read = 0;
  for await (const { fromMailboxId, toMailboxId } of rows) {
    met.add({ from: fromMailboxId, to: toMailboxId });
    if (++read % CHUNK === 0) beat();
  }
  return met;
}

async function addressesOf(mailboxIds: readonly string[]): Promise<Pick<Mailbox, "_id" | "email">[]> {
  const found: Pick<Mailbox, "_id" | "email">[] = [];
  for (const some of chunksOf([...new Set(mailboxIds)])) {
    found.push(...(await Mailbox.find({ _id: trusted({ $in: some }) }, { email: 1 }, ACROSS).lean<Pick<Mailbox, "_id" | "email">[]>()));
  }
  return found;
}

function* chunksOf<T>(all: readonly T[]): Generator<T[]> {
  for (let first = 0; first < all.length; first += CHUNK) yield all.slice(first, first + CHUNK);
}
