import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readCounts } from "../../store/campaign-counters.ts";
import { countFromRecords } from "../../store/campaign-metrics.ts";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { storeCampaign } from "../sending/campaigns.ts";
import { median, ms, quantile, type Row, timed } from "../table.ts";

const CAMPAIGNS = 50;
const RECIPIENTS = Number(process.env["BENCH_RECIPIENTS"] ?? 10_000);
const PAGE = 1_000;
const TURNS = 40;
const WARM = 40;
const GOAL_MS = 25;
const LONGEST_MS = 60_000;

/** Measures a list of campaigns with their figures, compared with counting the figures from the records. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { workspaceId, rest } = await rig.workspace();
    const ids: string[] = [];
    for (let count = 0; count < CAMPAIGNS; count++) ids.push(await storeResults(workspaceId));
    const isSame = await haveSameNumbers(workspaceId, ids);
    const plain = "/campaigns?pageSize=50";
    const path = `${plain}&include=metrics`;
    for (let turn = 0; turn < WARM; turn++) await read(rest, path);
    const [withFigures, without, counted]: [number[], number[], number[]] = [[], [], []];
    for (let turn = 0; turn < TURNS; turn++) {
      withFigures.push(await timed(() => read(rest, path)));
      without.push(await timed(() => read(rest, plain)));
      if (turn % 4 === 0) counted.push(await timed(() => countFromRecords(workspaceId, ids, LONGEST_MS)));
    }
    const own = median(withFigures);
    return {
      title: "A list of campaigns with figures",
      how: `${CAMPAIGNS} campaigns of ${RECIPIENTS.toLocaleString("en")} recipients who were all sent an email; p50 of ${TURNS} calls over HTTP, in turns with the list without figures and, each fourth time, with counting the same figures from the records by one query per figure, as version 1.1 did within the call.`,
      measured: [
        {
          what: "GET /campaigns?include=metrics, p50",
          goal: `at most ${GOAL_MS} ms`,
          measured: `${ms(own)} (p95 ${ms(quantile(withFigures, 0.95))})`,
          met: own <= GOAL_MS,
        },
        { what: "the same without figures", goal: "", measured: ms(median(without)), met: null },
        { what: "counting the figures from the records", goal: "", measured: ms(median(counted)), met: null },
        { what: "the counters equal the records", goal: "yes", measured: isSame ? "yes" : "no", met: isSame },
      ],
    };
  } finally {
    await rig.close();
  }
}

/** Stores a campaign whose recipients were all sent an email, some with further results. Returns its id. */
async function storeResults(workspaceId: string): Promise<string> {
  const campaignId = await storeCampaign(workspaceId, { recipients: 1, mailboxIds: [] });
  const { Campaign, CampaignCounter, Recipient, Send } = scoped(workspaceId);
  const compareAt = new Date(Date.now() + LONGEST_MS * 60);
  await CampaignCounter.store({ _id: `${campaignId}:compared`, campaignId, compareAt });
  await Campaign.updateOne({ _id: campaignId }, { $set: { recipientCount: RECIPIENTS + 1 } });
  const [like] = await Recipient.read({ campaignId });
  if (like === undefined) throw new Error("No recipient was stored");
  const { workspaceId: _, createdAt: __, updatedAt: ___, ...recipient } = like;
  for (let start = 0; start < RECIPIENTS; start += PAGE) {
    const people = Array.from({ length: Math.min(PAGE, RECIPIENTS - start) }, (___, index) => start + index);
    const rows = people.map((number) => ({ ...recipient, ...resultOf(number) }));
    await Recipient.bulk(rows.map((insert) => ({ insert })));
    await Send.storeAll(
      rows.map(({ _id: recipientId, email, lastSentAt }, index) => ({
        _id: newId("snd"),
        campaignId,
        recipientId,
        stepId: "stp_0",
        to: email,
        state: index % 50 === 0 ? ("BOUNCED" as const) : ("SENT" as const),
        sentAt: lastSentAt,
        tracking: { opens: true, clicks: true, links: [] },
      })),
    );
  }
  return campaignId;
}

function resultOf(number: number) {
  const _id = newId("rcp");
  const at = new Date(Date.now() - number * 1_000);
  const every = (count: number) => (number % count === 0 ? at : null);
  return {
    _id,
    leadId: newId("led"),
    cid: _id,
    email: `${_id.toLowerCase()}@people.test`,
    status: "COMPLETED" as const,
    lastSentAt: at,
    openedAt: every(3),
    proxyOpenedAt: every(4),
    clickedAt: every(12),
    repliedAt: every(20),
    autoRepliedAt: every(33),
    unsubscribedAt: every(90),
    meetingBooked: number % 200 === 0,
    revenueAmount: number % 400 === 0 ? "1200.50" : null,
    revenueCurrency: number % 400 === 0 ? "EUR" : null,
  };
}

async function haveSameNumbers(workspaceId: string, ids: readonly string[]): Promise<boolean> {
  const counters = await readCounts(workspaceId, ids);
  const records = await countFromRecords(workspaceId, ids, LONGEST_MS);
  return ids.every((id) => {
    const { withPixel: _, withLinks: __, ...kept } = counters.get(id)?.counts ?? {};
    const { withPixel: ___, withLinks: ____, ...counted } = records.get(id)?.counts ?? {};
    const names = Object.keys({ ...kept, ...counted }) as (keyof typeof kept)[]; // its own keys
    return names.length > 0 && names.every((name) => (kept[name] ?? 0) === (counted[name] ?? 0));
  });
}

async function read(rest: Rest, path: string): Promise<void> {
  const { status, body } = await rest.get(path);
  if (status !== 200 || body.items.length !== CAMPAIGNS) throw new Error(`The API answered ${status}`);
}
