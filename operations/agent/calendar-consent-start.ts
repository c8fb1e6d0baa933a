import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from "oauth4webapi";
import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import { CALENDAR_PROVIDERS, type CalendarAccess, providerLetterOf } from "../../domain/agent/calendar-provider.ts";
import { AppError } from "../../domain/errors.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { calendarConsentPlace } from "../../store/meeting-calendars.ts";
import type { Services } from "../context.ts";
import { time } from "../fields.ts";
import { stateId } from "../mailboxes/oauth-start.ts";
import { operation } from "../operation.ts";

const LIFE_MS = 10 * MINUTE_MS;

/** The paths to which the providers redirect a browser: one for each, so that an answer of one cannot pass for the other's. */
export const CALENDAR_CALLBACKS: Record<ProviderName, string> = {
  A: "/connect/calendar/providerA/callback",
  B: "/connect/calendar/providerB/callback",
};

export const connect = operation({
  summary:
    "Start a consent: open `authUrl` in a browser, and its user's busy times are read when that is allowed. Valid once, for ten minutes",
  scope: "inbox:write",
  errors: ["PROVIDER_NOT_CONFIGURED"],
  audits: "calendar.connect",
  input: z.strictObject({ provider: z.enum(CALENDAR_PROVIDERS).describe("Whose calendar") }),
  output: z.object({ authUrl: z.string().describe("The address to open in a browser"), expiresAt: time.describe("Until when") }),
  async run({ workspaceId, credentialId, kind: credentialKind, services }, { provider: named }) {
    const provider = providerLetterOf(named);
    const { oauth } = calendarOf(services, provider);
    const state = generateRandomState();
    const verifier = generateRandomCodeVerifier();
    const _id = stateId(state);
    const redirectUri = `${services.settings.publicUrl}${CALENDAR_CALLBACKS[provider]}`;
    const expiresAt = new Date(Date.now() + LIFE_MS);
    const sealedVerifier = seal(services.keyRing, calendarConsentPlace(workspaceId, _id, "verifier"), verifier);
    await scoped(workspaceId).CalendarConsent.insert({
      _id,
      provider,
      credentialId,
      credentialKind,
      redirectUri,
      expiresAt,
      sealedVerifier,
    });
    const url = new URL(oauth.authUrl);
    const fields = {
      ...{ response_type: "code", client_id: oauth.clientId, redirect_uri: redirectUri, scope: oauth.scope, state },
      ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
      // Both make the providers issue a new refresh token
      ...{ access_type: "offline", prompt: "consent" },
    };
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
    return { authUrl: url.href, expiresAt };
  },
});

/** @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing */
function calendarOf({ settings }: Pick<Services, "settings">, provider: ProviderName): CalendarAccess {
  const access = settings.calendars[provider];
  if (access !== null) return access;
  const setting = `PROVIDER${provider}_CLIENT_ID`;
  throw new AppError("PROVIDER_NOT_CONFIGURED", `This provider is not configured: ${setting} is not set`, { setting });
}
