import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { admitRecipient } from "../../temporal/starts.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import { storeCampaign, storeMailboxes } from "../sending/campaigns.ts";
import type { Row } from "../table.ts";
import { memoryOf } from "./processes.ts";

const SLEEPING = 9_500;
const SENDING = 500;
const IDLE_MS = 5_000;
const WAIT_MS = 20 * MINUTE_MS;
const LOOK_MS = 5_000;
const DEADLINE_MS = 400_000;

/** Measures the memory of the worker while the workflows of 10,000 recipients are open, and of the idle API. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const worker = await rig.worker();
    const { workspaceId, rest } = await rig.workspace();
    const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, 50);
    await rest.get("/whoami");
    await sleep(IDLE_MS);
    const [api, before] = [await memoryOf(rig.api.pid), await memoryOf(worker.pid)];
    const [soon, days] = [
      { value: 20, unit: "MINUTES" as const },
      { value: 3, unit: "DAYS" as const },
    ];
    const active = await storeCampaign(workspaceId, {
      recipients: SENDING,
      mailboxIds,
      delays: [{ ...soon, value: 0 }, days],
    });
    const waiting = await storeCampaign(workspaceId, { recipients: SLEEPING, mailboxIds, delays: [soon, days] });
    await open(rig, workspaceId, waiting);
    await rest.post(`/campaigns/${active}/control`, { action: "launch" });
    const opened = async () => {
      await sleep(LOOK_MS); // shorter pauses would measure the counting itself
      const admitted = await scoped(workspaceId).Recipient.count({ admittedAt: trusted({ $type: "date" }) });
      const { mails } = await rig.sink.counts();
      console.error(`${admitted} recipients are open, ${mails} have a mail`);
      return admitted === SLEEPING + SENDING && mails === SENDING;
    };
    await until(opened, { deadlineMs: DEADLINE_MS, what: "every recipient to be open" });
    await sleep(IDLE_MS);
    const { now, peak } = await memoryOf(worker.pid);
    const mb = (megabytes: number) => `${megabytes.toFixed(0)} MB`;
    return {
      title: "Memory",
      how: `${SENDING} recipients have got their first mail and sleep for days, ${(SLEEPING).toLocaleString("en")} are open with a start delay (opened by the bench: the feeder's pace is not what is measured); resident memory of the processes.`,
      measured: [
        {
          what: "worker, highest while 10,000 recipients were opened",
          goal: "under 900 MB",
          measured: mb(peak),
          met: peak < 900,
        },
        { what: "worker, afterwards; before", goal: "", measured: `${mb(now)}; ${mb(before.now)}`, met: null },
        { what: "API, idle", goal: "under 200 MB", measured: mb(api.now), met: api.now < 200 },
      ],
    };
  } finally {
    await rig.close();
  }
}

/** Starts the workflows of recipients whose first slot is some minutes away, as the feeder does. */
async function open({ client }: Rig, workspaceId: string, campaignId: string): Promise<void> {
  const { Recipient } = scoped(workspaceId);
  await Recipient.updateMany(
    { campaignId },
    { $set: { admittedAt: new Date(), nextStepId: "stp_0", nextSendAt: new Date(Date.now() + WAIT_MS) } },
  );
  const recipients = await Recipient.find({ campaignId }, { select: { _id: 1 } });
  const calls = pLimit(32);
  await Promise.all(
    recipients.map(({ _id }) =>
      calls(() => admitRecipient(client, { v: 1, workspaceId, campaignId, recipientId: _id }, WAIT_MS)),
    ),
  );
}
