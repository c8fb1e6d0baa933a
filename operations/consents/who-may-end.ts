import { scopesOf } from "../../domain/access/roles.ts";
import type { Scope } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import type { Session } from "../../models/sign-in/session.ts";
import type { VendorConsent } from "../../models/vendor-consent.ts";
import { findGrant } from "../access/connectors.ts";
import { findRole } from "../access/members.ts";

/**
 * A session is named by its person, as everywhere in the audit log; a consent of one that came back in another browser
 * by no one.
 */
export function actorOf({ credentialId, credentialKind }: VendorConsent, browser: Session | null) {
  if (credentialKind !== "CONSOLE") return { kind: credentialKind, id: credentialId };
  return { kind: credentialKind, id: browser?.sessionId === credentialId ? browser.userId : credentialId };
}

/**
 * Whether whoever began a consent still holds the scope for it, and this browser may end it. What a session started
 * ends in its browser alone, or a link could connect someone else's account to the workspace of whoever sent it
 * (rules/access 3.4).
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
