import type { GroupBy } from "../../domain/analytics/groups.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { readReport } from "../../operations/analytics/report.ts";
import { rollUp, settledAt } from "../../store/analytics/roll-up.ts";
import { startDatabase } from "../rig.ts";
import { type Measured, median, ms, type Row } from "../table.ts";

const ZONE = "Europe/Berlin";
const CAMPAIGNS = 8;
const DAYS = 180;
const MAILBOXES = 40;
/** Recipients. Each gets three emails; with opens, replies and bounces that makes five events each. */
const PEOPLE = 300_000;
const STEPS = ["stp_1", "stp_2", "stp_3"];
/** The most days between a recipient's first and last event. The newest recipients' last events are now. */
const LONGEST_DAYS = 6;
const AT_ONCE = 5_000;
const RAW_ROUNDS = 3;
const ROUNDS = 9;
const GROUPS: readonly GroupBy[] = ["NONE", "DAY", "HOUR_OF_WEEK", "STEP", "MAILBOX"];

/**
 * Measures a report from stored daily counts and today's records, compared with one aggregation over all records, of
 * ten million events.
 */
export async function run(): Promise<Row> {
  const { close } = await startDatabase();
  try {
    const { workspaceId } = await createWorkspace({ name: "Bench", email: "owner@bench.test" });
    await Workspace.updateOne({ _id: workspaceId }, { $set: { timezone: ZONE } });
    const began = Date.now() - DAYS * DAY_MS;
    const events = await fill(workspaceId, began);
    const campaigns = await Campaign.find({ workspaceId }).lean<Campaign[]>();
    const startedAt = performance.now();
    let days = 0;
    for (const campaign of campaigns) days += await rollUp(campaign, ZONE, settledAt(Date.now()), () => {});
    const rolledMs = performance.now() - startedAt;
    const from = new Date(began - 2 * DAY_MS).toISOString().slice(0, 10);
    const raw = await timed(RAW_ROUNDS, () => rawDays(workspaceId));
    const rawTotals = sumsOf(raw.last);
    const measured: Measured[] = [];
    for (const groupBy of GROUPS) {
      const report = await timed(ROUNDS, () => readReport(workspaceId, { from, groupBy }));
      const { totals } = report.last;
      const isEqual =
        rawTotals.sent === totals.sent &&
        rawTotals.delivered === totals.delivered &&
        rawTotals.replied === totals.replied;
      const ratio = median(report.ms) / median(raw.ms);
      measured.push({
        what: `report by ${groupBy} beside the raw aggregation, p50; ${isEqual ? "equal" : "NOT EQUAL"}`,
        goal: "0.01",
        measured: `${ratio.toFixed(4)} (${ms(median(report.ms))} beside ${ms(median(raw.ms))})`,
        met: isEqual && ratio <= 0.01,
      });
    }
    const each = rolledMs / days;
    measured.push({ what: "counting one day of a campaign", goal: "", measured: ms(each), met: null });
    return {
      title: "Analytics: reports",
      how: `${events.toLocaleString("en")} events (mails, answers, opens, bounces) of ${PEOPLE.toLocaleString("en")} people in ${CAMPAIGNS} campaigns over ${DAYS} days, ${MAILBOXES} mailboxes. The raw aggregation counts mails by day, campaign and state, and people by the day of their answer, open and bounce, in the database. Reports are read as the API reads them, with today's counts from the records. Medians of ${RAW_ROUNDS} and ${ROUNDS} rounds.`,
      measured,
    };
  } finally {
    await close();
  }
}

async function timed<T>(rounds: number, work: () => Promise<T>): Promise<{ ms: number[]; last: T }> {
  const taken: number[] = [];
  let last = await work();
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    last = await work();
    taken.push(performance.now() - startedAt);
  }
  return { ms: taken, last };
}

/**
 * Inserts rows as the engine would store them, directly by the driver, with only the fields that reports read. Returns
 * the number of events.
 */
