import type { Settings } from "./settings.ts";

/** What decides when a mail of a campaign may go, and how many. */
const PACE: readonly (keyof Settings)[] = [
  ...(["timezone", "useRecipientTimezone", "windows", "startAt", "endAt"] as const),
  ...(["skipHolidays", "holidayCountry", "customHolidays"] as const),
  ...(["dailyLimit", "maxNewLeadsPerDay", "prioritizeNewLeads", "rampEnabled", "rampStart", "rampIncrement"] as const),
  ...(["companyDailyLimit", "companyLimitScope", "recipientDomainHourlyLimit", "senderDomainHourlyLimit"] as const),
  ...(["perMailboxDailyLimit", "minGapSeconds", "maxGapSeconds"] as const),
];

/** Whether a change of these settings may let something go sooner than it is booked. */
export function changesPace(patch: Record<string, unknown>): boolean {
  return PACE.some((name) => name in patch);
}
