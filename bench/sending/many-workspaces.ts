import pLimit from "p-limit";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { until } from "../../test/fakes/wait.ts";
import { startRig } from "../rig.ts";
import { median, type Row } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";
import { launched, sentOf } from "./fairness.ts";

const WORKSPACES = 100;
const RECIPIENTS = Number(process.env["BENCH_RECIPIENTS"] ?? 100);
const WARM = 100;
/** The API refuses more calls at the same time. */
const calls = pLimit(10);
const DEADLINE_MS = 20 * MINUTE_MS;

/** Measures how far apart workspaces that launch together are done. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const first = await rig.workspace();
    const warmFrom = await storeMailboxes(first.workspaceId, rig.keyRing, rig.sink.smtpPort, 10);
    await rig.worker();
    // Compilers and caches warm up; this is not counted
    const warm = await launched(
      first,
      await storeCampaign(first.workspaceId, { recipients: WARM, mailboxIds: warmFrom }),
    );
    const isWarm = async () => (await sentOf(first, warm.campaignId)).length >= WARM;
    await until(isWarm, { deadlineMs: DEADLINE_MS, what: "warm" });

    const prepared = [];
    for (let count = 0; count < WORKSPACES; count++) {
      const workspace = await rig.workspace();
      const mailboxIds = await storeMailboxes(workspace.workspaceId, rig.keyRing, rig.sink.smtpPort, 1);
      prepared.push({
        workspace,
        campaignId: await storeCampaign(workspace.workspaceId, { recipients: RECIPIENTS, mailboxIds }),
      });
    }
    await rig.sink.take();
    const begun = Date.now();
    await Promise.all(prepared.map(({ workspace, campaignId }) => calls(() => launched(workspace, campaignId))));
    const areSent = async () => (await rig.sink.counts()).mails >= WORKSPACES * RECIPIENTS;
    await until(areSent, { deadlineMs: DEADLINE_MS, what: "the emails of all workspaces", longestMs: SECOND_MS });
    const finished: number[] = [];
    for (const { workspace, campaignId } of prepared) {
      const isRecorded = async () => (await sentOf(workspace, campaignId)).length === RECIPIENTS;
      await until(isRecorded, { deadlineMs: DEADLINE_MS, what: "the last records" });
      finished.push(Math.max(...(await sentOf(workspace, campaignId))) - begun);
    }
    const [slowest, middle, fastest] = [Math.max(...finished), median(finished), Math.min(...finished)];
    return {
      title: "Workspaces that launch together",
      how: `${WORKSPACES} workspaces with one mailbox each, without gap or cap, launch a campaign of ${RECIPIENTS} recipients at the same moment on one worker. From then until the last email of each.`,
      measured: [
        {
          what: "the slowest compared with the median",
          goal: "at most 1.3",
          measured: `${(slowest / middle).toFixed(2)} (fastest ${seconds(fastest)}, median ${seconds(middle)}, slowest ${seconds(slowest)})`,
          met: slowest / middle <= 1.3,
        },
      ],
    };
  } finally {
    await rig.close();
  }
}

const seconds = (ms: number) => `${(ms / SECOND_MS).toFixed(1)} s`;
