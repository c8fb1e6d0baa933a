import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { MailboxDay } from "../../models/mailboxes/mailbox-day.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { judgeAlerts } from "../../store/deliverability/alerts.ts";
import { loadGround, wantsPlan } from "../../store/warmup/ground.ts";
import { type PlanScope, planWarmupRound } from "../../store/warmup/plan-round.ts";
import { restWarmup } from "../../store/warmup/room.ts";
import { planAnswer } from "../../store/warmup/write-plan.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { enrolledIn, type Planted, plant } from "./planted.ts";
import { HASTY } from "./warmup-world.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterEach(async () => {
  // A round plans for every mailbox, whatever the test
  await WarmupEnrolment.collection.deleteMany({});
  await WarmupMail.deleteMany({});
});
afterAll(() => world.close());

interface Pool {
  rest: Rest;
  workspaceId: string;
  mailbox: Mailbox;
}

/** One mailbox of each address, each in a workspace of its own, that wants ten openings a day. */
async function poolOf(...emails: string[]): Promise<Pool[]> {
  const pool: Pool[] = [];
  for (const email of emails) {
    const { rest, workspaceId } = await world.workspace();
    pool.push({ rest, workspaceId, mailbox: await enrolledIn(workspaceId, email, { start: 10, replyRate: 0 }) });
  }
  return pool;
}

const round = (scope: PlanScope = "ALL") => planWarmupRound(scope, () => {});
const planned = (mailbox: Mailbox) =>
  WarmupMail.find({ fromMailboxId: mailbox._id, state: "PLANNED" }).sort({ dueAt: 1 }).lean<WarmupMail[]>();
const enrolmentOf = ({ workspaceId, _id }: Mailbox) => scoped(workspaceId).WarmupEnrolment.get(_id);
const manage = ({ rest, mailbox }: Pool, body: object) =>
  rest.post("/warmup/manage", { mailboxId: mailbox._id, ...body });

/** The bookings in the ledger and in the mailbox's day, beside the plan. */
async function booked({ workspaceId, _id }: Mailbox): Promise<[number, number, number]> {
  const { Mailbox, Send } = scoped(workspaceId);
  const day = await MailboxDay.findOne({ _id: `${_id}:${utcDay(Date.now())}` }, null, {
    acrossWorkspaces: true,
  }).lean<MailboxDay>();
  const reserved = await Send.count({ mailboxId: _id, kind: "WARMUP", state: "RESERVED" });
  return [reserved, day?.taken.length ?? 0, (await Mailbox.get(_id))?.warmupTarget ?? 0];
}

test("concurrent and repeated planning rounds plan a warmup day once, and plans, ledger and mailbox day agree", async () => {
  const pool = await poolOf("ann@a.test", "bob@b.test", "cid@c.test", "dee@d.test");
  const rounds = await Promise.all([round(), round(), round()]);
  expect(rounds.reduce((sum, { mails }) => sum + mails, 0)).toBe(40);
  expect((await round()).mails).toBe(0);
  for (const { mailbox } of pool) {
    const mails = await planned(mailbox);
    expect([mails.length, ...(await booked(mailbox))]).toEqual([10, 10, 10, 10]);
    const sends = await Send.find({ mailboxId: mailbox._id, kind: "WARMUP" }, null, { acrossWorkspaces: true }).lean<
      Send[]
    >();
    expect(sends.map(({ _id, slotAt, to }) => [_id, slotAt, to]).sort()).toEqual(
      mails.map(({ sendId, dueAt, toAddress }) => [sendId, dueAt, toAddress]).sort(),
    );
    expect((await enrolmentOf(mailbox))?.dailyLimit).toBe(10);
  }
});

test("a plan signals the run of a mailbox, unless the run wakes early enough or has not made its first check yet", async () => {
  const pool = await poolOf("ann@a.test", "bob@b.test", "cid@c.test");
  const soon = Date.now() + 11_000;
  // A run that looks at midnight; one that looks before any mail of this day; one that was started a moment ago
  for (const [index, wakeAt] of [new Date(Date.now() + DAY_MS), new Date(soon), null].entries()) {
    const { workspaceId, mailbox } = pool[index] as Pool;
    await scoped(workspaceId).WarmupEnrolment.updateOne({ _id: mailbox._id }, { $set: { wakeAt } });
  }
  await round();
  const told = await Promise.all(pool.map(({ workspaceId }) => scoped(workspaceId).OutboxRow.find({ kind: "WARMUP" })));
  const firsts = await Promise.all(pool.map(async ({ mailbox }) => (await planned(mailbox))[0]?.dueAt.getTime() ?? 0));
  const wakesBefore = (firsts[1] ?? 0) >= soon;
  expect(told.map(({ length }) => length)).toEqual([1, wakesBefore ? 0 : 1, 0]);
});

