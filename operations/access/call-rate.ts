import { createRateLimit, createRequestLimit, type Use } from "../../mongo/rate-limit.ts";
import { waitWithoutPlace } from "../../store/call-places.ts";
import type { Engine } from "../../temporal/engine.ts";

/** Counts one request for a key, across all processes. */
export type CountRequest = (name: string) => Promise<Use>;

/** The most POSTs per minute to the tool server, per credential (rules/tools 5.1). */
export const CALLS_PER_MINUTE = 240;

/** Counts one call of a credential. A connector is counted by its grant, so a new token does not reset the count. */
export const countCall: CountRequest = createRequestLimit("tools", CALLS_PER_MINUTE, 60);

/** Counts the requests of a credential to the REST API, or of a session to the console. */
export function requestCount(door: "rest" | "session", perMinute: number): CountRequest {
  return createRequestLimit(door, perMinute, 60);
}

export interface OAuthLimits {
  registerPerAddress: number;
  authorizePerAddress: number;
  tokenPerClient: number;
}

/**
 * The most requests per minute (rules/access 5.7). Requests that name their client are not limited by address, because
 * hosted applications share addresses.
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

/** The engine for a call: what waits for a workflow gives the place of the call to another one. */
export function engineWithoutPlace(engine: Engine): Engine {
  return {
    ...engine,
    execute: (run, deadlineMs) => waitWithoutPlace(() => engine.execute(run, deadlineMs)),
    hasEnded: (id, waitMs) => waitWithoutPlace(() => engine.hasEnded(id, waitMs)),
  };
}
