import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CancelledFailure, type WorkflowHandleWithFirstExecutionRunId } from "@temporalio/client";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { RecipientIds, StepOutcome, StepVerb } from "../../domain/workflow-contract.ts";
import { recipientWorkflowId } from "../../temporal/run.ts";
import { recipient, replanSignal, resumeSignal, stateQuery, stopSignal } from "../../workflows/recipient.ts";
import { until } from "../fakes/wait.ts";
import { type Environment, startEnvironment } from "./environment.ts";

const DEADLINE_MS = 20_000;

/** What the activity returns at one look; it is given the server's time. */
type Look = (now: number) => StepOutcome | Promise<StepOutcome>;

interface Run {
  handle: WorkflowHandleWithFirstExecutionRunId<typeof recipient>;
  /** When an activity looked, by the server's clock, and which activity it was. */
  looks: number[];
  by: StepVerb[];
}

let environment: Environment;
const scripts = new Map<string, { looks: number[]; by: StepVerb[]; script: Look[] }>();

beforeAll(async () => {
  const by = (verb: StepVerb) => (ids: RecipientIds) => look(ids, verb);
  environment = await startEnvironment({
    engine: { actStep: by("act") },
    smtp: { sendStep: by("mail") },
    webhook: { postStep: by("post") },
  });
});

afterAll(() => environment.close());

async function look({ recipientId }: RecipientIds, by: StepVerb): Promise<StepOutcome> {
  const run = scripts.get(recipientId);
  const now = await environment.now();
  run?.by.push(by);
  const answer = run?.script[run.looks.push(now) - 1];
  if (answer === undefined) throw new Error(`${recipientId} was looked at once too often`);
  return answer(now);
}

test("a sequence of three emails is sent over weeks, each email at its booked slot", async () => {
  const { handle, looks } = await start(sentNextIn(7 * DAY_MS), sentNextIn(14 * DAY_MS), sentLast);
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looks)).toEqual([7, 14]);
});

test("each further email adds at most 12 history events to a recipient's run, and three emails take at most 40", async () => {
  const one = await eventsOf(await start(sentLast));
  const two = await eventsOf(await start(sentNextIn(DAY_MS), sentLast));
  const three = await eventsOf(await start(sentNextIn(DAY_MS), sentNextIn(DAY_MS), sentLast));
  expect(three).toBeLessThanOrEqual(40);
  expect(two - one).toBeLessThanOrEqual(12);
  expect(three - two).toBeLessThanOrEqual(12);
});

test("each step is run by the activity for its type (SMTP, database or HTTP), and immediately if due", async () => {
  const { handle, looks, by } = await start(
    overTo("act"),
    replanIn(2 * DAY_MS, "step 3", "post"),
    overTo("mail"),
    sentNextIn(DAY_MS),
    overTo("post"),
    stop,
  );
  expect(await handle.result()).toBe("SEQUENCE_FINISHED");
  expect(by).toEqual(["mail", "act", "post", "mail", "mail", "post"]);
  expect(daysBetween(looks)).toEqual([0, 2, 0, 1, 0]);
});

test("a non-email step after an email runs when its delay ends, without another check", async () => {
  const { handle, looks, by } = await start(sentThen("act", 2 * DAY_MS), stop);
  expect(await handle.result()).toBe("SEQUENCE_FINISHED");
  expect(by).toEqual(["mail", "act"]);
  expect(daysBetween(looks)).toEqual([2]);
});

test("a non-email step adds at most two activities and a timer to a recipient's run", async () => {
  const one = await eventsOf(await start(sentLast));
  const two = await eventsOf(await start(replanIn(DAY_MS, "step 1", "act"), overTo("mail"), sentLast));
  expect(two - one).toBeLessThanOrEqual(18);
});

test("a webhook step is tried six times within about a quarter of an hour", async () => {
  const { handle, looks, by } = await start(overTo("post"), ...Array<Look>(5).fill(crash), stop);
  expect(await handle.result()).toBe("SEQUENCE_FINISHED");
  expect(by.slice(1)).toEqual(Array(6).fill("post"));
  expect(minutesBetween(looks.slice(1))).toEqual([0.5, 1, 2, 4, 8]);
});

