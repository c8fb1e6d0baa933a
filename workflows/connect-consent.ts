import { proxyActivities } from "@temporalio/workflow";
import type { ConsentActivities } from "../activities/mailboxes/consent.ts";
import { CONSENT, type ConsentIds, type ConsentOutcome } from "../domain/mailboxes/provider.ts";

const { completeConsent } = proxyActivities<ConsentActivities>({
  taskQueue: "imap",
  startToCloseTimeout: CONSENT.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Turns a consent into a connected mailbox, while a browser waits. */
export async function connectConsent(ids: ConsentIds): Promise<ConsentOutcome> {
  return completeConsent(ids);
}
