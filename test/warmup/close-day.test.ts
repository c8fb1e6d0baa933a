import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Band } from "../../domain/mailboxes/band.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { WarmupConfig } from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { closeDay } from "../../store/warmup/close-day.ts";
import { moveWarmup } from "../../store/warmup/enrol.ts";
import { loadGround } from "../../store/warmup/ground.ts";
import { startWorld, type World } from "../support/world.ts";
import { enrolled, mailNow, plant } from "./planted.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const dayAgo = (days: number) => utcDay(Date.now() - days * DAY_MS);
const ago = (ms: number) => new Date(Date.now() - ms);

/** A mailbox of UTC whose day before yesterday was closed last. */
async function warming(fields: Partial<WarmupEnrolment> = {}, config: Partial<WarmupConfig> = {}): Promise<Mailbox> {
  const mailbox = await enrolled(world, "ann@a.test", config);
  const closed = { closedDay: dayAgo(2), startedAt: ago(5 * DAY_MS), dayNumber: 5, ...fields };
  await scoped(mailbox.workspaceId).WarmupEnrolment.updateOne({ _id: mailbox._id }, { $set: closed });
  return mailbox;
}

async function close({ workspaceId, _id }: Mailbox): Promise<void> {
  const ground = await loadGround(workspaceId, _id);
  if (ground !== null) await closeDay(ground);
}

const enrolment = async ({ workspaceId, _id }: Mailbox) => scoped(workspaceId).WarmupEnrolment.get(_id);
const stored = async ({ workspaceId, _id }: Mailbox) => scoped(workspaceId).Mailbox.get(_id);

async function healthOf({ workspaceId, _id }: Mailbox, band: Band, score: number | null): Promise<void> {
  const none = { measure: null, numerator: null, denominator: null, threshold: null };
  const course = {
    phase: "FREE",
    band,
    since: ago(1),
    until: null,
    step: null,
    cameFrom: null,
    termDays: null,
    factsSince: null,
  } as const;
  const reviews = { stepSince: null, reviewedAt: ago(1), nextReviewAt: new Date(), score, busiestDay: null };
  await scoped(workspaceId).Mailbox.updateOne({ _id }, { $set: { health: { ...course, ...none, ...reviews } } });
}

test("a warmup day is closed once: the ramp advances by one day, the day records the score, and closing again changes nothing", async () => {
  const mailbox = await warming();
  await healthOf(mailbox, "HEALTHY", 91);
  await Promise.all([close(mailbox), close(mailbox)]);
  await close(mailbox);
  expect(await enrolment(mailbox)).toMatchObject({ dayNumber: 6, closedDay: dayAgo(1) });
  const days = await scoped(mailbox.workspaceId).WarmupDay.find({ mailboxId: mailbox._id });
  expect(days.map(({ date, score, sent }) => [date, score, sent])).toEqual([[dayAgo(1), 91, 0]]);
});

test("the warmup ramp does not advance while the warmup is paused or on days outside the mailbox's workdays", async () => {
  const paused = await warming({ status: "PAUSED" });
  await close(paused);
  expect(await enrolment(paused)).toMatchObject({ dayNumber: 5, closedDay: dayAgo(1) });
  const resting = await warming();
  const yesterday = ((new Date(dayAgo(1)).getUTCDay() + 6) % 7) + 1;
  const days = [1, 2, 3, 4, 5, 6, 7].filter((day) => day !== yesterday);
  await scoped(resting.workspaceId).Mailbox.updateOne({ _id: resting._id }, { $set: { "workday.days": days } });
  await close(resting);
  expect(await enrolment(resting)).toMatchObject({ dayNumber: 5, closedDay: dayAgo(1) });
});

test("closing a day marks its unsent emails MISSED and frees their slots; emails that no mailbox showed within two days are MISSING", async () => {
  const [ann, bob] = [await warming(), await enrolled(world, "bob@b.test")];
  const left = await plant(ann, bob, { state: "RESERVED", day: dayAgo(1), sentAt: null });
  await WarmupMail.updateOne(
    { _id: left.mail._id },
    { $set: { dueAt: new Date(Date.parse(dayAgo(0)) - HOUR_MS), day: dayAgo(1) } },
  );
  const today = await plant(ann, bob, { state: "RESERVED", sentAt: null });
  const [lost, fresh] = [await plant(ann, bob), await plant(ann, bob)];
  await WarmupMail.updateOne({ _id: lost.mail._id }, { $set: { state: "SENT", sentAt: ago(49 * HOUR_MS) } });
  await WarmupMail.updateOne({ _id: fresh.mail._id }, { $set: { state: "SENT", sentAt: ago(47 * HOUR_MS) } });
  await close(ann);
  const states = await Promise.all([left, today, lost, fresh].map(({ mail }) => mailNow(mail._id)));
  expect(states.map(({ state, landed }) => [state, landed?.folder ?? null])).toEqual([
    ["MISSED", null],
    ["PLANNED", null],
    ["SENT", "MISSING"],
    ["SENT", null],
  ]);
  expect((await scoped(ann.workspaceId).Send.get(left.send._id))?.state).toBe("FAILED");
  const [day] = await scoped(ann.workspaceId).WarmupDay.find({ mailboxId: ann._id, date: dayAgo(0) });
  expect(day?.missing).toBe(1);
});

test.each([
  ["14 days ago, active on ten of its days", 14.5, 10, true],
  ["13 days ago", 13.5, 13, false],
  ["20 days ago, active on nine", 20, 9, false],
])("closing a day decides whether a mailbox is warm whose warmup began %s", async (_what, days, activeDays, isWarm) => {
  const mailbox = await warming({ startedAt: ago(days * DAY_MS), dayNumber: activeDays });
  await close(mailbox);
  expect((await enrolment(mailbox))?.warmSince !== null).toBe(isWarm);
});

test("the campaign limit of a warm mailbox starts at the busiest day and grows by five per HEALTHY day; stopping the warmup removes the limit", async () => {
  const mailbox = await warming({ startedAt: ago(20 * DAY_MS), dayNumber: 20, warmSince: ago(DAY_MS) });
  const busy = { mailboxId: mailbox._id, taken: [], sent: 9, sentBy: { cmp_1: 7, warmup: 2 } };
  await scoped(mailbox.workspaceId).MailboxDay.insert({ _id: `${mailbox._id}:${dayAgo(3)}`, day: dayAgo(3), ...busy });
  const limits: (number | null | undefined)[] = [];
  for (const band of ["HEALTHY", "HEALTHY", "WATCH"] as const) {
    await healthOf(mailbox, band, 90);
    await scoped(mailbox.workspaceId).WarmupEnrolment.updateOne(
      { _id: mailbox._id },
      { $set: { closedDay: dayAgo(2) } },
    );
    await close(mailbox);
    limits.push((await stored(mailbox))?.coldLimit);
  }
  expect(limits).toEqual([7, 12, 12]);
  const quiet = await warming({ startedAt: ago(20 * DAY_MS), dayNumber: 20, warmSince: ago(DAY_MS) });
  await close(quiet);
  expect((await stored(quiet))?.coldLimit).toBe(5);
  await moveWarmup(mailbox.workspaceId, mailbox._id, "stop");
  expect(await stored(mailbox)).toMatchObject({ coldLimit: null, warmupTarget: 0 });
});
