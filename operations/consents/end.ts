import { type SealPlace, seal } from "../../domain/access/seal.ts";
import { AppError, type ErrorCode } from "../../domain/errors.ts";
import type { Scope } from "../../domain/scopes.ts";
import type { Session } from "../../models/sign-in/session.ts";
import type { VendorConsent } from "../../models/vendor-consent.ts";
import { type Collection, trusted } from "../../mongo/collection.ts";
import type { Owned } from "../../mongo/schema.ts";
import { appendAuditEntry, recordRefusal } from "../access/audit.ts";
import { loadWorkspaceName } from "../access/workspaces.ts";
import type { Services } from "../context.ts";
import { stateId } from "./begin.ts";
import { actorOf, mayStillEnd } from "./who-may-end.ts";

/** The query that a browser brings back from a vendor. */
export interface Returned {
  state: string | null;
  code: string | null;
  error: string | null;
  /** The vendor's own words about the error, which are read and not shown. */
  description?: string | null;
}

/** Who returns from the vendor: the session of the browser, and its network address. */
export interface Bringer {
  browser: Session | null;
  ip: string | null;
  traceId: string | null;
}

/** The purpose of a consent. */
export interface ConsentPurpose {
  /**
   * The workspace of the consent; null for an unknown one. Only the state identifies the consent, so this searches all
   * workspaces.
   */
  ownerOf: (_id: string) => Promise<Pick<Owned, "workspaceId"> | null>;
  of: (workspaceId: string) => Collection<VendorConsent>;
  /** The record and field to which the encrypted code of the vendor is bound. */
  place: (workspaceId: string, consentId: string, field: "code") => SealPlace;
  /** The person who began the consent must hold this scope when it ends. */
  scope: Scope;
  /** The name of the action in the audit log. */
  action: string;
  /** The error code when the vendor or its user refuses, and a phrase for what did not happen. */
  refusal: ErrorCode;
  nothing: string;
  /** A better message for some errors of the vendor; null for the usual one. */
  explain?: (error: string, description: string) => AppError | null;
}

const LONGEST = 4_096;

/**
 * Ends a consent: its `state` can be used once, whatever the outcome. `connect` gets the consent after the vendor's code
 * is stored with it. Returns the result of `connect`, and the name of the workspace.
 * @throws AppError VALIDATION_FAILED for a state that is unknown, used, expired or of another vendor;
 * INSUFFICIENT_SCOPE; the purpose's `refusal` when the user declined; SERVICE_UNAVAILABLE before any effect while no
 * workflow can run
 */
export async function endConsent<T>(
  services: Services,
  purpose: ConsentPurpose,
  provider: string,
  { state, code, error, description = null }: Returned,
  { browser, ...from }: Bringer,
  connect: (consent: VendorConsent) => Promise<T>,
): Promise<{ connected: T; consent: VendorConsent; workspace: string }> {
  if (state === null || state === "" || state.length > LONGEST) throw stale("UNKNOWN");
  if (!(await services.engine.isReachable()))
    throw new AppError("SERVICE_UNAVAILABLE", "The service is not ready: try again in a moment");
  const consent = await take(purpose, stateId(state), provider);
  const { workspaceId, _id } = consent;
  const deed = { workspaceId, actor: actorOf(consent, browser), action: purpose.action, input: { provider }, ...from };
  try {
    if (!(await mayStillEnd(consent, browser, purpose.scope))) {
      throw new AppError(
        "INSUFFICIENT_SCOPE",
        `This sign-in needs the browser and the permissions that it began with: ${purpose.nothing}`,
      );
    }
    if (error !== null || code === null || code === "" || code.length > LONGEST) {
      const explained = error === null ? null : (purpose.explain?.(error, description ?? "") ?? null);
      throw explained ?? new AppError(purpose.refusal, `Access was not granted: ${purpose.nothing}`);
    }
    const sealedCode = seal(services.keyRing, purpose.place(workspaceId, _id, "code"), code);
    await purpose.of(workspaceId).updateOne({ _id }, { $set: { sealedCode } });
    const connected = await connect(consent);
    await appendAuditEntry(deed, "DONE", null);
    return { connected, consent, workspace: await loadWorkspaceName(workspaceId) };
  } catch (err) {
    if (err instanceof AppError && err.status < 500) await recordRefusal(deed, "FAILED", err.code);
    throw err;
  }
}

/** Marks the consent as used, for one browser, once. */
async function take({ ownerOf, of }: ConsentPurpose, _id: string, provider: string): Promise<VendorConsent> {
  const owner = await ownerOf(_id);
  if (owner === null) throw stale("UNKNOWN");
  const consents = of(owner.workspaceId);
  const now = new Date();
  const open = { _id, provider, usedAt: null, expiresAt: trusted({ $gt: now }) };
  const claimed = await consents.findOneAndUpdate(open, { $set: { usedAt: now } });
  if (claimed !== null) return claimed;
  const stored = await consents.findOne({ _id, provider });
  throw stale(stored === null ? "UNKNOWN" : stored.usedAt === null ? "EXPIRED" : "USED");
}

const STALE = {
  UNKNOWN: "This sign-in is unknown",
  USED: "This sign-in was already used",
  EXPIRED: "This sign-in took longer than ten minutes",
} as const;

function stale(why: keyof typeof STALE): AppError {
  return new AppError("VALIDATION_FAILED", `${STALE[why]}: start again`);
}
