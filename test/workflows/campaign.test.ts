import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { WorkflowHandleWithFirstExecutionRunId } from "@temporalio/client";
import type { CampaignActivities } from "../../activities/campaigns/feeder.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { CampaignIds } from "../../domain/workflow-contract.ts";
import { campaignWorkflowId } from "../../temporal/run.ts";
import { campaign, changedSignal, progressQuery } from "../../workflows/campaign.ts";
import { until } from "../fakes/wait.ts";
import { type Environment, startEnvironment } from "./environment.ts";

const DEADLINE_MS = 20_000;

type Standing = "ACTIVE" | "WAITING" | "ENDED" | "GONE";

/** A campaign as its feeder finds it: `standing` and `admits` are called with the number of the look, from 1. */
interface Script {
  standing: (look: number) => Standing;
  admits?: (look: number) => { count: number; isDrained?: boolean };
  wakesInMs?: number;
  isComplete?: boolean;
  /** The activity of this name waits for it. */
  holds?: Partial<Record<keyof CampaignActivities, (look: number) => Promise<void>>>;
}

interface Fed {
  handle: WorkflowHandleWithFirstExecutionRunId<typeof campaign>;
  /** The activities in the order in which they were called. */
  calls: (keyof CampaignActivities)[];
  /** When each look was made, by the server's clock. */
  looks: number[];
}

let environment: Environment;
const campaigns = new Map<string, { script: Script; fed: Omit<Fed, "handle"> }>();

const activities: CampaignActivities = {
  async standingOf(ids) {
    const { script, looks } = await called("standingOf", ids);
    return { status: script.standing(looks.length), wakeAt: (looks.at(-1) ?? 0) + wait(script) };
  },
  async resumeParked(ids) {
    await called("resumeParked", ids);
    return 0;
  },
  async admitRecipients(ids) {
    const { script, looks } = await called("admitRecipients", ids);
    const { count, isDrained = false } = script.admits?.(looks.length) ?? { count: 0 };
    return { count, isDrained, wakeAt: (looks.at(-1) ?? 0) + wait(script) };
  },
  async checkCompletion(ids) {
    const { script } = await called("checkCompletion", ids);
    return script.isComplete ?? false;
  },
  async stopRecipients(ids) {
    await called("stopRecipients", ids);
    return 0;
  },
};

beforeAll(async () => {
  environment = await startEnvironment({ engine: activities });
});

afterAll(() => environment.close());

test("an active campaign resumes and admits recipients at each wake-up until none is left, and then the run ends", async () => {
  const { handle, calls, looks } = await start({
    standing: (look) => (look <= 3 ? "ACTIVE" : "ENDED"),
    admits: (look) => ({ count: 5, isDrained: look === 3 }),
    isComplete: true,
    wakesInMs: 6 * HOUR_MS,
  });
  expect(await handle.result()).toBe("ended");
  expect(hoursBetween(looks)).toEqual([6, 6, 0]);
  const round = ["standingOf", "resumeParked", "admitRecipients"];
  expect(calls).toEqual([...round, ...round, ...round, "checkCompletion", "standingOf", "stopRecipients"]);
});

test("a campaign with no recipient left to admit that is not complete is checked again at each wake-up", async () => {
  const { handle, looks } = await start({
    standing: (look) => (look <= 2 ? "ACTIVE" : "GONE"),
    admits: () => ({ count: 0, isDrained: true }),
    wakesInMs: 24 * HOUR_MS,
  });
  expect(await handle.result()).toBe("gone");
  expect(hoursBetween(looks)).toEqual([24, 24]);
});

test("a change signal wakes a waiting campaign early", async () => {
  const { handle, calls, looks } = await start({
    standing: (look) => (look === 1 ? "WAITING" : "ENDED"),
    wakesInMs: 24 * HOUR_MS,
  });
  await sleeps(handle);
  await handle.signal(changedSignal);
  expect(await handle.result()).toBe("ended");
  expect(hoursBetween(looks)).toEqual([0]);
  expect(calls).toEqual(["standingOf", "standingOf", "stopRecipients"]);
});

test("a change signal that starts a campaign's run causes no check beyond the first one of that run", async () => {
  const { options, fed } = prepare({ standing: (look) => (look === 1 ? "WAITING" : "GONE"), wakesInMs: 24 * HOUR_MS });
  const handle = await environment.client.workflow.signalWithStart(campaign, { ...options, signal: changedSignal });
  expect(await handle.result()).toBe("gone");
  expect(hoursBetween(fed.looks)).toEqual([24]);
});

test("several change signals during one activity cause one more check of the campaign", async () => {
  const admission = held();
  const { handle, looks } = await start({
    standing: (look) => (look <= 2 ? "ACTIVE" : "GONE"),
    holds: { admitRecipients: (look) => (look === 1 ? admission.hold() : Promise.resolve()) },
    wakesInMs: 5 * HOUR_MS,
  });
  await admission.isHeld;
  for (let change = 0; change < 3; change++) await handle.signal(changedSignal);
  admission.release();
  expect(await handle.result()).toBe("gone");
  expect(hoursBetween(looks)).toEqual([0, 5]);
});

