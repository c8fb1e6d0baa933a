import { CRM_CONSENT, CRM_REFUSALS, type CrmConsentOutcome } from "../../domain/crm/contract.ts";
import type { CrmProviderName } from "../../domain/crm/provider.ts";
import { AppError } from "../../domain/errors.ts";
import type { CrmConnection } from "../../models/crm/crm-connection.ts";
import { CrmConsent } from "../../models/crm/crm-consent.ts";
import { scoped } from "../../models/scoped.ts";
import { crmConsentPlace, loadConnection } from "../../store/crm/connections.ts";
import { crmConsentRun } from "../../temporal/runs.ts";
import { type Bringer, type ConsentPurpose, endConsent, type Returned } from "../consents/end.ts";
import type { Services } from "../context.ts";

const CRM: ConsentPurpose = {
  ownerOf: (_id) => CrmConsent.findOne({ _id }, { workspaceId: 1 }, { acrossWorkspaces: true }).lean<CrmConsent>(),
  of: (workspaceId) => scoped(workspaceId).CrmConsent,
  place: crmConsentPlace,
  scope: "crm:write",
  action: "crm.connect",
  refusal: "CRM_CONNECTION_FAILED",
  nothing: "no CRM was connected",
};

/**
 * Completes a consent at a CRM. Returns which account is connected to which workspace.
 * @throws AppError as `endConsent`; CRM_CONNECTION_FAILED and similar for refusals
 */
export async function completeCrmConsent(
  services: Services,
  provider: CrmProviderName,
  returned: Returned,
  by: Bringer,
): Promise<{ account: string; workspace: string }> {
  const { connected, workspace } = await endConsent(services, CRM, provider, returned, by, ({ workspaceId, _id }) =>
    connectionOf(services, workspaceId, _id),
  );
  return { account: connected.accountName, workspace };
}

/**
 * Checks a new connection at the CRM. @throws AppError CRM_CONNECTION_FAILED, LIMIT_EXCEEDED,
 * SERVICE_UNAVAILABLE
 */
export async function connectionOf(services: Services, workspaceId: string, consentId: string): Promise<CrmConnection> {
  const run = crmConsentRun({ v: 1, workspaceId, consentId });
  const outcome = await services.engine.execute<CrmConsentOutcome>(run, CRM_CONSENT.deadlineMs);
  if (outcome.kind === "connected") return loadConnection(workspaceId, outcome.connectionId);
  const { reason } = outcome;
  throw new AppError(reason === "LIMIT_EXCEEDED" ? reason : "CRM_CONNECTION_FAILED", CRM_REFUSALS[reason], { reason });
}
