import mongoose from "mongoose";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { loadHappenings } from "../../store/analytics/outcomes.ts";
import { countFromRecords } from "../../store/campaign-metrics.ts";
import { loadHoldOutArms } from "../../store/campaigns/hold-out-arms.ts";
import { startDatabase } from "../rig.ts";
import { storeCampaign } from "../sending/campaigns.ts";
import { median, ms, type Row, timed } from "../table.ts";

const RECIPIENTS = Number(process.env["BENCH_RECIPIENTS"] ?? 100_000);
const PAGE = 1_000;
const WRITTEN = 5_000;
const ROUNDS = 5;
const GOAL = 16;
const LONGEST_MS = 10 * MINUTE_MS;
const DAYS = 30;

/** The indexes that only figures and reports read (docs/decisions/recipient-indexes.md). */
const ONLY_FOR_FIGURES = [
  "lastSentAt",
  "openedAt",
  "proxyOpenedAt",
  "clickedAt",
  "repliedAt",
  "autoRepliedAt",
  "bouncedAt",
  "unsubscribedAt",
  "meetingBooked",
  "revenueAmount",
  "stopReason",
  "reportedOutcome.at",
  "assignedShare",
];
/** One index in place of two, because every query names the workspace. */
const MERGED = {
  old: ["campaignId_1_email_1", "workspaceId_1_email_1"],
  key: { workspaceId: 1, email: 1, campaignId: 1 },
} as const;

/** Measures what the indexes of recipients cost, and which reads need those that the plan drops. */
export async function run(): Promise<Row> {
  const database = await startDatabase();
  try {
    const { workspaceId } = await createWorkspace({ name: "Bench", email: "owner@bench.test" });
    const campaignId = await storeCampaign(workspaceId, { recipients: 1, mailboxIds: [] });
    await storePeople(workspaceId, campaignId);
    const all = (await Recipient.collection.indexes()).filter(({ name }) => name !== "_id_");
    const kept = all.filter(({ name, key }) => !isDropped(String(name), Object.keys(key)));
    const planned = [...kept, { key: MERGED.key, name: "merged", unique: true }];
    const sets = { now: all, planned };
    const works = worksOf(workspaceId, campaignId);
    const times = new Map<string, Record<keyof typeof sets, number[]>>();
    const bytes = { now: 0, planned: 0 };
    for (let round = 0; round < ROUNDS; round++)
      for (const name of ["now", "planned"] as const) {
        await setIndexes(sets[name]);
        bytes[name] = await indexBytes();
        for (const [what, work] of Object.entries(works)) {
          await work(); // caches
          const of = times.get(what) ?? { now: [], planned: [] };
          of[name].push(await timed(work));
          times.set(what, of);
        }
      }
    const compared = [...times].map(([what, of]) => ({ what, now: median(of.now), planned: median(of.planned) }));
    return {
      title: "Indexes of recipients",
      how: `A campaign of ${RECIPIENTS.toLocaleString("en")} recipients with results of ${DAYS} days, with the indexes of the model and with those of the plan in docs/decisions/recipient-indexes.md, in turns; medians of ${ROUNDS}.`,
      measured: [
        {
          what: "indexes of a recipient: planned, now",
          goal: `at most ${GOAL}`,
          measured: `${planned.length + 1}, ${all.length + 1}`,
          met: planned.length + 1 <= GOAL,
        },
        {
          what: "bytes of indexes for each recipient: planned, now",
          goal: "",
          measured: `${(bytes.planned / RECIPIENTS).toFixed(0)}, ${(bytes.now / RECIPIENTS).toFixed(0)}`,
          met: null,
        },
      ],
      runs: {
        title: "Planned beside now",
        head: ["work", "now", "planned", "planned of now"],
        lines: compared.map(({ what, now, planned }) => [what, ms(now), ms(planned), (planned / now).toFixed(2)]),
      },
    };
  } finally {
    await database.close();
  }
}

function isDropped(name: string, fields: string[]): boolean {
  return (MERGED.old as readonly string[]).includes(name) || ONLY_FOR_FIGURES.includes(fields[2] ?? "");
}

type Description = Awaited<ReturnType<typeof Recipient.collection.indexes>>[number];

