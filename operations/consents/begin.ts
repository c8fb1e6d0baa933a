import { createHash } from "node:crypto";
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import { z } from "zod";
import { type Sealed, type SealPlace, seal } from "../../domain/access/seal.ts";
import type { OAuthClient } from "../../domain/mailboxes/provider.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Context } from "../context.ts";
import { time } from "../fields.ts";

const LIFE_MS = 10 * MINUTE_MS;

/** The response to the start of a consent. */
export const begunConsent = z.object({
  authUrl: z.string().describe("The URL to open in a browser"),
  expiresAt: time.describe("When the URL expires"),
});

/** A consent in progress, as it is stored. */
export interface BegunConsent {
  /** The hash of its `state`. */
  _id: string;
  credentialId: string;
  credentialKind: Context["kind"];
  redirectUri: string;
  sealedVerifier: Sealed | null;
  expiresAt: Date;
}

/**
 * Begins the consent of a vendor's user: stores it with `store` and returns the URL to open in a browser. The URL works
 * once, for ten minutes (RFC 6749 4.1.1 with RFC 7636). The vendor redirects to the path `callback`. `place` binds the
 * encrypted PKCE verifier to its record; null for a vendor without PKCE. `more` has further parameters of the URL.
 */
export async function beginConsent(
  { workspaceId, credentialId, kind, services }: Context,
  { authUrl, clientId, scope }: OAuthClient,
  {
    callback,
    place,
    more,
  }: {
    callback: string;
    place: ((workspaceId: string, consentId: string) => SealPlace) | null;
    more: Record<string, string>;
  },
  store: (begun: BegunConsent) => Promise<unknown>,
): Promise<{ authUrl: string; expiresAt: Date }> {
  const state = generateRandomState();
  const verifier = generateRandomCodeVerifier();
  const _id = stateId(state);
  const redirectUri = `${services.settings.publicUrl}${callback}`;
  const expiresAt = new Date(Date.now() + LIFE_MS);
  const sealedVerifier = place === null ? null : seal(services.keyRing, place(workspaceId, _id), verifier);
  await store({ _id, credentialId, credentialKind: kind, redirectUri, sealedVerifier, expiresAt });
  const url = new URL(authUrl);
  const fields = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    ...(scope !== "" && { scope }),
    ...(place !== null && {
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }),
    ...more,
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return { authUrl: url.href, expiresAt };
}

/** Email and calendar providers issue a new refresh token only with both parameters. */
export const NEW_REFRESH_TOKEN = { access_type: "offline", prompt: "consent" };

/** The stored form of a `state`: its hash, so that the database contains nothing that could complete a consent. */
export function stateId(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}
