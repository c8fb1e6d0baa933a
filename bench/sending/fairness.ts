import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { until } from "../../test/fakes/wait.ts";
import { type BenchWorkspace, startRig } from "../rig.ts";
import { median, ms, quantile, type Row } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";
import { middleRate } from "./mails.ts";

const BURST = 1_500;
const MAILBOXES = 50;
const SINGLES = 8;
const DEADLINE_MS = 5 * MINUTE_MS;
const UNFAIR = { "matching.enableFairness": false };

interface Measured {
  aloneMs: number[];
  besideMs: number[];
  /** Emails of the burst per second. */
  rate: number;
}

/** Measures how long a workspace waits for one email while another has many due. */
export async function run(): Promise<Row> {
  const unfair = await measure(UNFAIR);
  const fair = await measure({});
  const ratio = fair.rate / unfair.rate;
  const p95 = quantile(fair.besideMs, 0.95);
  return {
    title: "One email beside the burst of another workspace",
    how: `Workspace A launches a campaign of ${BURST.toLocaleString("en")} recipients from ${MAILBOXES} mailboxes without gap or cap. Meanwhile B launches ${SINGLES} campaigns of one recipient, one after the other. From the answer to the launch until the mail server has accepted the email, first with queues in which tasks come in the order of their arrival, then with those in which workspaces take turns.`,
    measured: [
      { what: "B beside A, p95", goal: "at most 2 s", measured: shown(fair.besideMs), met: p95 <= 2 * SECOND_MS },
      { what: "B beside A in the order of arrival", goal: "", measured: shown(unfair.besideMs), met: null },
      { what: "B alone", goal: "", measured: shown(fair.aloneMs), met: null },
      {
        what: `A's emails per second in turns (${fair.rate.toFixed(1)}) compared with the order of arrival (${unfair.rate.toFixed(1)})`,
        goal: "at least 0.95",
        measured: ratio.toFixed(2),
        met: ratio >= 0.95,
      },
    ],
  };
}

const shown = (waits: number[]) =>
  `${ms(quantile(waits, 0.95))} (median ${ms(median(waits))}, longest ${ms(Math.max(...waits))})`;

async function measure(dynamicConfig: Record<string, unknown>): Promise<Measured> {
  const rig = await startRig({}, dynamicConfig);
  try {
    const [a, b] = [await rig.workspace(), await rig.workspace()];
    const ofA = await storeMailboxes(a.workspaceId, rig.keyRing, rig.sink.smtpPort, MAILBOXES);
    const ofB = await storeMailboxes(b.workspaceId, rig.keyRing, rig.sink.smtpPort, SINGLES);
    await rig.worker();
    // Compilers and caches warm up; this is not counted
    const warm = await launched(a, await storeCampaign(a.workspaceId, { recipients: 100, mailboxIds: ofA }));
    await until(async () => (await sentOf(a, warm.campaignId)).length >= 100, {
      deadlineMs: DEADLINE_MS,
      what: "warm",
    });
    const single = async () => {
      const campaign = await launched(b, await storeCampaign(b.workspaceId, { recipients: 1, mailboxIds: ofB }));
      const isSent = async () => (await sentOf(b, campaign.campaignId)).length > 0;
      await until(isSent, { deadlineMs: DEADLINE_MS, what: "the email of B", longestMs: 50 });
      return ((await sentOf(b, campaign.campaignId))[0] ?? 0) - campaign.at;
    };
    const aloneMs: number[] = [];
    for (let turn = 0; turn < SINGLES; turn++) aloneMs.push(await single());

    const burst = await launched(a, await storeCampaign(a.workspaceId, { recipients: BURST, mailboxIds: ofA }));
    await until(async () => (await sentOf(a, burst.campaignId)).length > 0, { deadlineMs: DEADLINE_MS, what: "A" });
    const besideMs: number[] = [];
    for (let turn = 0; turn < SINGLES; turn++) {
      await sleep(SECOND_MS);
      besideMs.push(await single());
      console.error(JSON.stringify({ besideMs: besideMs.at(-1), sent: (await sentOf(a, burst.campaignId)).length }));
    }
    await until(async () => (await sentOf(a, burst.campaignId)).length >= BURST, {
      deadlineMs: DEADLINE_MS,
      what: "A",
    });
    return { aloneMs, besideMs, rate: middleRate(await sentOf(a, burst.campaignId)) };
  } finally {
    await rig.close();
  }
}

export async function launched(
  { rest }: BenchWorkspace,
  campaignId: string,
): Promise<{ campaignId: string; at: number }> {
  const { body } = await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
  if (body.launched !== true) throw new Error(`The campaign was not launched: ${JSON.stringify(body)}`);
  return { campaignId, at: Date.now() };
}

/** When the emails of a campaign were sent, in epoch milliseconds. */
export async function sentOf({ workspaceId }: BenchWorkspace, campaignId: string): Promise<number[]> {
  const sends = await scoped(workspaceId).Send.find({ campaignId, state: "SENT" }, { select: { sentAt: 1 } });
  return sends.map(({ sentAt }) => sentAt?.getTime() ?? 0);
}
