import { Context } from "@temporalio/activity";
import type { Logger } from "pino";
import { CalendarTrouble, readBusyTimes } from "../connectors/busy-times.ts";
import type { Egress } from "../connectors/net/egress.ts";
import { fetchMailboxAddress, isGrantedWhole, OAuthTrouble, redeem, refresh } from "../connectors/oauth.ts";
import { type KeyRing, open, seal } from "../domain/access/seal.ts";
import {
  CALENDAR_READ,
  type CalendarConsentIds,
  type CalendarConsentOutcome,
  type CalendarReadIds,
  type CalendarReadOutcome,
} from "../domain/agent/calendar-contract.ts";
import type { CalendarProviders } from "../domain/agent/calendar-provider.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { MeetingCalendar } from "../models/agent/meeting-calendar.ts";
import { scoped } from "../models/scoped.ts";
import {
  calendarConsentPlace,
  calendarTokenPlace,
  connectCalendar,
  keepBusyTimes,
  keepCalendarToken,
  loadCalendar,
  loseCalendar,
} from "../store/meeting-calendars.ts";

export interface CalendarDeps {
  egress: Egress;
  keyRing: KeyRing;
  calendars: CalendarProviders;
  log: Pick<Logger, "info" | "warn">;
}

export interface CalendarActivities {
  completeCalendarConsent(ids: CalendarConsentIds): Promise<CalendarConsentOutcome>;
  readBusy(ids: CalendarReadIds): Promise<CalendarReadOutcome>;
}

/** Milliseconds: a token that expires within this time is no longer used. */
const MARGIN_MS = MINUTE_MS;

export function calendarActivities({ egress, keyRing, calendars, log }: CalendarDeps): CalendarActivities {
  async function completeCalendarConsent({
    workspaceId,
    consentId,
  }: CalendarConsentIds): Promise<CalendarConsentOutcome> {
    const { CalendarConsent } = scoped(workspaceId);
    const consent = await CalendarConsent.get(consentId);
    const client = consent === null ? undefined : calendars[consent.provider]?.oauth;
    if (consent === null || client === undefined || consent.sealedCode === null || consent.sealedVerifier === null) {
      return { kind: "refused", reason: "GONE" };
    }
    const code = open(keyRing, calendarConsentPlace(workspaceId, consentId, "code"), consent.sealedCode);
    const verifier = open(keyRing, calendarConsentPlace(workspaceId, consentId, "verifier"), consent.sealedVerifier);
    // Both can be used only once, so they are erased before the provider is asked
    await CalendarConsent.updateOne({ _id: consentId }, { $set: { sealedCode: null, sealedVerifier: null } });
    try {
      const tokens = await redeem(egress, client, { code, verifier, redirectUri: consent.redirectUri });
      const { accessToken, refreshToken, expiresAt } = tokens;
      if (!isGrantedWhole(client, tokens)) return { kind: "refused", reason: "PERMISSION_MISSING" };
      if (refreshToken === null) return { kind: "refused", reason: "NO_LASTING_TOKEN" };
      const address = await fetchMailboxAddress(egress, client, tokens);
      if (address === null) return { kind: "refused", reason: "NO_ADDRESS" };
      await connectCalendar(keyRing, workspaceId, {
        provider: consent.provider,
        address,
        refreshToken,
        accessToken,
        expiresAt,
      });
      return { kind: "connected" };
    } catch (err) {
      if (!(err instanceof OAuthTrouble)) throw err;
      log.info({ workspaceId, err }, "a calendar could not be connected");
      if (err.isClientRefused) return { kind: "refused", reason: "CLIENT_REFUSED" };
      return { kind: "refused", reason: err.kind === "revoked" || err.isRefusal ? "CODE_REFUSED" : "AWAY" };
    }
  }

  async function readBusy({ workspaceId, from, to }: CalendarReadIds): Promise<CalendarReadOutcome> {
    const calendar = await loadCalendar(workspaceId);
    if (calendar === null || calendar.status !== "CONNECTED") return { kind: "refused", code: "LOST" };
    try {
      const times = await readWithToken(calendar, { from, to });
      await keepBusyTimes(calendar, { from, to, times }, new Date());
      return { kind: "read" };
    } catch (err) {
      const isLost =
        err instanceof OAuthTrouble ? err.kind === "revoked" : err instanceof CalendarTrouble && err.kind === "expired";
      if (!(err instanceof OAuthTrouble) && !(err instanceof CalendarTrouble)) throw err;
      log.warn({ workspaceId, err }, "could not read the busy times of a calendar");
      if (isLost || (err instanceof CalendarTrouble && err.kind === "refused")) {
        await loseCalendar((await loadCalendar(workspaceId)) ?? calendar);
        return { kind: "refused", code: "LOST" };
      }
      return { kind: "refused", code: err instanceof CalendarTrouble && err.kind === "rate" ? "RATE_LIMITED" : "AWAY" };
    }
  }

  /** Reads the busy times, and once more with a new token if the provider refuses the current one. */
  async function readWithToken(calendar: MeetingCalendar, span: { from: number; to: number }) {
    const access = calendar.provider === null ? null : calendars[calendar.provider];
    if (calendar.provider === null || access === null) throw new CalendarTrouble("away");
    const { provider, address } = calendar;
    const signal = Context.current().cancellationSignal;
    const askBusyTimes = (token: string) =>
      readBusyTimes(egress, provider, {
        url: access.url,
        token,
        address: address ?? "",
        ...span,
        timeoutMs: CALENDAR_READ.callMs,
        signal,
      });
    const storedToken = tokenAtHand(calendar);
    if (storedToken === null) return askBusyTimes(await renewedToken(calendar));
    try {
      return await askBusyTimes(storedToken);
    } catch (err) {
      if (!(err instanceof CalendarTrouble) || err.kind !== "expired") throw err;
      return askBusyTimes(await renewedToken(calendar));
    }
  }

  function tokenAtHand({ workspaceId, sealedAccessToken, accessExpiresAt }: MeetingCalendar): string | null {
    if (sealedAccessToken === null || (accessExpiresAt?.getTime() ?? 0) < Date.now() + MARGIN_MS) return null;
    return open(keyRing, calendarTokenPlace(workspaceId, "accessToken"), sealedAccessToken);
  }

  /** A rotated refresh token is stored before the access token that came with it is used. */
  async function renewedToken(calendar: MeetingCalendar): Promise<string> {
    const { workspaceId, provider, sealedRefreshToken } = calendar;
    const client = provider === null ? undefined : calendars[provider]?.oauth;
    if (client === undefined || sealedRefreshToken === null) throw new CalendarTrouble("away");
    const tokens = await refresh(
      egress,
      client,
      open(keyRing, calendarTokenPlace(workspaceId, "refreshToken"), sealedRefreshToken),
    );
    await keepCalendarToken(calendar, {
      sealedAccessToken: seal(keyRing, calendarTokenPlace(workspaceId, "accessToken"), tokens.accessToken),
      accessExpiresAt: tokens.expiresAt,
      ...(tokens.refreshToken !== null && {
        sealedRefreshToken: seal(keyRing, calendarTokenPlace(workspaceId, "refreshToken"), tokens.refreshToken),
      }),
    });
    return tokens.accessToken;
  }

  return { completeCalendarConsent, readBusy };
}