async function setIndexes(wanted: readonly Partial<Description>[]): Promise<void> {
  const present = (await Recipient.collection.indexes()).map(({ name }) => String(name));
  const names = wanted.map(({ name }) => String(name));
  for (const name of present) if (name !== "_id_" && !names.includes(name)) await Recipient.collection.dropIndex(name);
  for (const { key, v: _, ...options } of wanted)
    if (key !== undefined && !present.includes(String(options.name)))
      await Recipient.collection.createIndex(key, options);
}

async function indexBytes(): Promise<number> {
  const [stats] = await Recipient.collection
    .aggregate<{ storageStats: { totalIndexSize: number } }>([{ $collStats: { storageStats: {} } }])
    .toArray();
  return stats?.storageStats.totalIndexSize ?? 0;
}

function worksOf(workspaceId: string, campaignId: string): Record<string, () => Promise<unknown>> {
  const { Campaign, Recipient: People } = scoped(workspaceId);
  const today = { from: new Date(Date.now() - DAY_MS), to: new Date() };
  const some = Array.from({ length: PAGE }, (_, index) => emailOf(index * 7));
  let turn = 0;
  const of = { workspaceId, campaignId };
  return {
    [`the writes of ${WRITTEN.toLocaleString("en")} emails to their recipients`]: async () => {
      const at = new Date(Date.now() + ++turn);
      for (let start = 0; start < WRITTEN; start += PAGE)
        await writeAll(
          Array.from({ length: PAGE }, (_, index) => ({
            filter: { ...of, email: emailOf(start + index) },
            update: { $set: { lastSentAt: at, nextSendAt: at, sentCount: turn } },
          })),
        );
    },
    [`${WRITTEN.toLocaleString("en")} further recipients stored and removed`]: async () => {
      const [like] = await Recipient.collection.find({ ...of, email: emailOf(1) }).toArray();
      const ids = Array.from({ length: WRITTEN }, () => newId("rcp"));
      for (let start = 0; start < WRITTEN; start += PAGE)
        await Recipient.collection.insertMany(
          ids
            .slice(start, start + PAGE)
            .map((_id) => ({ ...like, _id, cid: _id, email: `${_id}@more.test` })) as never[],
        );
      await Recipient.collection.deleteMany({ _id: { $in: ids } } as never);
    },
    "1,000 addresses looked up before they are added": () => People.find({ campaignId, email: trusted({ $in: some }) }),
    "the counters of the campaign compared with its records": () =>
      countFromRecords(workspaceId, [campaignId], LONGEST_MS),
    "the report of the present day": () => loadHappenings(workspaceId, [campaignId], today),
    "the people removed before any email, counted": () =>
      People.count({ campaignId, stopReason: "REMOVED", sentCount: 0 }),
    "the groups of a hold-out compared": async () => {
      const campaign = await Campaign.get(campaignId);
      return campaign && loadHoldOutArms(campaign);
    },
  };
}

function writeAll(updates: readonly { filter: object; update: object }[]) {
  return Recipient.collection.bulkWrite(updates.map((updateOne) => ({ updateOne })) as never[], {
    writeConcern: { w: "majority" },
  });
}

function emailOf(number: number): string {
  return `person${number}@people.test`;
}

/** Stores recipients who were all sent an email over the last days, some with further results. */
async function storePeople(workspaceId: string, campaignId: string): Promise<void> {
  const { Recipient: People, Send } = scoped(workspaceId);
  const [like] = await People.read({ campaignId });
  if (like === undefined) throw new Error("No recipient was stored");
  const { workspaceId: _, createdAt: __, updatedAt: ___, ...recipient } = like;
  for (let start = 0; start < RECIPIENTS; start += PAGE) {
    const rows = Array.from({ length: PAGE }, (____, index) => ({ ...recipient, ...resultOf(start + index) }));
    await People.bulk(rows.map((insert) => ({ insert })));
    await Send.storeAll(
      rows.map(({ _id: recipientId, email, lastSentAt }) => ({
        _id: newId("snd"),
        campaignId,
        recipientId,
        stepId: "stp_0",
        to: email,
        state: "SENT" as const,
        sentAt: lastSentAt,
      })),
    );
  }
  await mongoose.connection.db?.admin().command({ fsync: 1 });
}

function resultOf(number: number) {
  const _id = newId("rcp");
  const at = new Date(Date.now() - ((number * 7_919) % ((DAYS * DAY_MS) / MINUTE_MS)) * MINUTE_MS);
  const every = (count: number) => (number % count === 0 ? at : null);
  return {
    _id,
    leadId: newId("led"),
    cid: _id,
    email: emailOf(number),
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
