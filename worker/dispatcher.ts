import { setTimeout as sleep } from "node:timers/promises";
import { context, propagation, ROOT_CONTEXT } from "@opentelemetry/api";
import type { Client } from "@temporalio/client";
import pLimit from "p-limit";
import { inTurns, OUTBOX_KINDS, OUTBOX_PARTS, outboxPartOf } from "../domain/outbox.ts";
import { isFeedDue } from "../domain/webhook.ts";
import { OutboxRow } from "../models/outbox-row.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import type { Hold } from "../mongo/lease-holder.ts";
import type { WorkShare } from "../mongo/leases.ts";
import type { Log } from "../runtime/log.ts";
import { fanOutMany } from "../store/webhooks/fan-out.ts";
import { findWaitingFeeds, type WaitingFeed } from "../store/webhooks/first-attempts.ts";
import { startFeed } from "../temporal/starts.ts";
import { type Command, runCommand } from "./follow.ts";

const BATCH = 500;
/** Milliseconds for which rows of other workspaces are looked for. */
const OTHERS_MS = 250;
/**
 * Milliseconds between two reads of the outbox. Rows that arrive in between are handled by the next read, which costs
 * as much for one row as for ten.
 */
const APART_MS = 150;
/** Milliseconds to wait after a failed read. */
const PAUSE_MS = 1_000;
const SLOW_MS = 30_000;

export interface Dispatcher {
  /** Stops after the calls in progress, and gives the parts of the outbox up. */
  stop(): Promise<void>;
}

/**
 * Processes the rows of the outbox in order, of those workspaces whose part of the outbox this process holds. It polls, because a change stream would receive every write of the
 * database and cost more than all these reads. A row is processed at least once; with deterministic ids and unique keys
 * its effect happens once (rules/sending 11.1).
 */
export function startDispatcher(client: () => Client | null, log: Log, share: WorkShare): Dispatcher {
  let isStopped = false;
  const batch = (hold: Hold) => {
    const turn = { parts: new Set(hold.parts), mayWork: () => !isStopped && hold.isHeld() };
    return drain(client(), turn, startFeeds, log);
  };
  let wake = () => {};
  const startFeeds = createFeedStarter(log);
  const running = loop();

  async function loop(): Promise<void> {
    while (!isStopped) {
      const awake = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, APART_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      try {
        while (!isStopped && (await share.use(batch))) {
          // Continues while more than one batch is waiting
        }
      } catch (error) {
        log.warn({ err: error }, "the outbox could not be read");
        await sleep(PAUSE_MS);
      }
      await awake;
    }
  }

  return {
    async stop() {
      isStopped = true;
      wake();
      await running;
      await share.end();
    },
  };
}

interface Turn {
  /** The parts of the outbox to work on. */
  parts: ReadonlySet<number>;
  /** Whether they may still be worked on. */
  mayWork(): boolean;
}

/** Handles one batch. Returns true when another may be waiting. */
async function drain(
  client: Client | null,
  { parts, mayWork }: Turn,
  startFeeds: FeedStarter,
  log: Log,
): Promise<boolean> {
  const oldest = await readOpen(parts);
  const isFull = oldest.length === BATCH;
  // Those of one workspace may fill the batch. No index finds the others, so a very long outbox is read in order
  const seen = [...new Set(oldest.map((row) => row.workspaceId))];
  const others = isFull && client !== null ? await readOpen(parts, seen, OTHERS_MS).catch(() => []) : [];
  const isOwn = ({ workspaceId }: { workspaceId: string }) => parts.has(outboxPartOf(workspaceId));
  const rows = inTurns([...oldest, ...others].filter(isOwn), (row) => row.workspaceId);
  const events = rows.filter((row) => row.kind === "EVENT");
  if (events.length > 0 && mayWork()) {
    await fanOutMany(events);
    await markDispatched(events);
  }
  if (client !== null) {
    const commands = rows.filter((row) => row.kind !== "EVENT");
    const execute = (row: Command) => (mayWork() ? tryCommand(client, row, log) : null);
    const done = await Promise.all(distinctCommands(commands).map((row) => calls(() => execute(row))));
    await markDispatched(commands.filter((row) => done.some((key) => key === commandKeyOf(row))));
    await startFeeds(client, isOwn, mayWork);
    // Rows of version 1.1 may belong to other processes; then there is nothing to do here
    return isFull && rows.length > 0;
  }
  return false;
}

