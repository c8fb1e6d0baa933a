import type { Settings } from "./settings.ts";

/** The settings that decide when a campaign's mail may be sent, and how many mails a day. */
const PACE: readonly (keyof Settings)[] = [
  ...(["timezone", "useRecipientTimezone", "windows", "startAt", "endAt"] as const),
  ...(["skipHolidays", "holidayCountry", "customHolidays"] as const),
  ...(["dailyLimit", "maxNewLeadsPerDay", "prioritizeNewLeads", "rampEnabled", "rampStart", "rampIncrement"] as const),
  ...(["companyDailyLimit", "companyLimitScope", "recipientDomainHourlyLimit", "senderDomainHourlyLimit"] as const),
  ...(["perMailboxDailyLimit", "minGapSeconds", "maxGapSeconds"] as const),
];

/** Whether changing these settings may let a mail be sent earlier than it is booked. */
export function changesPace(patch: Record<string, unknown>): boolean {
  return PACE.some((name) => name in patch);
}
