import { Job } from "../models/job.ts";
import { Mailbox } from "../models/mailboxes/mailbox.ts";
import { OutboxRow } from "../models/outbox-row.ts";
import { Send } from "../models/sending/send.ts";
import { WebhookDelivery } from "../models/webhook-delivery.ts";
import { trusted } from "../mongo/collection.ts";
import { countOverdue } from "./recipients/overdue.ts";

/**
 * What is waiting to be processed in the whole deployment, for operators. Lags are in milliseconds, zero while nothing
 * waits.
 */
export interface Backlog {
  recipientsOverdue: number;
  /** How many emails are held back now because the database is slow, at most 10,000. */
  heldBack: number;
  /** Counts by status. */
  mailboxes: Record<string, number>;
  imapLagMs: number;
  outboxRows: number;
  outboxLagMs: number;
  webhooksWaiting: number;
  webhookLagMs: number;
  jobs: Record<string, number>;
  jobLagMs: number;
}

/** Counting stops at this number, because a larger one would tell an operator nothing more and cost time. */
const MOST = 10_000;
const ACROSS = { acrossWorkspaces: true };
const OPEN_JOBS = ["QUEUED", "RUNNING"] as const;

interface Group {
  _id: string;
  count: number;
  oldest: Date | null;
}

/** Reads the backlog, each number from an index. */
export async function loadBacklog(now: number): Promise<Backlog> {
  const msSince = (instant: Date | null | undefined) => (instant == null ? 0 : Math.max(0, now - instant.getTime()));
  const [recipientsOverdue, heldBack, mailboxes, jobs, outbox, webhooks] = await Promise.all([
    countOverdue(now),
    countHeldBack(now),
    Mailbox.aggregate<Group>([
      { $group: { _id: "$status", count: { $sum: 1 }, oldest: { $min: "$lastSyncAt" } } },
    ]).option(ACROSS),
    Job.aggregate<Group>([
      { $match: { status: { $in: OPEN_JOBS } } },
      { $group: { _id: "$status", count: { $sum: 1 }, oldest: { $min: "$updatedAt" } } },
    ]).option(ACROSS),
    outboxBacklog(),
    webhookBacklog(),
  ]);
  return {
    recipientsOverdue,
    heldBack,
    mailboxes: countsById(mailboxes),
    imapLagMs: msSince(mailboxes.find(({ _id }) => _id === "CONNECTED")?.oldest),
    outboxRows: outbox.rows,
    outboxLagMs: msSince(outbox.oldest),
    webhooksWaiting: webhooks.waiting,
    webhookLagMs: msSince(webhooks.due),
    jobs: countsById(jobs),
    jobLagMs: Math.max(0, ...jobs.map(({ oldest }) => msSince(oldest))),
  };
}

/** How many emails are held back now because the database is slow (rules/sending 5.9). */
export function countHeldBack(now: number): Promise<number> {
  return Send.countDocuments({ "heldBack.until": trusted({ $gt: new Date(now) }) })
    .setOptions(ACROSS)
    .limit(MOST);
}

function countsById(groups: readonly Group[]): Record<string, number> {
  return Object.fromEntries(groups.map(({ _id, count }) => [_id, count]));
}

async function outboxBacklog(): Promise<{ rows: number; oldest: Date | null }> {
  const [rows, oldest] = await Promise.all([
    OutboxRow.countDocuments({ doneAt: null }).setOptions(ACROSS).limit(MOST),
    OutboxRow.findOne({ doneAt: null }, { createdAt: 1 }, ACROSS).sort({ _id: 1 }).lean<Pick<OutboxRow, "createdAt">>(),
  ]);
  return { rows, oldest: oldest?.createdAt ?? null };
}

/** `due` is the earliest instant at which an attempt is due. If it lies in the future, no attempt is late. */
async function webhookBacklog(): Promise<{ waiting: number; due: Date | null }> {
  const [waiting, next] = await Promise.all([
    WebhookDelivery.countDocuments({ waitsFor: trusted({ $gt: "" }) })
      .setOptions(ACROSS)
      .limit(MOST),
    WebhookDelivery.findOne({ nextAttemptAt: trusted({ $type: "date" }) }, { nextAttemptAt: 1 }, ACROSS)
      .sort({ nextAttemptAt: 1 })
      .lean<Pick<WebhookDelivery, "nextAttemptAt">>(),
  ]);
  return { waiting, due: next?.nextAttemptAt ?? null };
}
