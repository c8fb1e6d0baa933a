import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { closeGates } from "../../store/campaigns/gates.ts";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { median, ms, quantile, type Row } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";

const SMALL = 1_000;
const LARGE = 100_000;
const LAUNCHES = 40;

/** Measures a launch. It only changes a status, so the response must not be slower for more recipients. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { workspaceId, rest } = await rig.workspace();
    const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, 10);
    const small = await storeCampaign(workspaceId, { recipients: SMALL, mailboxIds });
    const large = await storeCampaign(workspaceId, { recipients: LARGE, mailboxIds });
    const [smallMs, largeMs]: [number[], number[]] = [[], []];
    await launched(workspaceId, rest, small);
    const first = await launched(workspaceId, rest, large);
    for (let turn = 0; turn < LAUNCHES; turn++) {
      smallMs.push(await launched(workspaceId, rest, small));
      largeMs.push(await launched(workspaceId, rest, large));
    }
    return rowOf(smallMs, largeMs, first);
  } finally {
    await rig.close();
  }
}

/** Launches a campaign and makes it a draft again. Returns the milliseconds until the response. */
async function launched(workspaceId: string, rest: Rest, campaignId: string): Promise<number> {
  const started = performance.now();
  const { body } = await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
  const took = performance.now() - started;
  if (body.launched !== true) throw new Error(`The campaign was not launched: ${JSON.stringify(body)}`);
  await inTransaction(async () => {
    await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { status: "DRAFT", launchedAt: null } });
    await closeGates(workspaceId, campaignId);
  });
  return took;
}

function rowOf(smallMs: number[], largeMs: number[], first: number): Row {
  const growth = median(largeMs) / median(smallMs);
  const line = (recipients: number, took: number[]) => ({
    what: `launch with ${recipients.toLocaleString("en")} recipients, p50`,
    goal: "under 150 ms",
    measured: `${ms(median(took))} (p95 ${ms(quantile(took, 0.95))})`,
    met: median(took) < 150,
  });
  return {
    title: "Launch: response time",
    how: `Over HTTP, with the API in its own process: ${LAUNCHES} launches of each campaign, alternating. No worker is running. The audience is validated in both.`,
    measured: [
      line(SMALL, smallMs),
      line(LARGE, largeMs),
      {
        what: "growth of the p50",
        goal: "less than 1.3 times",
        measured: `${growth.toFixed(2)} times`,
        met: growth < 1.3,
      },
      { what: `the first launch with ${LARGE.toLocaleString("en")}`, goal: "", measured: ms(first), met: null },
    ],
  };
}
