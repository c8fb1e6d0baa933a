import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
  TimeoutFailure,
  workflowInfo,
} from "@temporalio/workflow";
import type { ImapActivities } from "../activities/inbox/watch-mailbox.ts";
import { type MailboxIds, syncBackoffMs, WATCH, type WatchResult } from "../domain/mailboxes/sync.ts";

export const stopSignal = defineSignal("stop");
export const syncNowSignal = defineSignal("syncNow");
export const cursorQuery = defineQuery<WatchResult["cursor"]>("cursor");

const { watchMailbox } = proxyActivities<ImapActivities>({
  ...WATCH,
  taskQueue: "imap",
  cancellationType: ActivityCancellationType.TRY_CANCEL,
});

/**
 * Syncs one mailbox until it is disconnected: one watch activity after another, with growing pauses while its server
 * does not respond.
 */
export async function mailboxSync(ids: MailboxIds): Promise<string> {
  let stopped = false;
  let asked = false;
  let cursor: WatchResult["cursor"] = {};
  let failures = 0;
  let watch: CancellationScope | null = null;
  setHandler(stopSignal, () => {
    stopped = true;
    watch?.cancel();
  });
  setHandler(syncNowSignal, () => {
    asked = true;
    watch?.cancel();
  });
  setHandler(cursorQuery, () => cursor);

  while (!stopped) {
    asked = false;
    watch = new CancellationScope();
    try {
      const watched = await watch.run(() => watchMailbox(ids));
      if (watched.status === "GONE") return "disconnected";
      cursor = watched.cursor;
      failures = 0;
    } catch (error) {
      if (isCancellation(error) && !stopped && !asked) throw error;
      if (!isCancellation(error) && !isOfWorker(error)) {
        failures++;
        await condition(() => stopped || asked, syncBackoffMs(failures));
      }
    }
    if (!stopped && workflowInfo().continueAsNewSuggested && allHandlersFinished())
      await continueAsNew<typeof mailboxSync>(ids);
  }
  return "stopped";
}

/**
 * Returns true when the worker process has died or is being replaced. Then the mailbox's server is not at fault, and
 * another process continues immediately.
 */
function isOfWorker(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) return true;
  if (!(cause instanceof ApplicationFailure)) return false;
  // A worker that shuts down ends its running activities with either of these names
  return cause.type === "CancelledFailure" || (cause.type === "WorkerShutdown" && patched("worker-shutdown"));
}
