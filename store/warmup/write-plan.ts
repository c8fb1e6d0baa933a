import { drawFraction } from "../../domain/sending/pacing.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type Opening, utcDay } from "../../domain/time/schedule.ts";
import { openingsIn, spread } from "../../domain/warmup/day.ts";
import { answerAt, turnAfter, type WarmupWaits } from "../../domain/warmup/engagement.ts";
import { answersOf } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { nudge } from "../outbox.ts";
import { loadGround, type WarmupGround } from "./ground.ts";
import { openingId, replyId, sendKeyOf } from "./mails.ts";
import { keepRoom } from "./room.ts";
import { takeWarmupSlots } from "./slots.ts";
import { wakesBefore } from "./turn.ts";

/** Nothing is planned for the next few milliseconds, so that the workflow receives the plan in time. */
const SOON_MS = 5_000;
/** How many days ahead a slot for a reply is searched. */
const ANSWER_DAYS = 3;

/** The receiver of a planned email. */
export interface Partner {
  workspaceId: string;
  mailboxId: string;
  email: string;
}

/**
 * Plans a mailbox's openings of a UTC day. Each gets a warmup email and a send with its slot; an opening without a slot
 * is MISSED. Earlier plans do not change. Nothing is planned for a mailbox whose warmup has stopped meanwhile, because
 * both write the enrolment. Call it in a transaction. Returns how many emails will be sent.
 */
export async function writeOpenings(
  { mailbox, hours, enrolment }: WarmupGround,
  day: string,
  openings: readonly { number: number; partner: Partner }[],
  target: number,
): Promise<number> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const active = await stillActive(workspaceId, mailboxId, target);
  if (active === null) return 0;
  const ids = new Map(openings.map((opening) => [openingId(day, mailboxId, opening.number), opening]));
  const existingMails = await WarmupMail.find(
    { _id: trusted({ $in: [...ids.keys()] }) },
    { _id: 1 },
    sessionOption(),
  ).lean<{ _id: string }[]>();
  for (const { _id } of existingMails) ids.delete(_id);
  const rows = [...ids].map(([_id, { partner }]) => ({ _id, sendId: newId("snd"), partner }));
  const stretches = rows.length === 0 ? [] : leftOf(day, (from, until) => openingsIn(hours, from, until));
  const draws = rows.map(({ _id }) => drawFraction(`slot ${_id}`));
  const times = spread(stretches, draws);
  const wanted = rows.flatMap(({ sendId }, index) =>
    times[index] === undefined ? [] : [{ sendId, at: times[index] }],
  );
  const slots = await takeWarmupSlots(mailbox, day, wanted, stretches);
  const mails = rows.map(({ _id, sendId, partner }) => {
    const slotAt = slots.get(sendId) ?? null;
    const chain = {
      kind: "OPENING",
      answers: null,
      opening: _id,
      turn: 1,
      language: enrolment.config.language,
    } as const;
    return { ...warmupMailRow({ _id, sendId, mailbox, partner, day, slotAt }), ...chain };
  });
  await insertMails(workspaceId, mails);
  const first = Math.min(...[...slots.values()].map((slotAt) => slotAt.getTime()));
  // A workflow that has not made its first check yet finds the plan without a signal
  if (slots.size > 0 && active.wakeAt !== null && !wakesBefore(active, first)) {
    await nudge(workspaceId, "WARMUP", { mailboxId, signal: "changed" });
  }
  return slots.size;
}

/**
 * Returns the enrolment if it is still active. It is written as well, so that this conflicts with everything that stops
 * or pauses the warmup.
 */
async function stillActive(workspaceId: string, mailboxId: string, target: number): Promise<WarmupEnrolment | null> {
  const planned = { dailyLimit: target, replanAt: null };
  const active = await scoped(workspaceId).WarmupEnrolment.findOneAndUpdate(
    { _id: mailboxId, status: "ACTIVE" },
    { $set: planned },
  );
  if (active !== null) await keepRoom(workspaceId, mailboxId, target);
  return active;
}

