import { setTimeout as sleep } from "node:timers/promises";
import { context, propagation, ROOT_CONTEXT } from "@opentelemetry/api";
import type { Client } from "@temporalio/client";
import pLimit from "p-limit";
import { inTurns, OUTBOX_KINDS } from "../domain/outbox.ts";
import { isFeedDue } from "../domain/webhook.ts";
import { OutboxRow } from "../models/outbox-row.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
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
  /** Stops after the batch in progress. */
  stop(): Promise<void>;
}

/**
 * Processes the rows of the outbox in order. It polls, because a change stream would receive every write of the
 * database and cost more than all these reads. A row is processed at least once; with deterministic ids and unique keys
 * its effect happens once (rules/sending 11.1).
 */
export function startDispatcher(client: () => Client | null, log: Log): Dispatcher {
  let isStopped = false;
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
        while (!isStopped && (await drain(client(), startFeeds, log))) {
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
    },
  };
}

/** Handles one batch. Returns true when another may be waiting. */
async function drain(client: Client | null, startFeeds: FeedStarter, log: Log): Promise<boolean> {
  const oldest = await readOpen();
  const isFull = oldest.length === BATCH;
  // Those of one workspace may fill the batch. No index finds the others, so a very long outbox is read in order
  const seen = [...new Set(oldest.map((row) => row.workspaceId))];
  const others = isFull && client !== null ? await readOpen(seen, OTHERS_MS).catch(() => []) : [];
  const rows = inTurns([...oldest, ...others], (row) => row.workspaceId);
  const events = rows.filter((row) => row.kind === "EVENT");
  if (events.length > 0) {
    await fanOutMany(events);
    await markDispatched(events);
  }
  if (client !== null) {
    const commands = rows.filter((row) => row.kind !== "EVENT");
    const done = await Promise.all(distinctCommands(commands).map((row) => calls(() => tryCommand(client, row, log))));
    await markDispatched(commands.filter((row) => done.some((key) => key === commandKeyOf(row))));
    await startFeeds(client);
    return isFull;
  }
  return false;
}

/** The oldest open rows, without those of some workspaces. `mostMs` 0 waits for them. */
function readOpen(except: string[] = [], mostMs = 0): Promise<OutboxRow[]> {
  // A newer version that runs at the same time may write kinds that only it knows
  const openRows = { doneAt: null, kind: trusted({ $in: OUTBOX_KINDS }) };
  const which = except.length === 0 ? openRows : { ...openRows, workspaceId: trusted({ $nin: except }) };
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

/** Starts the feeds of the subscriptions that have waiting deliveries. */
type FeedStarter = (client: Client) => Promise<void>;

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

  return async (client) => {
    const waiting = await findWaitingFeeds();
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
    await Promise.all(due.map((feed) => start(client, feed)));
  };
}
