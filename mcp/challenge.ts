import { ALL_SCOPES, type Scope } from "../domain/scopes.ts";

/** Where an application finds who issues tokens for the tool server (RFC 9728); `api/oauth/` serves it. */
const METADATA_PATH = "/.well-known/oauth-protected-resource";

/**
 * The challenge of a 401: all scopes, because a tool without its scope is hidden and no later challenge could ask for
 * it; what is given is decided on the consent page. `isWrong`: there was a credential.
 */
export function challengeOf(publicUrl: string, isWrong: boolean): string {
  const error = isWrong ? ', error="invalid_token"' : "";
  return `Bearer resource_metadata="${publicUrl}${METADATA_PATH}", scope="${ALL_SCOPES.join(" ")}"${error}`;
}

/**
 * The challenge of a connector that lacks a scope: what it has and what it needs, since applications ask for exactly
 * what is listed.
 */
export function challengeForMore(publicUrl: string, held: ReadonlySet<Scope>, needed: Scope): string {
  const scopes = ALL_SCOPES.filter((scope) => held.has(scope) || scope === needed);
  return `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", resource_metadata="${publicUrl}${METADATA_PATH}"`;
}
