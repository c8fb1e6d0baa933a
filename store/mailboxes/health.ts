import { bandOf, type HealthCourse, isGraver, isShut, type MailboxHealth } from "../../domain/mailboxes/band.ts";
import { beginCourse } from "../../domain/mailboxes/health-course.ts";
import { byDay, countFacts, type FactDays, JUDGED_DAYS, mailsOf } from "../../domain/mailboxes/health-facts.ts";
import { type FoldedHealth, followHealth, type HealthChange } from "../../domain/mailboxes/health-fold.ts";
import { BAND_THRESHOLDS, type BandThresholds } from "../../domain/mailboxes/judge.ts";
import { scoreOf } from "../../domain/mailboxes/score.ts";
import { dayLimit } from "../../domain/sending/provider-limits.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";
import { revokeClaims } from "../sending/revoke.ts";
import { busiestDayOf, loadFactDays, takePoints } from "./facts.ts";
import { freeMailbox } from "./faults.ts";

/** The maximum number of days that a review covers after the program was stopped. */
const MOST_DAYS = 200;

/** The result of a review. */
export interface HealthReview {
  health: MailboxHealth;
  changes: HealthChange[];
  /**
   * Whether alerts about the mailbox may change, because its band changed or a person has set it since the last review.
   */
  isNews: boolean;
}

/**
 * Judges a mailbox by everything that has been counted until now, and applies the consequences (rules/health 2). Null
 * when the mailbox does not exist. A second call for the same instant changes nothing.
 */
export function judgeMailbox(workspaceId: string, mailboxId: string, now = new Date()): Promise<HealthReview | null> {
  return inTransaction(async () => {
    const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
    if (mailbox === null) {
      await scoped(workspaceId).MailboxFacts.updateMany({ mailboxId, isNew: true }, { $set: { isNew: false } });
      return null;
    }
    const before = mailbox.health ?? null;
    const at = nextReviewAt(now, before);
    const followed = await replayDays(mailbox, at, []);
    const isSetByPerson = before?.phase === "DECIDED" && before.reviewedAt.getTime() === before.since.getTime();
    return { ...(await storeHealth(mailbox, followed, null)), isNews: followed.changes.length > 0 || isSetByPerson };
  });
}

/**
 * Sets a mailbox to HEALTHY on behalf of a person (rules/health 2.5). Returns whether that changed anything. Call it in
 * a transaction.
 */
export async function setHealthy(mailbox: Mailbox, actor: string, now = new Date()): Promise<boolean> {
  if (bandOf(mailbox) === "HEALTHY") return false;
  const at = nextReviewAt(now, mailbox.health);
  await storeHealth(mailbox, await replayDays(mailbox, at, [at.getTime()]), actor);
  return true;
}

/** The instant of the next review, always later than the last one, even if the clocks of two machines differ. */
function nextReviewAt(now: Date, health: MailboxHealth | null): Date {
  return new Date(Math.max(now.getTime(), (health?.reviewedAt.getTime() ?? 0) + 1));
}

interface Followed {
  days: FactDays;
  course: HealthCourse;
  changes: HealthChange[];
  at: Date;
}

async function replayDays({ workspaceId, _id, health }: Mailbox, at: Date, decidedAt: number[]): Promise<Followed> {
  const since = Math.max(health?.reviewedAt.getTime() ?? at.getTime(), at.getTime() - MOST_DAYS * DAY_MS);
  const days = await takePoints(workspaceId, _id, new Date(since - JUDGED_DAYS * DAY_MS), at);
  const followed = followHealth(health ?? null, { days, decidedAt, until: at.getTime(), thresholds: BAND_THRESHOLDS });
  return { days, at, changes: followed.changes, course: followed.course ?? beginCourse(at.getTime()) };
}

/**
 * Stores the health of a mailbox. When the new band does not allow sending any more, claims are revoked. When it allows
 * more than before, waiting recipients are woken.
 */
async function storeHealth(mailbox: Mailbox, { days, at, course, changes }: Followed, actor: string | null) {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { Mailbox, MailboxHealthChange } = scoped(workspaceId);
  const facts = countFacts(days, at.getTime(), null);
  const score = scoreOf({ ...facts, sent: mailsOf(facts) }, facts);
  const health: MailboxHealth = { ...course, score, busiestDay: await stepBaseOf(mailbox, course, at) };
  // Written through the driver: the claim writes this document too, so a stop and a claim never both commit
  await Mailbox.changeOne({ _id: mailboxId }, { $set: { health, updatedAt: new Date() } });
  for (const change of changes) await MailboxHealthChange.insert({ _id: newId("mhc"), mailboxId, ...change, actor });
  if (isGraver(course.band, bandOf(mailbox)) && isShut(course.band))
    await revokeClaims(workspaceId, { mailboxIds: [mailboxId] });
  if (mayMore(mailbox.health ?? null, course)) await freeMailbox(workspaceId, mailboxId);
  if (changes.length > 0) await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "health" });
  return { health, changes };
}

/** Whether more campaign emails may be sent than before. */
function mayMore(before: HealthCourse | null, after: HealthCourse): boolean {
  const shareOf = ({ band, step }: HealthCourse) => (isShut(band) ? 0 : (step ?? 100));
  return before !== null && shareOf(after) > shareOf(before);
}

/**
 * The busiest day before the band, kept until the band ends. Days during the band do not show how much the mailbox can
 * send.
 */
async function stepBaseOf(mailbox: Mailbox, { termDays }: HealthCourse, at: Date): Promise<number | null> {
  if (termDays === null || dayLimit(mailbox) !== null) return null;
  return mailbox.health?.busiestDay || busiestDayOf(mailbox.workspaceId, mailbox._id, at);
}

/**
 * The health that the stored facts of a mailbox would have produced with these thresholds, up to its last review
 * (rules/health 3.3). Decisions by people are kept.
 */
export async function replayHealth(
  { workspaceId, _id: mailboxId, health }: Pick<Mailbox, "workspaceId" | "_id" | "health">,
  thresholds: BandThresholds,
): Promise<FoldedHealth> {
  const [facts, decided] = await Promise.all([
    loadFactDays(workspaceId, mailboxId, new Date(0)),
    scoped(workspaceId).MailboxHealthChange.find({ mailboxId, by: "PERSON" }, { select: { at: 1 } }),
  ]);
  const until = health?.reviewedAt.getTime() ?? Date.now();
  return followHealth(null, {
    days: byDay(facts),
    decidedAt: decided.map(({ at }) => at.getTime()),
    until,
    thresholds,
  });
}
