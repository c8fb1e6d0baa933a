import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { memoryOf } from "../system/processes.ts";
import { median, ms, quantile, type Row } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";

const PEOPLE = 100_000;
const SMALL = 1_000;
const PLANS = 10;
const STEPS = 4;
const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "America/Los_Angeles",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Europe/London",
];
const DELAY = { value: 3, unit: "DAYS" as const };

/**
 * Measures the plan of an edit of a running campaign, and the edit itself. A large campaign must not make the response
 * slower.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { workspaceId, rest } = await rig.workspace();
    const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, 10);
    const delays = [{ value: 0, unit: "MINUTES" as const }, ...Array.from({ length: STEPS - 1 }, () => DELAY)];
    const [small = "", large = ""] = await Promise.all(
      [SMALL, PEOPLE].map(async (recipients) => {
        const campaignId = await storeCampaign(workspaceId, { recipients, mailboxIds, delays });
        await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
        await progress(workspaceId, campaignId);
        return campaignId;
      }),
    );
    await planned(rest, small);
    const before = await memoryOf(rig.api.pid);
    const first = await planned(rest, large);
    const [smallMs, largeMs]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < PLANS; turn++) {
      smallMs.push(await planned(rest, small));
      largeMs.push(await planned(rest, large));
    }
    const { peak } = await memoryOf(rig.api.pid);
    const edited = await timed(() => rest.put(`/campaigns/${large}/sequence`, reorder()));
    return rowOf({ smallMs, largeMs, first, grown: peak - before.now, edited });
  } finally {
    await rig.close();
  }
}

/**
 * Spreads recipients over the steps, over 60 days and over time zones. Every fifth recipient has received no step yet.
 */
export async function progress(workspaceId: string, campaignId: string): Promise<void> {
  const { Recipient } = scoped(workspaceId);
  const people = await Recipient.find({ campaignId }, { sort: { _id: 1 }, select: { _id: 1 } });
  for (let kind = 0; kind < 240; kind++) {
    const sentCount = kind % 5;
    if (sentCount === 0) continue;
    const lastSentAt = new Date(Date.now() - (kind % 60) * DAY_MS - (kind % 24) * HOUR_MS);
    const had = Array.from({ length: Math.min(sentCount, STEPS - 1) }, (_, step) => ({
      stepId: `stp_${step}`,
      at: lastSentAt.getTime(),
    }));
    const next = had.length;
    const state = {
      status: "IN_PROGRESS",
      sentCount: next,
      lastSentAt,
      had,
      currentStepId: `stp_${next - 1}`,
      nextStepId: `stp_${next}`,
    };
    const more = {
      admittedAt: lastSentAt,
      nextSendAt: new Date(lastSentAt.getTime() + 70 * DAY_MS),
      timezone: ZONES[kind % ZONES.length],
    };
    const ids = people.filter((_, index) => index % 240 === kind).map(({ _id }) => _id);
    await Recipient.updateMany({ _id: trusted({ $in: ids }) }, { $set: { ...state, ...more } });
  }
}

const reorder = () => ({ action: "reorder", orderedStepIds: ["stp_0", "stp_2", "stp_1", "stp_3"] });

async function planned(rest: Rest, campaignId: string): Promise<number> {
  return timed(async () => {
    const answer = await rest.put(`/campaigns/${campaignId}/sequence`, { ...reorder(), planOnly: true });
    if (!(answer.body.plan?.effect.edit?.moved > 0))
      throw new Error(`No plan: ${JSON.stringify(answer.body).slice(0, 500)}`);
    return answer;
  });
}

async function timed(request: () => Promise<{ status: number; body: unknown }>): Promise<number> {
  const started = performance.now();
  const { status, body } = await request();
  if (status !== 200) throw new Error(`Refused: ${JSON.stringify(body)}`);
  return performance.now() - started;
}

interface Measured {
  smallMs: number[];
  largeMs: number[];
  first: number;
  grown: number;
  edited: number;
}

function rowOf({ smallMs, largeMs, first, grown, edited }: Measured): Row {
  const people = PEOPLE.toLocaleString("en");
  const p50 = median(largeMs);
  return {
    title: "Plan of an edit: response time",
    how: `Over HTTP, the API in a process of its own: a reorder of ${STEPS} steps, planned ${PLANS} times for campaigns of ${SMALL.toLocaleString("en")} and ${people} open recipients, alternating. The recipients are spread over the steps, 60 days and ${ZONES.length} zones.`,
    measured: [
      {
        what: `plan for ${people} recipients, p50`,
        goal: "under 2 s",
        measured: `${ms(p50)} (p95 ${ms(quantile(largeMs, 0.95))})`,
        met: p50 < 2_000,
      },
      { what: "the first such plan", goal: "", measured: ms(first), met: null },
      {
        what: `plan for ${SMALL.toLocaleString("en")} people, p50`,
        goal: "",
        measured: ms(median(smallMs)),
        met: null,
      },
      {
        what: "memory of the API, highest growth",
        goal: "under 100 MB",
        measured: `${grown.toFixed(0)} MB`,
        met: grown < 100,
      },
      { what: `the edit itself with ${people} people`, goal: "", measured: ms(edited), met: null },
    ],
  };
}
