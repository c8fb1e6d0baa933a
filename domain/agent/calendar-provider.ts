import type { OAuthClient, ProviderName } from "../mailboxes/provider.ts";

/** How the calendars of a mail provider are reached; null if the provider's OAuth client is not configured. */
export interface CalendarAccess {
  oauth: OAuthClient;
  /** The base URL of the calendar API, without a final slash. */
  url: string;
}

export type CalendarProviders = Record<ProviderName, CalendarAccess | null>;
export const NO_CALENDARS: CalendarProviders = { A: null, B: null };

export const CALENDAR_PROVIDERS = ["PROVIDERA", "PROVIDERB"] as const;
export type CalendarProviderName = (typeof CALENDAR_PROVIDERS)[number];

export function providerLetterOf(name: CalendarProviderName): ProviderName {
  return name === "PROVIDERA" ? "A" : "B";
}
