import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import { CRM_PROVIDERS, CRM_TRAITS, type CrmProviderName } from "../../domain/crm/provider.ts";
import type { OAuthClient } from "../../domain/mailboxes/provider.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { crmConsentPlace } from "../../store/crm/connections.ts";
import { time } from "../fields.ts";
import { stateId } from "../mailboxes/oauth-start.ts";
import { operation } from "../operation.ts";
import { crmClientOf } from "./configured.ts";

const LIFE_MS = 10 * MINUTE_MS;

/** The paths to which the CRMs redirect a browser: one for each, so that an answer of one cannot pass for another's (RFC 9700 4.4.2). */
export const CRM_CALLBACKS: Record<CrmProviderName, string> = {
  HUBSPOT: "/connect/crm/hubspot/callback",
  SALESFORCE: "/connect/crm/salesforce/callback",
  PIPEDRIVE: "/connect/crm/pipedrive/callback",
};

export const start = operation({
  summary: "Start a consent: open `authUrl` in a browser, and the CRM is connected when its user allows it. Valid once, for ten minutes",
  scope: "crm:write",
  errors: ["PROVIDER_NOT_CONFIGURED"],
  audits: "crm.start",
  input: z.strictObject({ provider: z.enum(CRM_PROVIDERS).describe("Which CRM") }),
  output: z.object({ authUrl: z.string().describe("The address to open in a browser"), expiresAt: time.describe("Until when") }),
  async run(ctx, { provider }) {
    const { workspaceId, credentialId, kind: credentialKind, services } = ctx;
    const client = crmClientOf(ctx, provider);
    const state = generateRandomState();
    const verifier = CRM_TRAITS[provider].usesPkce ? generateRandomCodeVerifier() : null;
    const _id = stateId(state);
    const redirectUri = `${services.settings.publicUrl}${CRM_CALLBACKS[provider]}`;
    const expiresAt = new Date(Date.now() + LIFE_MS);
    const sealedVerifier = verifier === null ? null : seal(services.keyRing, crmConsentPlace(workspaceId, _id, "verifier"), verifier);
    await scoped(workspaceId).CrmConsent.insert({ _id, provider, credentialId, credentialKind, redirectUri, expiresAt, sealedVerifier });
    return { authUrl: await authUrlOf(client, redirectUri, state, verifier), expiresAt };
  },
});

/** RFC 6749 4.1.1, with RFC 7636 where the vendor knows it. */
async function authUrlOf({ authUrl, clientId, scope }: OAuthClient, redirectUri: string, state: string, verifier: string | null) {
  const url = new URL(authUrl);
  const fields = {
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirectUri, state },
    ...(scope !== "" && { scope }),
    ...(verifier !== null && { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" }),
  };
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
  return url.href;
}
