import mongoose from "mongoose";
import { startRig } from "../rig.ts";
import { profiled } from "../system/processes.ts";
import type { Row } from "../table.ts";
import { mailerOf } from "./mails.ts";

const WARM_RECIPIENTS = 30;
const RECIPIENTS = 100;
const STEPS = 2;
/** Bytes for what the profiler reports; it drops the oldest entries beyond them. */
const PROFILE_BYTES = 512 * 1024 * 1024;

interface Commands {
  _id: string;
  reads: number;
  writes: number;
  examined: number;
  keys: number;
}

/** Counts what MongoDB does for each email of a campaign, by collection, as its own profiler reports it. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { pid } = await rig.worker(profiled());
    const mail = await mailerOf(rig, pid, false);
    await mail(WARM_RECIPIENTS);
    const { db } = mongoose.connection;
    if (db === undefined) throw new Error("MongoDB is not connected");
    await db.command({ profile: 0 });
    await db.dropCollection("system.profile").catch(() => {});
    await db.createCollection("system.profile", { capped: true, size: PROFILE_BYTES });
    const aborted = await transactionsAborted();
    await db.command({ profile: 2 });
    await mail(RECIPIENTS);
    await db.command({ profile: 0 });
    const again = (await transactionsAborted()) - aborted;
    const found = await db.collection("system.profile").aggregate<Commands>(byCollection(db.databaseName)).toArray();
    return rowOf(found, again);
  } finally {
    await rig.close();
  }
}

async function transactionsAborted(): Promise<number> {
  const status = await mongoose.connection.db?.admin().serverStatus();
  return status?.["transactions"]?.totalAborted ?? 0;
}

function byCollection(database: string): object[] {
  const isRead = { $in: ["$op", ["query", "getmore"]] };
  const isAggregation = { $ne: [{ $type: "$command.aggregate" }, "missing"] };
  const isChange = {
    $or: [
      { $in: ["$op", ["insert", "update", "remove"]] },
      { $ne: [{ $type: "$command.findAndModify" }, "missing"] },
      { $ne: [{ $type: "$command.findandmodify" }, "missing"] },
    ],
  };
  const reads = { $sum: { $cond: [{ $or: [isRead, isAggregation] }, 1, 0] } };
  const keys = { $sum: { $add: [{ $ifNull: ["$keysInserted", 0] }, { $ifNull: ["$keysDeleted", 0] }] } };
  return [
    { $match: { ns: { $regex: `^${database}\\.(?!system\\.|\\$cmd)` } } },
    {
      $group: {
        _id: { $substrCP: ["$ns", database.length + 1, 100] },
        reads,
        writes: { $sum: { $cond: [isChange, 1, 0] } },
        examined: { $sum: { $ifNull: ["$docsExamined", 0] } },
        keys,
      },
    },
    // Less than one in a hundred emails is the work of rounds beside the campaign
    { $match: { $expr: { $gte: [{ $add: ["$reads", "$writes"] }, (RECIPIENTS * STEPS) / 50] } } },
    { $sort: { writes: -1, reads: -1, _id: 1 } },
  ];
}

function rowOf(found: readonly Commands[], again: number): Row {
  const emails = RECIPIENTS * STEPS;
  const each = (count: number) => (count / emails).toFixed(2);
  const sum = (name: Exclude<keyof Commands, "_id">) => found.reduce((all, one) => all + one[name], 0);
  const shown = (what: string, measured: string) => ({ what, goal: "", measured, met: null });
  return {
    title: "What each email reads and writes",
    how: `A campaign of ${RECIPIENTS} recipients and ${STEPS} emails each, from its launch to its last email, as MongoDB's profiler reports it. Admission, the outbox and the rounds of the worker meanwhile are included. Index keys are those inserted or deleted. A transaction is aborted when it meets a conflict, and is then tried again.`,
    measured: [
      shown("reads per email", each(sum("reads"))),
      shown("writes per email", each(sum("writes"))),
      shown("documents examined per email", each(sum("examined"))),
      shown("index keys written per email", each(sum("keys"))),
      shown("transactions aborted per 1,000 emails", ((1_000 * again) / emails).toFixed(0)),
    ],
    runs: {
      head: ["collection", "reads", "writes", "documents examined", "index keys"],
      lines: found.map(({ _id, reads, writes, examined, keys }) => [
        _id,
        each(reads),
        each(writes),
        each(examined),
        each(keys),
      ]),
    },
  };
}
