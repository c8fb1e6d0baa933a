import { ALL_SCOPES, type Scope } from "../domain/scopes.ts";

/** Where an application finds who issues tokens for the tool server (RFC 9728). */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

export function metadataOf(publicUrl: string): object {
  const scopes_supported = ALL_SCOPES;
  return { resource: `${publicUrl}/mcp`, authorization_servers: [publicUrl], scopes_supported, bearer_methods_supported: ["header"] };
}

/**
 * The challenge of a 401: all scopes, because a tool without its scope is hidden and no later challenge could ask for it; what is given is
 * decided on the consent page. `isWrong`: there was a credential.
 */
export function unauthenticated(publicUrl: string, isWrong: boolean): string {
  const error = isWrong ? ', error="invalid_token"' : "";
  return `Bearer resource_metadata="${publicUrl}${METADATA_PATH}", scope="${ALL_SCOPES.join(" ")}"${error}`;
}

/** The challenge of a connector that lacks a scope: what it has and what it needs, since applications ask for exactly what is listed. */
export function insufficient(publicUrl: string, held: ReadonlySet<Scope>, needed: Scope): string {
  const scopes = ALL_SCOPES.filter((scope) => held.has(scope) || scope === needed);
  return `Bearer error="insufficient_scope", scope="${scopes.join(" ")}", resource_metadata="${publicUrl}${METADATA_PATH}"`;
}
