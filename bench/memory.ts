import { setTimeout as sleep } from "node:timers/promises";
import { trusted } from "../models/collection.ts";
import { scoped } from "../models/scoped.ts";
import { until } from "../test/fakes/wait.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";
import { memoryOf } from "./processes.ts";
import { startRig } from "./rig.ts";
import type { Row } from "./table.ts";

const SLEEPING = 9_500;
const SENDING = 500;
const IDLE_MS = 5_000;
const DEADLINE_MS = 400_000;

/** The worker while 10,000 recipients' workflows are open, and the API with nothing to do. */
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
    const active = await storeCampaign(workspaceId, { recipients: SENDING, mailboxIds, delays: [{ ...soon, value: 0 }, days] });
    const waiting = await storeCampaign(workspaceId, { recipients: SLEEPING, mailboxIds, delays: [soon, days] });
    for (const campaignId of [waiting, active]) await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
    const opened = async () => {
      const admitted = await scoped(workspaceId).Recipient.count({ admittedAt: trusted({ $type: "date" }) });
      return admitted === SLEEPING + SENDING && (await rig.sink.counts()).mails === SENDING;
    };
    await until(opened, { deadlineMs: DEADLINE_MS, what: "every recipient to be open" });
    await sleep(IDLE_MS);
    const { now, peak } = await memoryOf(worker.pid);
    const mb = (megabytes: number) => `${megabytes.toFixed(0)} MB`;
    return {
      title: "Memory",
      how: `${SENDING} recipients have got their first mail and sleep for days, ${(SLEEPING).toLocaleString("en")} are open with a start delay; resident memory of the processes.`,
      measured: [
        { what: "worker, highest while 10,000 recipients were opened", goal: "under 900 MB", measured: mb(peak), met: peak < 900 },
        { what: "worker, afterwards; before", goal: "", measured: `${mb(now)}; ${mb(before.now)}`, met: null },
        { what: "API, idle", goal: "under 200 MB", measured: mb(api.now), met: api.now < 200 },
      ],
    };
  } finally {
    await rig.close();
  }
}
