import { setTimeout as sleep } from "node:timers/promises";
import { scoped } from "../../models/scoped.ts";
import { until } from "../../test/fakes/wait.ts";
import { startRig } from "../rig.ts";
import { ms, quantile, type Row, spread } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";

const KILLS = 20;
const RECIPIENTS = 12_000;
const MAILBOXES = 50;
/** Milliseconds of sending before the next kill. */
const SENDING_MS = { least: 2_000, more: 3_000 };
const GOAL_MS = 45_000;

/**
 * Measures for how long no email is sent when the worker is killed in the middle of sending and another one is started
 * immediately.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    await rig.worker();
    const { workspaceId, rest } = await rig.workspace();
    const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, MAILBOXES);
    const campaignId = await storeCampaign(workspaceId, { recipients: RECIPIENTS, mailboxIds });
    await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
    const silences: number[] = [];
    let inFlight = 0;
    while (silences.length < KILLS) {
      await mailsComing();
      await sleep(SENDING_MS.least + SENDING_MS.more * Math.random());
      await rig.killWorker();
      const killedAt = performance.now();
      inFlight += await scoped(workspaceId).Send.count({ campaignId, state: "SENDING" });
      await rig.sink.take();
      await rig.worker();
      await mailsComing();
      silences.push(performance.now() - killedAt);
    }
    return rowOf(silences, inFlight);
  } finally {
    await rig.close();
  }

  async function mailsComing(): Promise<void> {
    await until(async () => (await rig.sink.counts()).mails > 0, {
      deadlineMs: 180_000,
      what: "a mail",
      longestMs: 50,
    });
  }
}

function rowOf(silences: number[], inFlight: number): Row {
  const p95 = quantile(silences, 0.95);
  return {
    title: "After a SIGKILL of the worker",
    how: `A campaign of ${RECIPIENTS.toLocaleString("en")} recipients on ${MAILBOXES} mailboxes; the worker is killed ${KILLS} times in the middle of sending and restarted immediately. The time is measured from the kill to the first email that the SMTP server accepts, including the start.`,
    measured: [
      { what: "first email, p95", goal: "45 s", measured: ms(p95), met: p95 < GOAL_MS },
      {
        what: "first email, p50",
        goal: "",
        measured: `${ms(quantile(silences, 0.5))} (${spread(silences, 0)})`,
        met: null,
      },
      { what: "claims that the kills left behind", goal: "", measured: String(inFlight), met: null },
    ],
  };
}
