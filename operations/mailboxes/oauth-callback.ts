import { seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import { CONSENT, CONSENT_REFUSALS, type ConsentOutcome, type ProviderName } from "../../domain/mailboxes/provider.ts";
import { ApiKey } from "../../models/api-key.ts";
import { OAuthState } from "../../models/oauth-state.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { consentPlace } from "../../store/mailboxes/grant.ts";
import { consentRun } from "../../temporal/runs.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { loadWorkspaceName } from "../access/workspaces.ts";
import type { Services } from "../context.ts";
import { stateId } from "./oauth-start.ts";
import { type Connection, undoTokenOf } from "./undo-consent.ts";

/** The query that a browser brings back from a provider. */
export interface Returned {
  state: string | null;
  code: string | null;
  error: string | null;
}

const LONGEST = 4_096;

/**
 * Completes a consent: its `state` can be used once, whatever the outcome. Returns which mailbox is now connected to which workspace, and
 * the token that undoes it.
 * @throws AppError VALIDATION_FAILED for a state that is unknown, used, expired or of the other provider; MAILBOX_CONNECTION_FAILED and
 * similar for refusals by the provider or the servers; SERVICE_UNAVAILABLE before any effect while no workflow can run
 */
export async function completeConsent(
  services: Services,
  provider: ProviderName,
  { state, code, error }: Returned,
  from: { ip: string | null; traceId: string | null },
): Promise<Connection & { undo: string }> {
  if (state === null || state === "" || state.length > LONGEST) throw stale("UNKNOWN");
  if (!(await services.engine.isReachable())) throw new AppError("SERVICE_UNAVAILABLE", "The service is not ready: try again in a moment");
  const consent = await take(stateId(state), provider);
  const { workspaceId, credentialId, credentialKind } = consent;
  const actor = { kind: credentialKind, id: credentialId };
  const deed = { workspaceId, actor, action: "mailboxes.connect", input: { provider }, ...from };
  try {
    const email = await complete(services, consent, code, error);
    await appendAuditEntry(deed, "DONE", null);
    return { email, workspace: await loadWorkspaceName(workspaceId), undo: undoTokenOf(services, workspaceId, consent._id) };
  } catch (err) {
    if (err instanceof AppError && err.status < 500) await appendAuditEntry(deed, "FAILED", err.code);
    throw err;
  }
}

async function complete(services: Services, consent: OAuthState, code: string | null, error: string | null): Promise<string> {
  await refuseLostRight(consent);
  if (error !== null || code === null || code === "" || code.length > LONGEST) {
    throw new AppError("MAILBOX_CONNECTION_FAILED", "The consent was not given: no mailbox was connected");
  }
  const { workspaceId, _id } = consent;
  const sealedCode = seal(services.keyRing, consentPlace(workspaceId, _id, "code"), code);
  await scoped(workspaceId).OAuthState.updateOne({ _id }, { $set: { sealedCode } });
  const outcome = await services.engine.execute<ConsentOutcome>(consentRun({ v: 1, workspaceId, consentId: _id }), CONSENT.deadlineMs);
  if (outcome.kind === "connected") return outcome.email;
  const { reason } = outcome;
  throw new AppError(reason === "LIMIT_EXCEEDED" ? reason : "MAILBOX_CONNECTION_FAILED", CONSENT_REFUSALS[reason]);
}

/** Marks the consent as used, for one browser, once. The workspace comes from the stored row, because only the state identifies it. */
async function take(_id: string, provider: ProviderName): Promise<OAuthState> {
  const now = new Date();
  const taken = await OAuthState.findOneAndUpdate(
    { _id, provider, usedAt: null, expiresAt: trusted({ $gt: now }) },
    { $set: { usedAt: now } },
    { acrossWorkspaces: true, returnDocument: "after" },
  ).lean<OAuthState>();
  if (taken !== null) return taken;
  const known = await OAuthState.findOne({ _id, provider }, null, { acrossWorkspaces: true }).lean<OAuthState>();
  throw stale(known === null ? "UNKNOWN" : known.usedAt === null ? "EXPIRED" : "USED");
}

/** The credential that started the consent must still be allowed to connect mailboxes. */
async function refuseLostRight({ workspaceId, credentialId, credentialKind }: OAuthState): Promise<void> {
  if (credentialKind !== "API_KEY") return;
  const key = await ApiKey.findOne({ _id: credentialId, workspaceId }).lean<ApiKey>();
  const isLive = key !== null && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > new Date());
  if (!isLive || !key.scopes.includes("mailboxes:connect")) {
    throw new AppError("INSUFFICIENT_SCOPE", "The credential that began this consent may no longer connect mailboxes");
  }
}

const STALE = {
  UNKNOWN: "This consent is not known here",
  USED: "This consent has been used already",
  EXPIRED: "This consent took longer than ten minutes",
} as const;

function stale(why: keyof typeof STALE): AppError {
  return new AppError("VALIDATION_FAILED", `${STALE[why]}: start again`);
}