test("a stop during the wait before a non-email step ends the run", async () => {
  const { handle, by } = await start(replanIn(3 * DAY_MS, "a task", "act"));
  await waitsFor(handle, "a task");
  await handle.signal(stopSignal, { reason: "REPLIED" });
  expect(await handle.result()).toBe("REPLIED");
  expect(by).toEqual(["mail"]);
});

test("a stop during a wait ends the run immediately, without another check", async () => {
  const { handle, looks } = await start(sentNextIn(3 * DAY_MS, "step 2"));
  await waitsFor(handle, "step 2");
  await handle.signal(stopSignal, { reason: "REPLIED" });
  expect(await handle.result()).toBe("REPLIED");
  const { startTime, closeTime } = await handle.describe();
  expect(Number(closeTime) - startTime.getTime()).toBeLessThan(DAY_MS);
  expect(looks).toHaveLength(1);
});

test("a stop during an activity lets the activity finish, and no further activity runs", async () => {
  const activity = held();
  const { handle, looks } = await start(activity.look);
  await activity.isRunning;
  await handle.signal(stopSignal, { reason: "UNSUBSCRIBED" });
  activity.answer(sentNextIn(DAY_MS));
  expect(await handle.result()).toBe("UNSUBSCRIBED");
  expect(looks).toHaveLength(1);
});

test("when an activity reports a stop, the run ends with the reason of the stop", async () => {
  const { handle } = await start(() => ({ kind: "stop", reason: "SUPPRESSED" }));
  expect(await handle.result()).toBe("SUPPRESSED");
});

test("a replan signal during a wait causes another check, and the run then waits for the new slot", async () => {
  const { handle, looks } = await start(
    sentNextIn(9 * DAY_MS, "step 2"),
    replanIn(2 * DAY_MS, "a moved slot"),
    sentLast,
  );
  await waitsFor(handle, "step 2");
  await handle.signal(replanSignal);
  await waitsFor(handle, "a moved slot");
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looks)).toEqual([0, 2]);
});

test("a replan signal during an activity causes one more check, since the activity may have read an outdated state", async () => {
  const activity = held();
  const { handle, looks } = await start(activity.look, sentLast);
  await activity.isRunning;
  await handle.signal(replanSignal);
  activity.answer(replanIn(5 * DAY_MS));
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looks)).toEqual([0]);
});

test("a replan signal that arrives while an activity ends the run is not lost: the recipient is checked once more", async () => {
  const activity = held();
  const { handle, looks } = await start(activity.look, sentLast);
  await activity.isRunning;
  await handle.signal(replanSignal);
  activity.answer(() => ({ kind: "stop", reason: "APPROVAL_REQUIRED" }));
  expect(await handle.result()).toBe("finished");
  expect(looks).toHaveLength(2);
});

test("a replan signal that starts a run causes no check beyond the first one of that run", async () => {
  const ids = script(sentNextIn(4 * DAY_MS), sentLast);
  const handle = await environment.client.workflow.signalWithStart(recipient, {
    ...optionsOf(ids),
    signal: replanSignal,
  });
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looksOf(ids))).toEqual([4]);
});

test("a replan signal during a campaign pause causes another check, and the run then waits for the resume again", async () => {
  const { handle, looks } = await start(parkedAt(1), parkedAt(1), sentNextIn(6 * DAY_MS), sentLast);
  await waitsFor(handle, "the campaign to be resumed");
  await environment.pass("1d");
  await handle.signal(replanSignal);
  await until(() => looks.length === 2, { deadlineMs: DEADLINE_MS, what: "the look after the replan" });
  await environment.pass("1d");
  expect(looks).toHaveLength(2);
  await handle.signal(resumeSignal, { epoch: 2 });
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looks)).toEqual([1, 1, 6]);
});