/**
 * Schedules the warmup reply to an email that was read, unless the mailbox has already sent its replies of the day. Call it in
 * the transaction that records the reading.
 */
export async function planAnswer(mail: WarmupMail, read: Date, waits: WarmupWaits): Promise<boolean> {
  const ground = await loadGround(mail.toWorkspaceId, mail.toMailboxId);
  if (ground === null || ground.enrolment.status !== "ACTIVE") return false;
  const { mailbox, hours, enrolment } = ground;
  const turn = turnAfter(mail.turn);
  if (turn === null) return false;
  const _id = replyId(mail._id);
  if ((await WarmupMail.exists({ _id }).session(sessionOption().session ?? null)) !== null) return false;
  const earliest = answerAt(mail._id, read.getTime(), hours, waits);
  const budget = Math.max(1, answersOf(enrolment.dailyLimit, enrolment.config.replyRate));
  const partner = { workspaceId: mail.fromWorkspaceId, mailboxId: mail.fromMailboxId, email: mail.fromAddress };
  const chain = { kind: "REPLY", answers: mail._id, opening: mail.opening, turn, language: mail.language } as const;
  for (let ahead = 0; ahead < ANSWER_DAYS; ahead++) {
    const dayStart = (Math.floor(earliest / DAY_MS) + ahead) * DAY_MS;
    const day = utcDay(dayStart);
    const stretches = openingsIn(hours, Math.max(earliest, dayStart), dayStart + DAY_MS);
    const [first] = stretches;
    if (first === undefined || (await countAnswers(mailbox._id, day)) >= budget) continue;
    const sendId = newId("snd");
    const slotAt = (await takeWarmupSlots(mailbox, day, [{ sendId, at: first.at }], stretches)).get(sendId);
    if (slotAt === undefined) continue;
    await insertMails(mailbox.workspaceId, [
      { ...warmupMailRow({ _id, sendId, mailbox, partner, day, slotAt }), ...chain },
    ]);
    return true;
  }
  return false;
}

function countAnswers(fromMailboxId: string, day: string): Promise<number> {
  return WarmupMail.countDocuments(
    { fromMailboxId, day, kind: "REPLY", state: trusted({ $ne: "MISSED" as const }) },
    sessionOption(),
  );
}

function leftOf(day: string, openings: (from: number, until: number) => Opening[]): Opening[] {
  const start = Date.parse(`${day}T00:00:00.000Z`);
  return openings(Math.max(start, Date.now() + SOON_MS), start + DAY_MS);
}

function warmupMailRow(planned: {
  _id: string;
  sendId: string;
  mailbox: Mailbox;
  partner: Partner;
  day: string;
  slotAt: Date | null;
}) {
  const { _id, sendId, mailbox, partner, day, slotAt } = planned;
  return {
    _id,
    day,
    fromWorkspaceId: mailbox.workspaceId,
    fromMailboxId: mailbox._id,
    fromAddress: mailbox.email,
    toWorkspaceId: partner.workspaceId,
    toMailboxId: partner.mailboxId,
    toAddress: partner.email,
    dueAt: slotAt ?? new Date(),
    sendId,
    state: slotAt === null ? ("MISSED" as const) : ("PLANNED" as const),
  };
}

type NewMail = ReturnType<typeof warmupMailRow> &
  Pick<WarmupMail, "kind" | "answers" | "opening" | "turn" | "language">;

/** Stores warmup emails, and the sends of those that have a slot. */
async function insertMails(workspaceId: string, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  await WarmupMail.insertMany(mails, sessionOption());
  const booked = mails.filter(({ state }) => state === "PLANNED");
  await scoped(workspaceId).Send.storeAll(
    booked.map(({ _id, sendId, fromMailboxId, toAddress, day, dueAt }) => {
      const key = { kind: "WARMUP", sendKey: sendKeyOf(_id) } as const;
      return { _id: sendId, ...key, mailboxId: fromMailboxId, to: toAddress, state: "RESERVED", slotAt: dueAt, day };
    }),
  );
}