test("planning a single mailbox considers all recent partners, no matter who wrote first", async () => {
  const [ann, bob, cid, dee] = await poolOf("ann@a.test", "bob@b.test", "cid@c.test", "dee@d.test");
  if (ann === undefined || bob === undefined || cid === undefined || dee === undefined)
    throw new Error("There are four");
  // Bob wrote to Ann twice and she to Cid twice: no one is left for her but Dee
  for (let twice = 0; twice < 2; twice++) {
    await plant(bob.mailbox, ann.mailbox);
    await plant(ann.mailbox, cid.mailbox);
  }
  await WarmupMail.updateMany({}, { $set: { day: utcDay(Date.now() - DAY_MS), state: "SENT" } });
  const config = { ...(await enrolmentOf(ann.mailbox))?.config, start: 2 };
  await scoped(ann.workspaceId).WarmupEnrolment.updateOne(
    { _id: ann.mailbox._id },
    { $set: { config, replanAt: new Date() } },
  );
  await round("WAITING");
  expect((await planned(ann.mailbox)).map(({ toAddress }) => toAddress)).toEqual(["dee@d.test", "dee@d.test"]);
});

test("a mailbox without a partner in another domain raises an alert and sends nothing, and is planned once a partner joins", async () => {
  const { rest, workspaceId } = await world.workspace();
  const mailbox = await enrolledIn(workspaceId, "ann@a.test", { start: 4, replyRate: 0 });
  const [twin] = await poolOf("bob@mail.a.test");
  const { mails, news } = await round();
  expect([mails, news.has(workspaceId)]).toEqual([0, true]);
  expect(await enrolmentOf(mailbox)).toMatchObject({ status: "ACTIVE", statusReason: "NO_PARTNER" });
  await judgeAlerts(workspaceId);
  const alertsNow = async () =>
    (await rest.get("/deliverability/alerts")).body.items.map(({ type, status }: { type: string; status: string }) => [
      type,
      status,
    ]);
  expect(await alertsNow()).toContainEqual(["NO_WARMUP_PARTNER", "OPEN"]);
  const advice = (await rest.get("/deliverability/recommendations")).body.items;
  expect(advice).toContainEqual(expect.objectContaining({ subjectId: mailbox._id, relatedTool: "warmup_manage" }));
  expect((await round("WAITING")).mails).toBe(0);

  const [bob] = await poolOf("bob@b.test");
  await scoped(bob?.workspaceId ?? "").WarmupEnrolment.updateOne(
    { _id: bob?.mailbox._id },
    { $set: { replanAt: new Date() } },
  );
  await round("WAITING");
  expect((await planned(mailbox)).length).toBeGreaterThan(0);
  expect((await planned(twin?.mailbox ?? mailbox)).length).toBeGreaterThan(0);
  expect(await enrolmentOf(mailbox)).toMatchObject({ statusReason: null });
  await judgeAlerts(workspaceId);
  expect(await alertsNow()).toContainEqual(["NO_WARMUP_PARTNER", "RESOLVED"]);
});

test("a lowered warmup target drops the latest emails, a raised one adds emails, and message numbers are not reused", async () => {
  const [ann, bob] = await poolOf("ann@a.test", "bob@b.test");
  if (ann === undefined || bob === undefined) throw new Error("No pool");
  await round();
  const before = await planned(ann.mailbox);
  await manage(ann, { action: "configure", config: { start: 4 } });
  await round("WAITING");
  expect((await planned(ann.mailbox)).map(({ _id }) => _id)).toEqual(before.slice(0, 4).map(({ _id }) => _id));
  expect(await booked(ann.mailbox)).toEqual([4, 4, 4]);
  await manage(ann, { action: "configure", config: { start: 9 } });
  await round("WAITING");
  const after = await planned(ann.mailbox);
  expect(after).toHaveLength(9);
  expect(await booked(ann.mailbox)).toEqual([9, 9, 9]);
  expect(await WarmupMail.countDocuments({ fromMailboxId: ann.mailbox._id, state: "MISSED" })).toBe(6);
  expect((await planned(bob.mailbox)).length).toBe(10);
});

