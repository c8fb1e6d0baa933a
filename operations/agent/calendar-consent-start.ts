import { z } from "zod";
import { CALENDAR_PROVIDERS, type CalendarAccess, providerLetterOf } from "../../domain/agent/calendar-provider.ts";
import { AppError } from "../../domain/errors.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { calendarConsentPlace } from "../../store/meeting-calendars.ts";
import { beginConsent, begunConsent, NEW_REFRESH_TOKEN } from "../consents/begin.ts";
import type { Services } from "../context.ts";
import { operation } from "../operation.ts";

/**
 * The paths to which the providers redirect a browser. Each provider has its own, so that a response of one cannot pass
 * for the other's.
 */
export const CALENDAR_CALLBACKS: Record<ProviderName, string> = {
  A: "/connect/calendar/providerA/callback",
  B: "/connect/calendar/providerB/callback",
};

export const connect = operation({
  summary:
    "Start a consent: open `authUrl` in a browser; busy times are read once the calendar's user agrees. Valid once, for ten minutes",
  scope: "inbox:write",
  errors: ["PROVIDER_NOT_CONFIGURED"],
  audits: "calendar.connect",
  effects: { DISCLOSES: true },
  input: z.strictObject({ provider: z.enum(CALENDAR_PROVIDERS).describe("Whose calendar") }),
  output: begunConsent,
  async run(ctx, { provider: named }) {
    const provider = providerLetterOf(named);
    const { oauth } = calendarOf(ctx.services, provider);
    const place = (workspaceId: string, id: string) => calendarConsentPlace(workspaceId, id, "verifier");
    const way = { callback: CALENDAR_CALLBACKS[provider], place, more: NEW_REFRESH_TOKEN };
    return beginConsent(ctx, oauth, way, (begun) =>
      scoped(ctx.workspaceId).CalendarConsent.insert({ ...begun, provider }),
    );
  },
});

/** @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing */
function calendarOf({ settings }: Pick<Services, "settings">, provider: ProviderName): CalendarAccess {
  const access = settings.calendars[provider];
  if (access !== null) return access;
  const setting = `PROVIDER${provider}_CLIENT_ID`;
  throw new AppError(
    "PROVIDER_NOT_CONFIGURED",
    `${settings.providers[provider].name} is not configured: ${setting} is not set`,
    {
      setting,
    },
  );
}