test("a recipient that waits for a mailbox makes no activity calls until a replan signal arrives, even after 120 days", async () => {
  const { handle, looks } = await start(heldFor("the mailbox, PAUSED"), sentNextIn(2 * DAY_MS), sentLast);
  await waitsFor(handle, "the mailbox, PAUSED");
  await environment.pass("120d");
  expect(await handle.query(stateQuery)).toEqual({ waitingFor: "the mailbox, PAUSED", until: null });
  expect(looks).toHaveLength(1);
  await handle.signal(replanSignal);
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looks)).toEqual([120, 2]);
});

test("a replan signal before the recipient waits for the mailbox causes another check, and a stop ends the wait", async () => {
  const activity = held();
  const { handle, looks } = await start(activity.look, heldFor("the mailbox, PAUSED"));
  await activity.isRunning;
  await handle.signal(replanSignal);
  activity.answer(heldFor("the mailbox, COOLING_DOWN"));
  await waitsFor(handle, "the mailbox, PAUSED");
  expect(looks).toHaveLength(2);
  await handle.signal(stopSignal, { reason: "REPLIED" });
  expect(await handle.result()).toBe("REPLIED");
});

test("a recipient of a paused campaign waits until a resume with a higher epoch arrives, and ignores other resumes", async () => {
  const { handle, looks } = await start(parkedAt(3), sentLast);
  await waitsFor(handle, "the campaign to be resumed");
  await handle.signal(resumeSignal, { epoch: 3 });
  await handle.signal(resumeSignal, { epoch: 2 });
  await environment.pass("90d");
  expect(await handle.query(stateQuery)).toEqual({ waitingFor: "the campaign to be resumed", until: null });
  expect(looks).toHaveLength(1);
  await handle.signal(resumeSignal, { epoch: 4 });
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looks)).toEqual([90]);
});

test("a resume that arrives before the recipient waits for the paused campaign is not lost", async () => {
  const activity = held();
  const { handle, looks } = await start(activity.look, sentLast);
  await activity.isRunning;
  await handle.signal(resumeSignal, { epoch: 3 });
  activity.answer(parkedAt(2));
  expect(await handle.result()).toBe("finished");
  expect(daysBetween(looks)).toEqual([0]);
});

test("a resume ends one pause of the campaign, and the recipient waits again in the next pause", async () => {
  const { handle, looks } = await start(parkedAt(1), parkedAt(3), sentLast);
  await waitsFor(handle, "the campaign to be resumed");
  await handle.signal(resumeSignal, { epoch: 2 });
  await until(() => looks.length === 2, { deadlineMs: DEADLINE_MS, what: "the look after the resume" });
  await environment.pass("10d");
  expect(looks).toHaveLength(2);
  await handle.signal(resumeSignal, { epoch: 4 });
  expect(await handle.result()).toBe("finished");
});

test("a stop ends the run of a recipient that waits for a paused campaign", async () => {
  const { handle, looks } = await start(parkedAt(1));
  await waitsFor(handle, "the campaign to be resumed");
  await handle.signal(stopSignal, { reason: "CAMPAIGN_COMPLETED" });
  expect(await handle.result()).toBe("CAMPAIGN_COMPLETED");
  expect(looks).toHaveLength(1);
});

test("a recipient's activity that has failed six times is tried again 15 minutes later", async () => {
  const { handle, looks } = await start(...Array<Look>(6).fill(crash), sentLast);
  expect(await handle.result()).toBe("finished");
  expect(looks).toHaveLength(7);
  expect(minutesBetween(looks)).toEqual([0.5, 1, 2, 4, 8, 15]);
});

test("a cancellation during a wait ends the recipient's run", async () => {
  const { handle, looks } = await start(sentNextIn(DAY_MS, "step 2"));
  await waitsFor(handle, "step 2");
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
  expect(looks).toHaveLength(1);
});

