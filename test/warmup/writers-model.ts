import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { utcDay } from "../../domain/time/schedule.ts";
import { stateAfter, type WarmupAction } from "../../domain/warmup/enrolment.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { type PlanScope, planWarmupRound } from "../../store/warmup/plan-round.ts";
import { ledgerOf } from "./agreement.ts";
import { type Doing, startDoing } from "./doing.ts";
import { allMails, startWarmupWorld, type Warming, type WarmupWorld } from "./warmup-world.ts";

const EMAILS = ["ann@a.test", "bob@b.test", "cid@c.test"] as const;
let here: WarmupWorld;
let doing: Doing;

type Email = (typeof EMAILS)[number];
/** The deeds of one moment. A step moves a mailbox at most once, so that the model knows its state. */
interface Step {
  moves: Partial<Record<Email, WarmupAction>>;
  plan: PlanScope | null;
  sends: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  moves: fc.dictionary(fc.constantFrom(...EMAILS), fc.constantFrom<WarmupAction>("start", "start", "pause", "stop"), {
    maxKeys: 2,
  }),
  plan: fc.constantFrom<PlanScope | null>("ALL", "WAITING", "WAITING", null),
  sends: fc.integer({ min: 0, max: 3 }),
});

/** The model's view of a mailbox, beside the stored one. */
async function storedOf({ workspaceId, mailboxId }: Warming) {
  const { Mailbox, MailboxDay, Send, WarmupEnrolment } = scoped(workspaceId);
  const day = await MailboxDay.get(`${mailboxId}:${utcDay(Date.now())}`);
  const states = async (state: string) => Send.count({ kind: "WARMUP", mailboxId, state });
  return {
    status: (await WarmupEnrolment.get(mailboxId))?.status ?? null,
    room: (await Mailbox.get(mailboxId))?.warmupTarget ?? 0,
    slots: day?.taken.length ?? 0,
    counted: day?.sent ?? 0,
    reserved: await states("RESERVED"),
    sent: await states("SENT"),
    planned: (await WarmupMail.find({ fromMailboxId: mailboxId, state: "PLANNED" }).lean<WarmupMail[]>()).map(
      ({ _id }) => _id,
    ),
  };
}

/**
 * Emails that were about to go at some time. If their mailbox was stopped just then, they stay planned until someone
 * looks at them, but have given their slots back.
 */
const tried = new Set<string>();

async function walk(steps: readonly Step[]): Promise<void> {
  for (const email of EMAILS)
    await here.of(email).rest.post("/warmup/manage", { action: "remove", mailboxId: here.of(email).mailboxId });
  const model = new Map<Email, ReturnType<typeof stateAfter>>();
  for (const { moves, plan, sends } of steps) {
    const [before, due] = [
      await ledgerOf(here),
      (await allMails()).filter(({ state }) => state === "PLANNED").slice(0, sends),
    ];
    const wasStill = EMAILS.filter((email) => model.get(email) !== "ACTIVE" && moves[email] !== "start");
    await Promise.all([
      ...Object.entries(moves).map(([email, action]) => move(email as Email, action, model)),
      ...(plan === null ? [] : [planWarmupRound(plan, () => {})]),
      ...due.map((mail) => doing.send(mail)),
    ]);
    const lines = await ledgerOf(here);
    expect(new Set(lines).size).toBe(lines.length);
    expect(
      lines.slice(before.length).filter((line) => wasStill.some((email) => line.includes(` ${email} > `))),
    ).toEqual([]);
    for (const { _id } of due) tried.add(_id);
    for (const email of EMAILS) await check(email, model.get(email) ?? null);
  }
}

async function move(
  email: Email,
  action: WarmupAction,
  model: Map<Email, ReturnType<typeof stateAfter>>,
): Promise<void> {
  const { rest, mailboxId } = here.of(email);
  const to = model.has(email) || action === "start" ? stateAfter(action, model.get(email) ?? null) : null;
  const { status } = await rest.post("/warmup/manage", {
    action,
    mailboxId,
    ...(action === "start" && { config: { start: 6 } }),
  });
  expect([action, status === 200]).toEqual([action, to !== null]);
  if (to !== null) model.set(email, to);
}

async function check(email: Email, status: string | null): Promise<void> {
  const mailbox = here.of(email);
  const stored = await storedOf(mailbox);
  const taken = (await ledgerOf(here)).filter((line) => line.includes(` ${email} > `)).length;
  expect({ email, status: stored.status, counted: stored.counted, sent: stored.sent }).toEqual({
    email,
    status,
    counted: taken,
    sent: taken,
  });
  const untried = stored.planned.filter((id) => !tried.has(id));
  expect([email, stored.planned.length, stored.slots >= untried.length]).toEqual([email, stored.reserved, true]);
  if (status !== "ACTIVE") expect([email, stored.room, stored.slots, untried]).toEqual([email, 0, 0, []]);
}

const start = {
  moves: { "ann@a.test": "start", "bob@b.test": "start", "cid@c.test": "start" },
  plan: null,
  sends: 0,
} as const;
const [planAll, rest] = [{ moves: {}, plan: "ALL", sends: 0 } as const, { plan: null, sends: 3 } as const];
/** Orders in which a stop meets a plan and a send, and a start after it finds the numbers that were used. */
const ALWAYS: Step[][] = [
  [
    start,
    planAll,
    { moves: { "ann@a.test": "pause" }, ...rest },
    { moves: { "ann@a.test": "start" }, plan: "WAITING", sends: 2 },
    planAll,
  ],
  [
    start,
    { moves: { "bob@b.test": "stop" }, plan: "ALL", sends: 0 },
    { moves: { "bob@b.test": "start" }, ...rest, plan: "WAITING" },
    planAll,
  ],
];

/** Tries the orders that must always hold, and this many random ones. */
export function tryOrders(runs: number): void {
  beforeAll(async () => {
    here = await startWarmupWorld({ workspaces: EMAILS.map((email) => [email]), isWorked: false });
    doing = startDoing(here);
  }, 60_000);
  afterAll(async () => {
    await doing.close();
    await here.close();
  }, 60_000);

  test("in any order of starting, pausing, stopping, planning and sending, no warmup email goes out twice, after a stop or uncounted", async () => {
    for (const steps of ALWAYS) await walk(steps);
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), walk), { numRuns: runs });
  }, 240_000);
}