test("a campaign that is reopened while its last recipients are being stopped continues to admit recipients", async () => {
  const stopping = held();
  const { handle, calls, looks } = await start({
    standing: (look) => (look === 2 ? "ACTIVE" : "ENDED"),
    admits: () => ({ count: 1 }),
    holds: { stopRecipients: (look) => (look === 1 ? stopping.hold() : Promise.resolve()) },
    wakesInMs: HOUR_MS,
  });
  await stopping.isHeld;
  await handle.signal(changedSignal);
  stopping.release();
  expect(await handle.result()).toBe("ended");
  expect(hoursBetween(looks)).toEqual([0, 1]);
  expect(calls.filter((call) => call === "admitRecipients")).toHaveLength(1);
});

test("a campaign that is unarchived while its run reads it as gone continues", async () => {
  const looking = held();
  const { handle, looks } = await start({
    standing: (look) => (look === 2 ? "WAITING" : "GONE"),
    holds: { standingOf: (look) => (look === 1 ? looking.hold() : Promise.resolve()) },
    wakesInMs: HOUR_MS,
  });
  await looking.isHeld;
  await handle.signal(changedSignal);
  looking.release();
  expect(await handle.result()).toBe("gone");
  expect(hoursBetween(looks)).toEqual([0, 1]);
});

test("a waiting campaign neither admits nor resumes recipients", async () => {
  const { handle, calls } = await start({ standing: (look) => (look <= 2 ? "WAITING" : "GONE"), wakesInMs: HOUR_MS });
  await handle.result();
  expect(calls).toEqual(["standingOf", "standingOf", "standingOf"]);
});

test("an operator can query how many recipients a campaign has admitted and when its run wakes next", async () => {
  const { handle, looks } = await start({
    standing: (look) => (look <= 2 ? "ACTIVE" : "GONE"),
    admits: (look) => ({ count: 10 * look }),
    wakesInMs: 2 * HOUR_MS,
  });
  await sleeps(handle);
  expect(await handle.query(progressQuery)).toEqual({
    admitted: 10,
    wakesAt: new Date((looks[0] ?? 0) + 2 * HOUR_MS).toISOString(),
  });
  await handle.result();
  expect(await handle.query(progressQuery)).toMatchObject({ admitted: 30 });
});

test("a campaign run with a long history continues as a new run and keeps the count of admitted recipients", async () => {
  const { handle, looks } = await start({
    standing: (look) => (look <= 2 ? "ACTIVE" : "GONE"),
    admits: () => ({ count: 7 }),
    wakesInMs: 24 * HOUR_MS,
  });
  await sleeps(handle);
  // Beyond 4 MiB the server suggests a new run
  await Promise.all(Array.from({ length: 3 }, () => handle.signal("changed", "x".repeat(1_500_000))));
  expect(await handle.result()).toBe("gone");
  const last = environment.client.workflow.getHandle(handle.workflowId);
  expect((await last.describe()).runId).not.toBe(handle.firstExecutionRunId);
  expect(await last.query(progressQuery)).toMatchObject({ admitted: 7 * (looks.length - 1) });
});

async function called(
  name: keyof CampaignActivities,
  { campaignId }: CampaignIds,
): Promise<{ script: Script; looks: number[] }> {
  const found = campaigns.get(campaignId);
  if (found === undefined) throw new Error(`${campaignId} has no script`);
  const { script, fed } = found;
  fed.calls.push(name);
  if (name === "standingOf") fed.looks.push(await environment.now());
  await script.holds?.[name]?.(fed.looks.length);
  return { script, looks: fed.looks };
}

function wait({ wakesInMs = HOUR_MS }: Script): number {
  return wakesInMs;
}

/** Keeps an activity running until the test releases it. */
function held() {
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const hold = () => {
    begun.resolve();
    return released.promise;
  };
  return { hold, isHeld: begun.promise, release: () => released.resolve() };
}

async function start(script: Script): Promise<Fed> {
  const { options, fed } = prepare(script);
  return { handle: await environment.client.workflow.start(campaign, options), ...fed };
}

function prepare(script: Script) {
  const ids: CampaignIds = { v: 1, workspaceId: "wsp_1", campaignId: `cmp_${campaigns.size}` };
  const fed: Omit<Fed, "handle"> = { calls: [], looks: [] };
  campaigns.set(ids.campaignId, { script, fed });
  const args: [CampaignIds] = [ids];
  return { options: { workflowId: campaignWorkflowId(ids.campaignId), taskQueue: "engine", args }, fed };
}

function sleeps(handle: Fed["handle"]): Promise<unknown> {
  const what = "the feeder to sleep";
  return until(async () => (await handle.query(progressQuery)).wakesAt, { deadlineMs: DEADLINE_MS, what });
}

function hoursBetween(looks: number[]): number[] {
  return looks.slice(1).map((at, index) => Math.round((at - (looks[index] ?? Number.NaN)) / HOUR_MS));
}
