import { scopesOf } from "../../domain/access/roles.ts";
import type { Scope } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import type { Session } from "../../models/sign-in/session.ts";
import type { VendorConsent } from "../../models/vendor-consent.ts";
import { findGrant } from "../access/connectors.ts";
import { findRole } from "../access/members.ts";

/**
 * The audit log names the person of a session, as everywhere. When another browser completes the consent of a session,
 * the log has the id of the session and names no person.
 */
export function actorOf({ credentialId, credentialKind }: VendorConsent, browser: Session | null) {
  if (credentialKind !== "CONSOLE") return { kind: credentialKind, id: credentialId };
  return { kind: credentialKind, id: browser?.sessionId === credentialId ? browser.userId : credentialId };
}

/**
 * Whether the caller who began a consent still holds the scope for it, and this browser may complete it. Only the
 * browser of the session that began a consent completes it; otherwise an attacker could send someone a link that
 * connects their account to the attacker's workspace (rules/access 3.4).
 */
export async function mayStillEnd(
  { workspaceId, credentialId, credentialKind }: VendorConsent,
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