test("a warmup email is answered once, and answers beyond the day's reply rate move to the next day", async () => {
  const [ann, bob] = await poolOf("ann@a.test", "bob@b.test");
  if (ann === undefined || bob === undefined) throw new Error("No pool");
  await manage(bob, { action: "configure", config: { replyRate: 0.3 } });
  const read = await Promise.all(Array.from({ length: 5 }, () => plant(ann.mailbox, bob.mailbox)));
  const answer = ({ mail }: Planted) => inTransaction(() => planAnswer(mail, new Date(), HASTY));
  for (const one of read) expect(await answer(one)).toBe(true);
  for (const one of read) expect(await answer(one)).toBe(false);
  const answers = await planned(bob.mailbox);
  expect(answers.map(({ kind, turn, answers, toAddress }) => [kind, turn, answers !== null, toAddress])).toEqual(
    answers.map(() => ["REPLY", 2, true, "ann@a.test"]),
  );
  const [today, tomorrow] = [utcDay(Date.now()), utcDay(Date.now() + DAY_MS)];
  expect(answers.map(({ day }) => day).sort()).toEqual([today, today, today, tomorrow, tomorrow]);
  await manage(bob, { action: "pause" });
  expect(await answer(await plant(ann.mailbox, bob.mailbox))).toBe(false);
});

test("a mailbox that sends campaign emails is planned five warmup emails, and a mailbox with a lower warmup limit as many as the limit", async () => {
  const [ann, bob, cid] = await poolOf("ann@a.test", "bob@b.test", "cid@c.test");
  if (ann === undefined || bob === undefined || cid === undefined) throw new Error("No pool");
  const tomorrow = utcDay(Date.now() + DAY_MS - 1);
  const slot = { at: new Date(Date.now() + HOUR_MS), sendId: "snd_1", campaignId: "cmp_1" };
  await scoped(ann.workspaceId).MailboxDay.insert({
    _id: `${ann.mailbox._id}:${tomorrow}`,
    mailboxId: ann.mailbox._id,
    day: tomorrow,
    sent: 0,
    sentBy: {},
    taken: [slot],
  });
  await scoped(bob.workspaceId).Mailbox.updateOne({ _id: bob.mailbox._id }, { $set: { warmupDailyLimit: 3 } });
  await round();
  // The other two receive at most 1.3 times their own, six and three
  expect(
    [await planned(ann.mailbox), await planned(bob.mailbox), await planned(cid.mailbox)].map(({ length }) => length),
  ).toEqual([5, 3, 9]);
});

test("a changed warmup target requests a new plan, and an unchanged target does not", async () => {
  const [ann] = await poolOf("ann@a.test", "bob@b.test");
  if (ann === undefined) throw new Error("No pool");
  const wants = async () => {
    const ground = await loadGround(ann.workspaceId, ann.mailbox._id);
    return ground !== null && wantsPlan(ground);
  };
  await round();
  expect(await wants()).toBe(false);
  const patch = { action: "updateSettings", mailboxId: ann.mailbox._id, patch: { warmupDailyLimit: 2 } };
  expect((await ann.rest.post("/mailboxes/manage", patch)).status).toBe(200);
  expect(await wants()).toBe(true);
  await round("WAITING");
  expect([await wants(), (await planned(ann.mailbox)).length]).toEqual([false, 2]);
});

test("after a restore planned warmup emails are dropped, no more are planned that day, and no email is answered", async () => {
  const [ann, bob] = await poolOf("ann@a.test", "bob@b.test");
  if (ann === undefined || bob === undefined) throw new Error("No pool");
  await round();
  const [mail] = await planned(bob.mailbox);
  const wish = { rescue: false, important: false, answer: true };
  await WarmupMail.updateOne({ _id: mail?._id ?? "" }, { $set: { state: "SENT", wish, engageAt: new Date() } });
  await inTransaction(() => restWarmup(ann.workspaceId, ann.mailbox._id));
  expect([await planned(ann.mailbox), await booked(ann.mailbox)]).toEqual([[], [0, 0, 0]]);
  await manage(ann, { action: "configure", config: { start: 12 } });
  await round("WAITING");
  expect([(await planned(ann.mailbox)).length, await booked(ann.mailbox)]).toEqual([0, [0, 0, 0]]);
  expect((await WarmupMail.findById(mail?._id ?? "").lean<WarmupMail>())?.wish?.answer).toBe(false);
});
