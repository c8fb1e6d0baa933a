import { ALL_SCOPES, type Scope } from "../domain/scopes.ts";

/**
 * The path of the protected resource metadata (RFC 9728), which names the authorization server; `api/oauth/` serves it.
 */
const METADATA_PATH = "/.well-known/oauth-protected-resource";

/**
 * The challenge of a 401. It requests all scopes, because a tool without its scope is hidden and no later challenge
 * could request it; the person selects scopes on the consent page. `isWrong`: the request had an invalid credential.
 */
export function challengeOf(publicUrl: string, isWrong: boolean): string {
  const error = isWrong ? ', error="invalid_token"' : "";
  return `Bearer resource_metadata="${publicUrl}${METADATA_PATH}", scope="${ALL_SCOPES.join(" ")}"${error}`;
}

/**
 * The challenge for a connector that lacks a scope. It lists the scopes it has and the one it needs, because
 * applications request exactly the listed scopes.
 */
export function challengeForMore(publicUrl: string, held: ReadonlySet<Scope>, needed: Scope): string {
  const scopes = ALL_SCOPES.filter((scope) => held.has(scope) || scope === needed);
  return `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", resource_metadata="${publicUrl}${METADATA_PATH}"`;
}
