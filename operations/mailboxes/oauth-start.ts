import { createHash } from "node:crypto";
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import type { OAuthClient, ProviderName } from "../../domain/mailboxes/provider.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { consentPlace } from "../../store/mailboxes/grant.ts";
import type { ServiceSettings } from "../context.ts";
import { time } from "../fields.ts";
import { operation } from "../operation.ts";
import { clientOf, presetOf } from "./providers.ts";

const LIFE_MS = 10 * MINUTE_MS;

/** Starts the consent of a provider's user: returns the address to open in a browser, valid once, for ten minutes. */
export function startConsent(provider: ProviderName) {
  return operation({
    summary: `Start the consent of provider ${provider}: open \`authUrl\` in a browser, and the mailbox is connected when its user allows it. The page at the end lets that user undo it for 24 hours`,
    scope: "mailboxes:connect",
    errors: ["PROVIDER_NOT_CONFIGURED"],
    input: z.strictObject({}),
    output: z.object({ authUrl: z.string().describe("The address to open in a browser"), expiresAt: time.describe("Until when") }),
    async run(ctx) {
      const { workspaceId, credentialId, kind, services } = ctx;
      const client = clientOf(ctx, provider);
      presetOf(ctx, provider);
      const state = generateRandomState();
      const verifier = generateRandomCodeVerifier();
      const _id = stateId(state);
      const redirectUri = redirectUriOf(services.settings, provider);
      const expiresAt = new Date(Date.now() + LIFE_MS);
      const sealedVerifier = seal(services.keyRing, consentPlace(workspaceId, _id, "verifier"), verifier);
      const begun = { provider, credentialId, credentialKind: kind, redirectUri, expiresAt, sealedVerifier };
      await scoped(workspaceId).OAuthState.insert({ _id, ...begun });
      return { authUrl: await authUrlOf(client, redirectUri, state, verifier), expiresAt };
    },
  });
}

/** The stored form of a `state`: its hash, so that the database contains nothing that could complete a consent. */
export function stateId(state: string): string {
  return createHash("sha256").update(state).digest("hex");
}

function redirectUriOf({ publicUrl }: ServiceSettings, provider: ProviderName): string {
  return `${publicUrl}/connect/provider${provider}/callback`;
}

/** RFC 6749 4.1.1 with RFC 7636; the last two parameters make both providers issue a new refresh token. */
async function authUrlOf({ authUrl, clientId, scope }: OAuthClient, redirectUri: string, state: string, verifier: string): Promise<string> {
  const url = new URL(authUrl);
  const fields = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    access_type: "offline",
    prompt: "consent",
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
