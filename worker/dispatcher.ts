import { setTimeout as sleep } from "node:timers/promises";
import { context, propagation, ROOT_CONTEXT } from "@opentelemetry/api";
import type { Client } from "@temporalio/client";
import pLimit from "p-limit";
import { inTurns, OUTBOX_KINDS, OUTBOX_PARTS, outboxPartOf } from "../domain/outbox.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
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
/** Milliseconds that a read of the outbox may take, and one for rows of other workspaces. */
const READ_MS = 10_000;
const OTHERS_MS = 250;
/** Milliseconds that one start or signal may take. */
const CALL_MS = 20_000;
/** Milliseconds after which no further row of a batch is begun, so that the next read finds rows of other workspaces. */
const BATCH_MS = 500;
/** How many rows of a batch are begun in any case, so that some that hang do not keep the others back. */
const LEAST_BEGUN = 16;
/** Milliseconds after which a batch surely hangs. */
const HUNG_MS = 2 * MINUTE_MS;
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
 * Processes the rows of the outbox in order, of those workspaces whose part of the outbox this process holds. It polls,
 * because a change stream would receive every write of the database and cost more than all these reads. A row is
 * processed at least once; with deterministic ids and unique keys its effect happens once (rules/sending 11.1).
 */
export function startDispatcher(client: () => Client | null, log: Log, share: WorkShare): Dispatcher {
  let isStopped = false;
  const batch = (hold: Hold) => {
    const mayWork = (workspaceId?: string) =>
      !isStopped && (workspaceId === undefined ? hold.isHeld() : hold.isWanted(outboxPartOf(workspaceId)));
    const turn = { parts: new Set(hold.parts), mayWork };
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
        while (!isStopped && (await share.use(batch, HUNG_MS))) {
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
  /** Whether they may still be worked on; with a workspace, whether no other process waits for its part either. */
  mayWork(workspaceId?: string): boolean;
}

/** Handles one batch. Returns true when another may be waiting. */
async function drain(
  client: Client | null,
  { parts, mayWork }: Turn,
  startFeeds: FeedStarter,
  log: Log,
): Promise<boolean> {
  const isOwn = ({ workspaceId }: { workspaceId: string }) => parts.has(outboxPartOf(workspaceId));
  const { oldest, isFull } = await readOldest(parts, isOwn);
  // Those of one workspace may fill the batch
  const others = isFull && client !== null ? await readOthers(parts, oldest) : [];
  const rows = inTurns([...oldest, ...others].filter(isOwn), (row) => row.workspaceId);
  const events = rows.filter((row) => row.kind === "EVENT");
  if (events.length > 0 && mayWork()) {
    await fanOutMany(events);
    await markDispatched(events);
  }
  if (client !== null) {
    const commands = rows.filter((row) => row.kind !== "EVENT");
    const lastAt = performance.now() + BATCH_MS;
    let begun = 0;
    let isCut = false;
    const execute = (row: Command) => {
      if (!mayWork(row.workspaceId)) return null;
      isCut ||= ++begun > LEAST_BEGUN && performance.now() >= lastAt;
      return isCut ? null : tryCommand(client, row, log);
    };
    const done = await Promise.all(distinctCommands(commands).map((row) => calls(() => execute(row))));
    await markDispatched(commands.filter((row) => done.some((key) => key === commandKeyOf(row))));
    await startFeeds(client, isOwn, mayWork);
    return isFull || isCut;
  }
  return false;
}

/** The parts whose rows are read, with the rows of version 1.1, which have none. Null reads all. */
function whichParts(parts: ReadonlySet<number>): (number | null)[] | null {
  // A process that holds all parts reads one range of an index instead of 65
  return parts.size === OUTBOX_PARTS ? null : [...parts, null];
}

/** The oldest open rows of our own, and whether more may be waiting. */
async function readOldest(parts: ReadonlySet<number>, isOwn: (row: OutboxRow) => boolean) {
  const read = await readOpen(whichParts(parts));
  const own = read.filter(isOwn);
  if (read.length < BATCH || own.length > BATCH / 2) return { oldest: own, isFull: read.length === BATCH };
  // Rows of version 1.1 that wait for other processes must not hide our own
  const later = await readOpen([...parts]);
  return { oldest: [...own.filter(({ part }) => typeof part !== "number"), ...later], isFull: later.length === BATCH };
}

/**
 * The oldest open rows of workspaces that have none among these. An index finds those in other parts. None finds those in
 * the same parts behind a long backlog, so the search for them ends soon.
 */
async function readOthers(parts: ReadonlySet<number>, oldest: readonly OutboxRow[]): Promise<OutboxRow[]> {
  const seen = [...new Set(oldest.map(({ workspaceId }) => workspaceId))];
  const full = new Set(seen.map(outboxPartOf));
  const [apart, beside] = await Promise.all([
    readOpen([...parts].filter((part) => !full.has(part))),
    readOpen([...full, null], seen, OTHERS_MS).catch(() => []),
  ]);
  return [...apart, ...beside];
}

/** The oldest open rows of some parts, or of all, without those of some workspaces. */
function readOpen(parts: (number | null)[] | null, except: string[] = [], mostMs = READ_MS): Promise<OutboxRow[]> {
  // A newer version that runs at the same time may write kinds that only it knows
  const openRows = { doneAt: null, kind: trusted({ $in: OUTBOX_KINDS }) };
  const which = {
    ...openRows,
    ...(parts !== null && { part: trusted({ $in: parts }) }),
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
      client.withDeadline(Date.now() + CALL_MS, () => runCommand(client, row)),
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
      await feedStarts(() =>
        client.withDeadline(Date.now() + CALL_MS, () => startFeed(client, { v: 1, workspaceId, subscriptionId })),
      );
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
