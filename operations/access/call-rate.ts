import { createRateLimit, type Rate } from "../../mongo/rate-limit.ts";

/** Counts one request of a name, together with the other processes. */
export type CountRequest = (name: string) => Promise<Rate>;

/** POSTs to the tool server in a minute, per credential (rules/tools 5.1). */
export const CALLS_PER_MINUTE = 240;

/** Counts one call of a credential. A connector is counted by its grant, so that a fresh token does not begin anew. */
export const countCall: CountRequest = createRateLimit("tools", CALLS_PER_MINUTE, 60);

export interface OAuthLimits {
  registerPerAddress: number;
  authorizePerAddress: number;
  tokenPerClient: number;
}

/**
 * Requests a minute (rules/access 5.7). Hosted applications share addresses, so whatever names its client is not
 * limited by address.
 */
export const OAUTH_LIMITS: OAuthLimits = { registerPerAddress: 20, authorizePerAddress: 60, tokenPerClient: 120 };

/** Counts the requests to the authorization server. */
export function oauthCounts(limits: OAuthLimits): {
  register: CountRequest;
  authorize: CountRequest;
  token: CountRequest;
} {
  return {
    register: createRateLimit("oauth-register", limits.registerPerAddress, 60),
    authorize: createRateLimit("oauth-authorize", limits.authorizePerAddress, 60),
    token: createRateLimit("oauth-token", limits.tokenPerClient, 60),
  };
}
