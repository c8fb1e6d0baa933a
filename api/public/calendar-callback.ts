import type { Router } from "express";
import { completeCalendarConsent } from "../../operations/agent/calendar-consent-callback.ts";
import { CALENDAR_CALLBACKS } from "../../operations/agent/calendar-consent-start.ts";
import type { Services } from "../../operations/context.ts";
import { consentCallbackOf } from "./consent-callback.ts";
import { pageOf } from "./page.ts";

/** The page after a person allowed the service to read the busy times of their calendar. */
export function calendarCallbackOf(services: Services): Router {
  return consentCallbackOf(services, CALENDAR_CALLBACKS, "Calendar not connected", async (provider, returned, by) => {
    const { address, workspace } = await completeCalendarConsent(services, provider, returned, by);
    return pageOf(
      "Calendar connected",
      `The workspace “${workspace}” can now see when ${address} is busy, and nothing else in that calendar.`,
    );
  });
}
