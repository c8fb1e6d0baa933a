import { defineSignal, proxyActivities, setHandler } from "@temporalio/workflow";
import type { FreedActivities } from "../activities/mailboxes/freed.ts";
import type { MailboxIds } from "../domain/mailboxes/sync.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

const againSignal = defineSignal("again");

const { wakeWaiting } = proxyActivities<FreedActivities>({ ...RECORDS, taskQueue: "engine" });

/**
 * Wakes the recipients that waited for a mailbox which can send again, or send more than before. Repeats this for each
 * signal that arrives meanwhile.
 */
export async function mailboxFreed(ids: MailboxIds): Promise<number> {
  let again = true;
  setHandler(againSignal, () => {
    again = true;
  });
  let woken = 0;
  while (again) {
    again = false;
    woken += await wakeWaiting(ids);
  }
  return woken;
}