/**
 * The oldest open rows of these parts, without those of some workspaces. `mostMs` 0 waits for them. Rows of version 1.1
 * have no part and are always among them.
 */
function readOpen(parts: ReadonlySet<number>, except: string[] = [], mostMs = 0): Promise<OutboxRow[]> {
  // A newer version that runs at the same time may write kinds that only it knows
  const openRows = { doneAt: null, kind: trusted({ $in: OUTBOX_KINDS }) };
  // A process that holds all parts reads one range of an index instead of 65
  const which = {
    ...openRows,
    ...(parts.size < OUTBOX_PARTS && { part: trusted({ $in: [...parts, null] }) }),
    ...(except.length > 0 && { workspaceId: trusted({ $nin: except }) }),
  };
  return OutboxRow.find(which, null, { acrossWorkspaces: true })
    .sort({ _id: 1 })
    .limit(BATCH)
    .maxTimeMS(mostMs)
    .lean<OutboxRow[]>()
    .exec();
}

const calls = pLimit(8);

/** Drops rows that request the same thing as another row. */
function distinctCommands(rows: Command[]): Command[] {
  return [...new Map(rows.map((row) => [commandKeyOf(row), row])).values()];
}

function commandKeyOf({ kind, payload }: Command): string {
  return `${kind} ${JSON.stringify(payload)}`;
}

async function tryCommand(client: Client, row: Command, log: Log): Promise<string | null> {
  try {
    await context.with(propagation.extract(ROOT_CONTEXT, { traceparent: row.trace ?? undefined }), () =>
      runCommand(client, row),
    );
    return commandKeyOf(row);
  } catch (error) {
    const level = Date.now() - row.createdAt.getTime() > SLOW_MS ? "warn" : "debug";
    log[level]({ err: error, kind: row.kind, workspaceId: row.workspaceId }, "failed to start or signal a workflow");
    return null;
  }
}

async function markDispatched(rows: readonly OutboxRow[]): Promise<void> {
  for (const [workspaceId, own] of Map.groupBy(rows, (row) => row.workspaceId)) {
    await scoped(workspaceId).OutboxRow.updateMany(
      { _id: trusted({ $in: own.map(({ _id }) => _id) }) },
      { $set: { doneAt: new Date() } },
    );
  }
}

/** Starts the feeds of our own subscriptions that have waiting deliveries. */
type FeedStarter = (client: Client, isOwn: (feed: WaitingFeed) => boolean, mayWork: () => boolean) => Promise<void>;

const feedStarts = pLimit(8);

/** Remembers when each feed was started, because starting a running feed costs a useless call to Temporal. */
function createFeedStarter(log: Log): FeedStarter {
  const startedAt = new Map<string, number>();

  async function start(client: Client, { workspaceId, subscriptionId }: WaitingFeed): Promise<void> {
    startedAt.set(subscriptionId, Date.now());
    try {
      await feedStarts(() => startFeed(client, { v: 1, workspaceId, subscriptionId }));
    } catch (error) {
      startedAt.delete(subscriptionId);
      log.warn({ err: error, workspaceId }, "a feed could not be started");
    }
  }

  return async (client, isOwn, mayWork) => {
    const waiting = (await findWaitingFeeds()).filter(isOwn);
    const now = Date.now();
    const isDue = ({ subscriptionId, waitingSince }: WaitingFeed) =>
      isFeedDue(now, { startedAt: startedAt.get(subscriptionId), waitingSince });
    const due = waiting.filter(isDue);
    const still = new Set(waiting.map(({ subscriptionId }) => subscriptionId));
    // A feed that has caught up may have ended, so it is started again as soon as a delivery waits
    for (const [subscriptionId, at] of startedAt) {
      if (!still.has(subscriptionId) && isFeedDue(now, { startedAt: at, waitingSince: now }))
        startedAt.delete(subscriptionId);
    }
    if (mayWork()) await Promise.all(due.map((feed) => start(client, feed)));
  };
}