test("a cancellation while an activity is failing ends the run as cancelled", async () => {
  const { handle, looks } = await start(...Array<Look>(6).fill(crash));
  await until(() => looks.length === 1, { deadlineMs: DEADLINE_MS, what: "the first attempt" });
  await handle.cancel();
  await expect(handle.result()).rejects.toMatchObject({ cause: expect.any(CancelledFailure) });
});

test("an operator can query what a recipient waits for, and until when", async () => {
  const { handle, looks } = await start(
    sentNextIn(2 * DAY_MS, "step 2 of 3"),
    replanIn(DAY_MS, "the mailbox's daily limit"),
    sentLast,
  );
  await waitsFor(handle, "step 2 of 3");
  expect(await handle.query(stateQuery)).toEqual({
    waitingFor: "step 2 of 3",
    until: instant((looks[0] ?? 0) + 2 * DAY_MS),
  });
  await environment.pass("3d");
  await waitsFor(handle, "the mailbox's daily limit");
  expect(await handle.query(stateQuery)).toMatchObject({ until: instant((looks[1] ?? 0) + DAY_MS) });
  expect(await handle.result()).toBe("finished");
});

function sentNextIn(ms: number, next = "the next step"): Look {
  return (now) => ({ kind: "sent", nextAt: now + ms, next });
}

function sentLast(): StepOutcome {
  return { kind: "sent", nextAt: null, next: null };
}

function replanIn(ms: number, why = "another slot", by?: StepVerb): Look {
  return (now) => ({ kind: "replan", at: now + ms, why, ...(by !== undefined && { by }) });
}

function overTo(to: StepVerb): Look {
  return () => ({ kind: "over", to });
}

function sentThen(by: StepVerb, ms: number): Look {
  return (now) => ({ kind: "sent", nextAt: now + ms, next: "a task", by });
}

function stop(): StepOutcome {
  return { kind: "stop", reason: "SEQUENCE_FINISHED" };
}

function parkedAt(epoch: number): Look {
  return () => ({ kind: "parked", epoch });
}

function heldFor(why: string): Look {
  return () => ({ kind: "held", why });
}

function crash(): never {
  throw new Error("the worker lost its database");
}

/** A look that runs until the test says what it returns. */
function held() {
  const running = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Look>();
  const look: Look = async (now) => {
    running.resolve();
    return (await answer.promise)(now);
  };
  return { look, isRunning: running.promise, answer: answer.resolve };
}

async function start(...looks: Look[]): Promise<Run> {
  const ids = script(...looks);
  const by = scripts.get(ids.recipientId)?.by ?? [];
  return { handle: await environment.client.workflow.start(recipient, optionsOf(ids)), looks: looksOf(ids), by };
}

function script(...looks: Look[]): RecipientIds {
  const recipientId = `rcp_${scripts.size}`;
  scripts.set(recipientId, { looks: [], by: [], script: looks });
  return { v: 1, workspaceId: "wsp_1", campaignId: "cmp_1", recipientId };
}

function optionsOf(ids: RecipientIds) {
  const args: [RecipientIds] = [ids];
  return { workflowId: recipientWorkflowId(ids.recipientId), taskQueue: "engine", args };
}

function looksOf({ recipientId }: RecipientIds): number[] {
  return scripts.get(recipientId)?.looks ?? [];
}

function waitsFor(handle: Run["handle"], what: string): Promise<unknown> {
  return until(async () => (await handle.query(stateQuery)).waitingFor === what, { deadlineMs: DEADLINE_MS, what });
}

async function eventsOf({ handle }: Run): Promise<number> {
  await handle.result();
  return (await handle.fetchHistory()).events?.length ?? Number.NaN;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

function daysBetween(looks: number[]): number[] {
  return gaps(looks).map((ms) => Math.round(ms / DAY_MS));
}

/** To the half minute: the server skips the waits, but not the milliseconds that the work itself takes. */
function minutesBetween(looks: number[]): number[] {
  return gaps(looks).map((ms) => Math.round((2 * ms) / MINUTE_MS) / 2);
}

function gaps(looks: number[]): number[] {
  return looks.slice(1).map((at, index) => at - (looks[index] ?? Number.NaN));
}
