import { seal } from "../../domain/access/seal.ts";
import { CRM_CONSENT, CRM_REFUSALS, type CrmConsentOutcome } from "../../domain/crm/contract.ts";
import { CRM_TRAITS, type CrmProviderName } from "../../domain/crm/provider.ts";
import { AppError } from "../../domain/errors.ts";
import type { CrmConnection } from "../../models/crm-connection.ts";
import { CrmConsent } from "../../models/crm-consent.ts";
import { scoped } from "../../models/scoped.ts";
import type { Session } from "../../models/session.ts";
import { trusted } from "../../mongo/collection.ts";
import { crmConsentPlace, loadConnection } from "../../store/crm/connections.ts";
import { crmConsentRun } from "../../temporal/runs.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { loadWorkspaceName } from "../access/workspaces.ts";
import type { Services } from "../context.ts";
import { actorOf, mayStillEnd, type Returned } from "../mailboxes/oauth-callback.ts";
import { stateId } from "../mailboxes/oauth-start.ts";

const LONGEST = 4_096;

/**
 * Completes a consent at a CRM: its `state` can be used once, whatever the outcome. `browser` is the session that the browser is signed in
 * with. Returns which account is connected to which workspace.
 * @throws AppError VALIDATION_FAILED for a state that is unknown, used, expired or of another CRM; CRM_CONNECTION_FAILED and similar for
 * refusals; SERVICE_UNAVAILABLE before any effect while no workflow can run
 */
export async function completeCrmConsent(
  services: Services,
  provider: CrmProviderName,
  { state, code, error }: Returned,
  { browser, ...from }: { browser: Session | null; ip: string | null; traceId: string | null },
): Promise<{ account: string; workspace: string }> {
  if (state === null || state === "" || state.length > LONGEST) throw stale("UNKNOWN");
  if (!(await services.engine.isReachable())) throw new AppError("SERVICE_UNAVAILABLE", "The service is not ready: try again in a moment");
  const consent = await take(stateId(state), provider);
  const { workspaceId } = consent;
  const deed = { workspaceId, actor: actorOf(consent, browser), action: "crm.connect", input: { provider }, ...from };
  try {
    const { accountName: account } = await complete(services, consent, browser, { code, error });
    await appendAuditEntry(deed, "DONE", null);
    return { account, workspace: await loadWorkspaceName(workspaceId) };
  } catch (err) {
    if (err instanceof AppError && err.status < 500) await appendAuditEntry(deed, "FAILED", err.code);
    throw err;
  }
}

async function complete(
  services: Services,
  consent: CrmConsent,
  browser: Session | null,
  { code, error }: Pick<Returned, "code" | "error">,
): Promise<CrmConnection> {
  // What a session started ends in its browser alone, or a link could connect somebody else's CRM to the workspace of whoever sent it
  if (!(await mayStillEnd(consent, browser, "crm:write"))) {
    throw new AppError("INSUFFICIENT_SCOPE", "Whoever began this consent may not end it, or not in this browser: no CRM was connected");
  }
  if (error !== null || code === null || code === "" || code.length > LONGEST) {
    throw new AppError("CRM_CONNECTION_FAILED", `${CRM_TRAITS[consent.provider].name} was not allowed: no CRM was connected`);
  }
  const { workspaceId, _id } = consent;
  const sealedCode = seal(services.keyRing, crmConsentPlace(workspaceId, _id, "code"), code);
  await scoped(workspaceId).CrmConsent.updateOne({ _id }, { $set: { sealedCode } });
  return connectionOf(services, workspaceId, _id);
}

/** Has a connection in the making proven at the vendor. @throws AppError CRM_CONNECTION_FAILED, LIMIT_EXCEEDED, SERVICE_UNAVAILABLE */
export async function connectionOf(services: Services, workspaceId: string, consentId: string): Promise<CrmConnection> {
  const run = crmConsentRun({ v: 1, workspaceId, consentId });
  const outcome = await services.engine.execute<CrmConsentOutcome>(run, CRM_CONSENT.deadlineMs);
  if (outcome.kind === "connected") return loadConnection(workspaceId, outcome.connectionId);
  const { reason } = outcome;
  throw new AppError(reason === "LIMIT_EXCEEDED" ? reason : "CRM_CONNECTION_FAILED", CRM_REFUSALS[reason], { reason });
}

/** Marks the consent as used, for one browser, once. The workspace comes from the stored row, because only the state identifies it. */
async function take(_id: string, provider: CrmProviderName): Promise<CrmConsent> {
  const now = new Date();
  const taken = await CrmConsent.findOneAndUpdate(
    { _id, provider, usedAt: null, expiresAt: trusted({ $gt: now }) },
    { $set: { usedAt: now } },
    { acrossWorkspaces: true, returnDocument: "after" },
  ).lean<CrmConsent>();
  if (taken !== null) return taken;
  const known = await CrmConsent.findOne({ _id, provider }, null, { acrossWorkspaces: true }).lean<CrmConsent>();
  throw stale(known === null ? "UNKNOWN" : known.usedAt === null ? "EXPIRED" : "USED");
}

const STALE = {
  UNKNOWN: "This consent is not known here",
  USED: "This consent has been used already",
  EXPIRED: "This consent took longer than ten minutes",
} as const;

function stale(why: keyof typeof STALE): AppError {
  return new AppError("VALIDATION_FAILED", `${STALE[why]}: start again`);
}
