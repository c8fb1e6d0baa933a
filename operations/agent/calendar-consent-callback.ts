import {
  CALENDAR_CONSENT,
  CALENDAR_REFUSALS,
  type CalendarConsentOutcome,
} from "../../domain/agent/calendar-contract.ts";
import { AppError } from "../../domain/errors.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { CalendarConsent } from "../../models/agent/calendar-consent.ts";
import { scoped } from "../../models/scoped.ts";
import { calendarConsentPlace, loadCalendar } from "../../store/meeting-calendars.ts";
import { calendarConsentRun } from "../../temporal/runs.ts";
import { type Bringer, type ConsentPurpose, endConsent, type Returned } from "../consents/end.ts";
import type { Services } from "../context.ts";

const CALENDAR: ConsentPurpose = {
  ownerOf: (_id) =>
    CalendarConsent.findOne({ _id }, { workspaceId: 1 }, { acrossWorkspaces: true }).lean<CalendarConsent>(),
  of: (workspaceId) => scoped(workspaceId).CalendarConsent,
  place: calendarConsentPlace,
  scope: "inbox:write",
  action: "calendar.connect",
  refusal: "VALIDATION_FAILED",
  nothing: "no calendar was connected",
};

/**
 * Completes a consent to read busy times. Returns the address of the calendar and the workspace to which it is
 * connected.
 * @throws AppError as `endConsent`; VALIDATION_FAILED for refusals
 */
export async function completeCalendarConsent(
  services: Services,
  provider: ProviderName,
  returned: Returned,
  by: Bringer,
): Promise<{ address: string; workspace: string }> {
  const { consent, workspace } = await endConsent(
    services,
    CALENDAR,
    provider,
    returned,
    by,
    async ({ workspaceId, _id }) => {
      const run = calendarConsentRun({ v: 1, workspaceId, consentId: _id });
      const outcome = await services.engine.execute<CalendarConsentOutcome>(run, CALENDAR_CONSENT.deadlineMs);
      if (outcome.kind === "refused")
        throw new AppError("VALIDATION_FAILED", CALENDAR_REFUSALS[outcome.reason], { reason: outcome.reason });
    },
  );
  const calendar = await loadCalendar(consent.workspaceId);
  if (calendar?.address == null) throw new Error(`The calendar of consent ${consent._id} is gone`);
  return { address: calendar.address, workspace };
}
