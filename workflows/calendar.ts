import { proxyActivities } from "@temporalio/workflow";
import type { CalendarActivities } from "../activities/calendar.ts";
import {
  CALENDAR_CONSENT,
  CALENDAR_READ,
  type CalendarConsentIds,
  type CalendarConsentOutcome,
  type CalendarReadIds,
  type CalendarReadOutcome,
} from "../domain/agent/calendar-contract.ts";

const once = { taskQueue: "jobs", retry: { maximumAttempts: 1 } };
const consenting = proxyActivities<CalendarActivities>({ ...once, startToCloseTimeout: CALENDAR_CONSENT.startToCloseTimeout });
const reading = proxyActivities<CalendarActivities>({ ...once, startToCloseTimeout: CALENDAR_READ.startToCloseTimeout });

/** Turns a consent into a calendar whose busy times may be read, while a browser waits. */
export async function connectCalendar(ids: CalendarConsentIds): Promise<CalendarConsentOutcome> {
  return consenting.completeCalendarConsent(ids);
}

/** Reads when somebody is busy, while a caller waits. */
export async function readCalendar(ids: CalendarReadIds): Promise<CalendarReadOutcome> {
  return reading.readBusy(ids);
}
