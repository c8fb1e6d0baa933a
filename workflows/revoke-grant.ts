import { proxyActivities } from "@temporalio/workflow";
import type { ConsentActivities } from "../activities/mailboxes/consent.ts";
import { type GrantIds, REVOCATION } from "../domain/mailboxes/provider.ts";

const { revokeGrant: revoke } = proxyActivities<ConsentActivities>({
  taskQueue: "imap",
  startToCloseTimeout: REVOCATION.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Tells a provider that a mailbox no longer uses its user's consent. */
export async function revokeGrant(ids: GrantIds): Promise<void> {
  await revoke(ids);
}
