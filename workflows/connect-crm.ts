import { proxyActivities } from "@temporalio/workflow";
import type { CrmConnectActivities } from "../activities/crm/connect.ts";
import { CRM_CONSENT, type CrmConsentIds, type CrmConsentOutcome } from "../domain/crm/contract.ts";

const { completeCrmConsent } = proxyActivities<CrmConnectActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: CRM_CONSENT.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Turns a consent, or a token that a person gave, into a connection to a CRM, while somebody waits. */
export async function connectCrm(ids: CrmConsentIds): Promise<CrmConsentOutcome> {
  return completeCrmConsent(ids);
}
