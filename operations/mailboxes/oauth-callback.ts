import { scopesOf } from "../../domain/access/roles.ts";
import { seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import { CONSENT, CONSENT_REFUSALS, type ConsentOutcome, type ProviderName } from "../../domain/mailboxes/provider.ts";
import type { Scope } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/api-key.ts";
import { OAuthState } from "../../models/oauth-state.ts";
import { scoped } from "../../models/scoped.ts";
import type { Session } from "../../models/session.ts";
import { trusted } from "../../mongo/collection.ts";
import { consentPlace } from "../../store/mailboxes/grant.ts";
import { consentRun } from "../../temporal/runs.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { findGrant } from "../access/connectors.ts";
import { findRole } from "../access/members.ts";
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
 * Completes a consent: its `state` can be used once, whatever the outcome. `browser` is the session that the browser is signed in with. Returns which mailbox is now connected to which workspace, and
 * the token that undoes it.
 * @throws AppError VALIDATION_FAILED for a state that is unknown, used, expired or of the other provider; MAILBOX_CONNECTION_FAILED and
 * similar for refusals by the provider or the servers; SERVICE_UNAVAILABLE before any effect while no workflow can run
 */
export async function completeConsent(
  services: Services,
  provider: ProviderName,
  { state, code, error }: Returned,
  { browser, ...from }: { browser: Session | null; ip: string | null; traceId: string | null },
): Promise<Connection & { undo: string }> {
  if (state === null || state === "" || state.length > LONGEST) throw stale("UNKNOWN");
  if (!(await services.engine.isReachable())) throw new AppError("SERVICE_UNAVAILABLE", "The service is not ready: try again in a moment");
  const consent = await take(stateId(state), provider);
  const { workspaceId } = consent;
  const actor = actorOf(consent, browser);
  const deed = { workspaceId, actor, action: "mailboxes.connect", input: { provider }, ...from };
  try {
    const email = await complete(services, consent, browser, { code, error });
    await appendAuditEntry(deed, "DONE", null);
    return { email, workspace: await loadWorkspaceName(workspaceId), undo: undoTokenOf(services, workspaceId, consent._id) };
  } catch (err) {
    if (err instanceof AppError && err.status < 500) await appendAuditEntry(deed, "FAILED", err.code);
    throw err;
  }
}

async function complete(
  services: Services,
  consent: OAuthState,
  browser: Session | null,
  { code, error }: Pick<Returned, "code" | "error">,
): Promise<string> {
  await refuseLostRight(consent, browser);
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

/** Who began a consent. */
export type ConsentStarter = Pick<OAuthState, "workspaceId" | "credentialId" | "credentialKind">;

/** A session is named by its person, as everywhere in the audit log; a consent of one that came back in another browser by nobody. */
export function actorOf({ credentialId, credentialKind }: ConsentStarter, browser: Session | null) {
  if (credentialKind !== "CONSOLE") return { kind: credentialKind, id: credentialId };
  return { kind: credentialKind, id: browser?.sessionId === credentialId ? browser.userId : credentialId };
}

/**
 * The credential that started the consent must still be allowed to connect mailboxes; and what a session started ends in its browser alone,
 * or a link could connect somebody else's mailbox to the workspace of whoever sent it (rules/access 3.4).
 */
async function refuseLostRight(consent: OAuthState, browser: Session | null): Promise<void> {
  if (await mayStillEnd(consent, browser, "mailboxes:connect")) return;
  throw new AppError("INSUFFICIENT_SCOPE", "Whoever began this consent may not end it, or not in this browser: no mailbox was connected");
}

/** Whether whoever began a consent still holds the scope for it, and this browser may end it. */
export async function mayStillEnd(
  { workspaceId, credentialId, credentialKind }: ConsentStarter,
  browser: Session | null,
  scope: Scope,
): Promise<boolean> {
  if (credentialKind === "CONSOLE") {
    if (browser?.sessionId !== credentialId) return false;
    const role = await findRole(browser.userId, workspaceId);
    return role !== null && scopesOf(role).includes(scope);
  }
  if (credentialKind === "OAUTH") {
    const grant = await findGrant(workspaceId, credentialId, new Date());
    return grant?.scopes.includes(scope) === true;
  }
  const key = await ApiKey.findOne({ _id: credentialId, workspaceId }).lean<ApiKey>();
  const isLive = key !== null && key.revokedAt === null && (key.expiresAt === null || key.expiresAt > new Date());
  return isLive && key.scopes.includes(scope);
}

const STALE = {
  UNKNOWN: "This consent is not known here",
  USED: "This consent has been used already",
  EXPIRED: "This consent took longer than ten minutes",
} as const;

function stale(why: keyof typeof STALE): AppError {
  return new AppError("VALIDATION_FAILED", `${STALE[why]}: start again`);
}
