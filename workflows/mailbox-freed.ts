import { defineSignal, proxyActivities, setHandler } from "@temporalio/workflow";
import type { FreedActivities } from "../activities/mailboxes/freed.ts";
import type { MailboxIds } from "../domain/mailboxes/sync.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

export const againSignal = defineSignal("again");

const { wakeWaiting } = proxyActivities<FreedActivities>({ ...RECORDS, taskQueue: "engine" });

/** A mailbox can send again, or more than before: whoever waited for that is woken, once more for each time it is said meanwhile. */
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
