import { seal } from "../../domain/access/seal.ts";
import { CALENDAR_CONSENT, CALENDAR_REFUSALS, type CalendarConsentOutcome } from "../../domain/agent/calendar-contract.ts";
import { AppError } from "../../domain/errors.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { CalendarConsent } from "../../models/calendar-consent.ts";
import { scoped } from "../../models/scoped.ts";
import type { Session } from "../../models/session.ts";
import { trusted } from "../../mongo/collection.ts";
import { calendarConsentPlace, loadCalendar } from "../../store/meeting-calendars.ts";
import { calendarConsentRun } from "../../temporal/runs.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { loadWorkspaceName } from "../access/workspaces.ts";
import type { Services } from "../context.ts";
import { actorOf, mayStillEnd, type Returned } from "../mailboxes/oauth-callback.ts";
import { stateId } from "../mailboxes/oauth-start.ts";

const LONGEST = 4_096;

/**
 * Completes a consent to read busy times: its `state` can be used once, whatever the outcome. `browser` is the session that the browser is
 * signed in with. Returns whose calendar is connected to which workspace.
 * @throws AppError VALIDATION_FAILED for a state that is unknown, used, expired or of the other provider, and for refusals;
 * SERVICE_UNAVAILABLE before any effect while no workflow can run
 */
export async function completeCalendarConsent(
  services: Services,
  provider: ProviderName,
  { state, code, error }: Returned,
  { browser, ...from }: { browser: Session | null; ip: string | null; traceId: string | null },
): Promise<{ address: string; workspace: string }> {
  if (state === null || state === "" || state.length > LONGEST) throw stale();
  if (!(await services.engine.isReachable())) throw new AppError("SERVICE_UNAVAILABLE", "The service is not ready: try again in a moment");
  const consent = await take(stateId(state), provider);
  const { workspaceId, _id: consentId } = consent;
  const deed = { workspaceId, actor: actorOf(consent, browser), action: "calendar.connect", input: { provider }, ...from };
  try {
    await complete(services, consent, browser, { code, error });
    await appendAuditEntry(deed, "DONE", null);
  } catch (err) {
    if (err instanceof AppError && err.status < 500) await appendAuditEntry(deed, "FAILED", err.code);
    throw err;
  }
  const calendar = await loadCalendar(workspaceId);
  if (calendar?.address == null) throw new Error(`The calendar of consent ${consentId} is gone`);
  return { address: calendar.address, workspace: await loadWorkspaceName(workspaceId) };
}

async function complete(
  services: Services,
  consent: CalendarConsent,
  browser: Session | null,
  { code, error }: Pick<Returned, "code" | "error">,
): Promise<void> {
  // What a session started ends in its browser alone, or a link could connect somebody else's calendar to the workspace of whoever sent it
  if (!(await mayStillEnd(consent, browser, "inbox:write"))) {
    throw new AppError(
      "INSUFFICIENT_SCOPE",
      "Whoever began this consent may not end it, or not in this browser: no calendar was connected",
    );
  }
  if (error !== null || code === null || code === "" || code.length > LONGEST) {
    throw new AppError("VALIDATION_FAILED", "The consent was not given: no calendar was connected");
  }
  const { workspaceId, _id } = consent;
  const sealedCode = seal(services.keyRing, calendarConsentPlace(workspaceId, _id, "code"), code);
  await scoped(workspaceId).CalendarConsent.updateOne({ _id }, { $set: { sealedCode } });
  const run = calendarConsentRun({ v: 1, workspaceId, consentId: _id });
  const outcome = await services.engine.execute<CalendarConsentOutcome>(run, CALENDAR_CONSENT.deadlineMs);
  if (outcome.kind === "refused") throw new AppError("VALIDATION_FAILED", CALENDAR_REFUSALS[outcome.reason], { reason: outcome.reason });
}

/** Marks the consent as used, for one browser, once. The workspace comes from the stored row, because only the state identifies it. */
async function take(_id: string, provider: ProviderName): Promise<CalendarConsent> {
  const now = new Date();
  const taken = await CalendarConsent.findOneAndUpdate(
    { _id, provider, usedAt: null, expiresAt: trusted({ $gt: now }) },
    { $set: { usedAt: now } },
    { acrossWorkspaces: true, returnDocument: "after" },
  ).lean<CalendarConsent>();
  if (taken === null) throw stale();
  return taken;
}

function stale(): AppError {
  return new AppError("VALIDATION_FAILED", "This consent is unknown, was used already, or took longer than ten minutes: start again");
}
