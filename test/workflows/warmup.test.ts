import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { WorkflowHandle } from "@temporalio/client";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { WarmupIds, WarmupPlan, WarmupTurn } from "../../domain/warmup/contract.ts";
import { changedSignal, dueSignal, planQuery, stopSignal, warmup } from "../../workflows/warmup.ts";
import { type Environment, startEnvironment } from "./environment.ts";

/** Days of the longest course; a month by hand. */
const DAYS = 10;

/** A mailbox that writes at 10 o'clock, reads at 12 unless nobody writes to it, and closes its day at midnight. */
class MailboxOfOldHabits {
  status: "ACTIVE" | "PAUSED" | "LOST" | "STOPPED" = "ACTIVE";
  looks = 0;
  readonly sent: number[] = [];
  readonly read: number[] = [];
  readonly closed: number[] = [];
  /** Attempts of a turn that fail before one works. */
  failures = 0;
  #last: number;
  readonly #reads: boolean;
  constructor(now: number, reads: boolean) {
    this.#last = now;
    this.#reads = reads;
  }

  next(now: number): WarmupTurn {
    this.looks++;
    const plan: WarmupPlan = { target: 2, sent: this.sent.length, nextSlotAt: null, nextEngagementAt: null };
    if (this.status === "STOPPED") return { kind: "gone", plan };
    if (this.status === "LOST") return { kind: "parked", plan };
    const today = Math.floor(Math.max(now, this.#last) / DAY_MS) * DAY_MS;
    const all = [today, today + DAY_MS].flatMap((day): WarmupTurn[] => [
      { kind: "send", at: day + 10 * HOUR_MS, mailId: `mail of ${day}`, plan },
      ...(this.#reads ? [{ kind: "engage" as const, at: day + 12 * HOUR_MS, plan }] : []),
      { kind: "close", at: day + DAY_MS, plan },
    ]);
    const mine = all.filter(({ kind }) => this.status === "ACTIVE" || kind !== "send");
    return mine.find((turn) => "at" in turn && turn.at > this.#last) ?? { kind: "parked", plan };
  }

  does(list: number[], now: number): WarmupTurn {
    if (this.failures > 0) {
      this.failures--;
      throw new Error("The database is away");
    }
    list.push(now);
    this.#last = now;
    return this.next(now);
  }
}

let environment: Environment;
const mailboxes = new Map<string, MailboxOfOldHabits>();
const of = ({ mailboxId }: WarmupIds) => {
  const found = mailboxes.get(mailboxId);
  if (found === undefined) throw new Error(`No mailbox ${mailboxId}`);
  return found;
};
const now = () => environment.now();

beforeAll(async () => {
  environment = await startEnvironment({
    engine: {
      nextWarmup: async (ids: WarmupIds) => of(ids).next(await now()),
      closeWarmupDay: async (ids: WarmupIds) => of(ids).does(of(ids).closed, await now()),
    },
    smtp: { warmupSend: async (ids: WarmupIds) => of(ids).does(of(ids).sent, await now()) },
    imap: { warmupEngage: async (ids: WarmupIds) => of(ids).does(of(ids).read, await now()) },
  });
});
afterAll(() => environment.close());

async function begun(
  mailboxId: string,
  { reads = true } = {},
): Promise<{ run: WorkflowHandle<typeof warmup>; mailbox: MailboxOfOldHabits }> {
  const mailbox = new MailboxOfOldHabits(await now(), reads);
  mailboxes.set(mailboxId, mailbox);
  const run = await environment.client.workflow.start(warmup, {
    workflowId: `warmup/${mailboxId}`,
    taskQueue: "engine",
    args: [{ v: 1, workspaceId: "wsp_1", mailboxId }],
  });
  return { run, mailbox };
}

test("weeks of a mailbox: each mail at its hour, each day closed, and it asks no more than it must", async () => {
  const { run, mailbox } = await begun("mbx_month", { reads: false });
  await environment.pass(`${DAYS}d`);
  expect(mailbox.sent.length).toBeGreaterThanOrEqual(DAYS - 1);
  expect(mailbox.closed.length).toBeGreaterThanOrEqual(DAYS - 1);
  const hours = new Set(mailbox.sent.map((at) => Math.floor((at % DAY_MS) / HOUR_MS)));
  expect([...hours]).toEqual([10]);
  // One look at the beginning; every other turn is what the one before answered
  expect(mailbox.looks).toBeLessThanOrEqual(1 + mailbox.sent.length + mailbox.closed.length);
  expect((await run.query(planQuery))?.target).toBe(2);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("paused it goes on reading and closing its days, and writes again when somebody starts it", async () => {
  const { run, mailbox } = await begun("mbx_paused");
  await environment.pass("2d");
  mailbox.status = "PAUSED";
  await run.signal(changedSignal);
  await environment.pass("1s");
  const before = { sent: mailbox.sent.length, read: mailbox.read.length };
  await environment.pass("5d");
  expect(mailbox.sent.length).toBe(before.sent);
  expect(mailbox.read.length).toBeGreaterThanOrEqual(before.read + 4);
  mailbox.status = "ACTIVE";
  await run.signal(changedSignal);
  await environment.pass("2d");
  expect(mailbox.sent.length).toBeGreaterThanOrEqual(before.sent + 1);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("a lost mailbox waits without asking until it is connected again", async () => {
  const { run, mailbox } = await begun("mbx_lost");
  await environment.pass("1d");
  mailbox.status = "LOST";
  await run.signal(changedSignal);
  await environment.pass("1s");
  const { looks } = mailbox;
  const sent = mailbox.sent.length;
  await environment.pass("20d");
  expect(mailbox.looks).toBe(looks);
  mailbox.status = "ACTIVE";
  await run.signal(changedSignal);
  await environment.pass("2d");
  expect(mailbox.sent.length).toBeGreaterThan(sent);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("what it is told to do at an instant it does then, without a look, and then goes on as before", async () => {
  const { run, mailbox } = await begun("mbx_told", { reads: false });
  await environment.pass("1d");
  const { looks, read } = mailbox;
  const [before, sent] = [looks, mailbox.sent.length];
  const at = (await now()) + HOUR_MS / 2;
  await run.signal(dueSignal, { at });
  await run.signal(dueSignal, { at: at + HOUR_MS });
  await environment.pass("2h");
  expect(read.map((one) => Math.round((one - at) / 1_000))).toEqual([0]);
  expect(mailbox.looks - before).toBe(1 + mailbox.sent.length - sent);
  await environment.pass("2d");
  expect(mailbox.sent.length).toBeGreaterThanOrEqual(sent + 1);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("a turn that fails at every attempt is looked at anew, and nothing is skipped", async () => {
  const { run, mailbox } = await begun("mbx_faults");
  mailbox.failures = 9;
  await environment.pass("3d");
  expect(mailbox.failures).toBe(0);
  expect(mailbox.closed.length).toBeGreaterThanOrEqual(2);
  await run.signal(stopSignal);
  expect(await run.result()).toBe("stopped");
});

test("a warmup that was stopped or removed ends by itself", async () => {
  const { run, mailbox } = await begun("mbx_gone");
  await environment.pass("1d");
  mailbox.status = "STOPPED";
  await run.signal(changedSignal);
  expect(await run.result()).toBe("ended");
});