async function fill(workspaceId: string, began: number): Promise<number> {
  const { Mailbox, Sequence } = scoped(workspaceId);
  const mailboxIds = Array.from({ length: MAILBOXES }, (_, index) => `mbx_${index}`);
  const campaignIds: string[] = [];
  for (let index = 0; index < CAMPAIGNS; index++) {
    const [campaignId, sequenceId] = [newId("cmp"), newId("seq")];
    campaignIds.push(campaignId);
    await scoped(workspaceId).Campaign.insert({
      _id: campaignId,
      name: `c${index}`,
      statusChangedAt: new Date(),
      sequenceId,
      status: "ACTIVE",
    });
    await Sequence.insert({ _id: sequenceId, campaignId, steps: [] });
  }
  await Campaign.collection.updateMany({ workspaceId }, { $set: { createdAt: new Date(began) } });
  await Mailbox.count();
  await Send.collection.dropIndexes();
  await Recipient.collection.dropIndexes();
  let events = 0;
  for (let from = 0; from < PEOPLE; from += AT_ONCE) {
    const [people, mails]: Record<string, unknown>[][] = [[], []];
    for (let index = from; index < from + AT_ONCE; index++) {
      const recipientId = `rcp_${index.toString(36).padStart(8, "0")}`;
      const campaignId = campaignIds[index % CAMPAIGNS] ?? "";
      const mailboxId = mailboxIds[index % MAILBOXES] ?? "";
      const first = began + Math.floor((index / PEOPLE) * (DAYS - LONGEST_DAYS) * DAY_MS);
      const sentAt = STEPS.map((_, step) => new Date(first + step * 3 * DAY_MS));
      const at = (minutes: number) => new Date(first + minutes * MINUTE_MS);
      const isBack = index % 50 === 0;
      for (const [step, stepId] of STEPS.entries()) {
        const ids = { workspaceId, campaignId, recipientId, stepId, variantId: `var_${index % 2}`, mailboxId };
        mails?.push({
          _id: `snd_${index.toString(36)}_${step}`,
          ...ids,
          to: "a@b.test",
          state: isBack && step === 0 ? "BOUNCED" : "SENT",
          sentAt: sentAt[step],
        });
      }
      const facts = {
        lastSentAt: sentAt.at(-1) ?? null,
        repliedAt: index % 10 === 1 ? at(2_000) : null,
        autoRepliedAt: index % 8 === 2 ? at(300) : null,
        openedAt: at(90),
        unsubscribedAt: index % 2 === 0 ? at(5_000) : null,
        bouncedAt: isBack ? at(5) : null,
      };
      events += STEPS.length + Object.values(facts).filter((fact) => fact !== null).length - 1;
      people?.push({
        _id: recipientId,
        workspaceId,
        campaignId,
        email: `${recipientId}@b.test`,
        cid: recipientId,
        leadId: recipientId,
        shard: 0,
        status: "COMPLETED",
        sentCount: STEPS.length,
        meetingBooked: false,
        ...facts,
        ...(isBack && { bounce: { type: "HARD" } }),
      });
    }
    await Send.collection.insertMany((mails ?? []) as never[], { ordered: false });
    await Recipient.collection.insertMany((people ?? []) as never[], { ordered: false });
  }
  await Send.createIndexes();
  await Recipient.createIndexes();
  return events;
}

interface RawDay {
  _id: { day: string; state?: string };
  count: number;
}

/** Queries everything for the report's main figures, as a system without stored daily counts would. */
async function rawDays(workspaceId: string): Promise<{ mails: RawDay[]; people: Record<string, RawDay[]> }> {
  const day = (field: string) => ({ $dateToString: { date: `$${field}`, format: "%Y-%m-%d", timezone: ZONE } });
  const mails = await Send.collection
    .aggregate<RawDay>([
      { $match: { workspaceId, state: { $in: ["SENT", "BOUNCED"] } } },
      { $group: { _id: { day: day("sentAt"), state: "$state", campaignId: "$campaignId" }, count: { $sum: 1 } } },
    ])
    .toArray();
  const people: Record<string, RawDay[]> = {};
  for (const field of ["repliedAt", "autoRepliedAt", "openedAt", "unsubscribedAt", "bouncedAt"])
    people[field] = await Recipient.collection
      .aggregate<RawDay>([
        { $match: { workspaceId, [field]: { $gt: new Date(0) } } },
        { $group: { _id: { day: day(field), campaignId: "$campaignId" }, count: { $sum: 1 } } },
      ])
      .toArray();
  return { mails, people };
}

function sumsOf({ mails, people }: Awaited<ReturnType<typeof rawDays>>) {
  const sum = (rows: readonly RawDay[]) => rows.reduce((all, { count }) => all + count, 0);
  return {
    sent: sum(mails),
    delivered: sum(mails.filter(({ _id }) => _id.state === "SENT")),
    replied: sum(people["repliedAt"] ?? []),
  };
}
