import { proxyActivities } from "@temporalio/workflow";
import type { BillingActivities } from "../activities/billing.ts";
import type { CalendarActivities } from "../activities/calendar.ts";
import type { ContentScoreActivities } from "../activities/campaigns/content-scores.ts";
import type { CrmConnectActivities } from "../activities/crm/connect.ts";
import type { CrmSegmentActivities } from "../activities/crm/segments.ts";
import type { LeadSearchActivities } from "../activities/lead-search/answer.ts";
import type { ConnectionActivities } from "../activities/mailboxes/connection.ts";
import type { ConsentActivities } from "../activities/mailboxes/consent.ts";
import type { SheetActivities } from "../activities/sheets.ts";
import {
  CALENDAR_CONSENT,
  CALENDAR_READ,
  type CalendarConsentIds,
  type CalendarConsentOutcome,
  type CalendarReadIds,
  type CalendarReadOutcome,
} from "../domain/agent/calendar-contract.ts";
import {
  BILLING_SYNC,
  type BillingSyncIds,
  STRIPE_ORDER,
  type StripeOrderIds,
  type StripeOrderOutcome,
} from "../domain/billing/contract.ts";
import { CONTENT_SCORE, type ContentScoreIds } from "../domain/campaigns/content-score.ts";
import {
  CRM_CONSENT,
  CRM_SEGMENTS,
  type CrmConnectionIds,
  type CrmConsentIds,
  type CrmConsentOutcome,
  type CrmSegmentsOutcome,
} from "../domain/crm/contract.ts";
import { QUESTION, type QuestionIds, type QuestionOutcome } from "../domain/lead-search/question.ts";
import { SHEET, type SheetIds, type SheetOutcome } from "../domain/leads/sheet.ts";
import { CONNECTION_TEST, type ConnectionResult, type ConnectionTestIds } from "../domain/mailboxes/connection-test.ts";
import { BULK_TEST, type ConnectionBatchIds } from "../domain/mailboxes/import.ts";
import {
  CONSENT,
  type ConsentIds,
  type ConsentOutcome,
  type GrantIds,
  REVOCATION,
} from "../domain/mailboxes/provider.ts";

// Each workflow here runs one activity for a request, in most cases while the caller waits

/** Runs without retries, because the waiting caller retries. */
const once = { taskQueue: "jobs", retry: { maximumAttempts: 1 } };

const { completeConsent } = proxyActivities<ConsentActivities>({
  ...once,
  taskQueue: "imap",
  startToCloseTimeout: CONSENT.startToCloseTimeout,
});

/** Turns a consent into a connected mailbox, while a browser waits. */
export async function connectConsent(ids: ConsentIds): Promise<ConsentOutcome> {
  return completeConsent(ids);
}

const { revokeGrant: revokeAtProvider } = proxyActivities<ConsentActivities>({
  ...once,
  taskQueue: "imap",
  startToCloseTimeout: REVOCATION.startToCloseTimeout,
});

/** Informs a provider that a mailbox no longer uses its user's consent. */
export async function revokeGrant(ids: GrantIds): Promise<void> {
  await revokeAtProvider(ids);
}

const { tryServers } = proxyActivities<ConnectionActivities>({
  ...once,
  taskQueue: "imap",
  startToCloseTimeout: CONNECTION_TEST.startToCloseTimeout,
});

const { tryMany } = proxyActivities<ConnectionActivities>({
  ...once,
  taskQueue: "imap",
  startToCloseTimeout: BULK_TEST.startToCloseTimeout,
});

/** Tests a mailbox's two servers once, while a caller waits. */
export async function testConnection(ids: ConnectionTestIds): Promise<ConnectionResult> {
  return tryServers(ids);
}

/** Tests the servers of many mailboxes once, while a caller waits. */
export async function testConnections(ids: ConnectionBatchIds): Promise<ConnectionResult[]> {
  return tryMany(ids);
}

const { completeCrmConsent } = proxyActivities<CrmConnectActivities>({
  ...once,
  startToCloseTimeout: CRM_CONSENT.startToCloseTimeout,
});

/** Turns a consent, or a token that a person entered, into a connection to a CRM, while the caller waits. */
export async function connectCrm(ids: CrmConsentIds): Promise<CrmConsentOutcome> {
  return completeCrmConsent(ids);
}

const { fetchCrmSegments } = proxyActivities<CrmSegmentActivities>({
  ...once,
  startToCloseTimeout: CRM_SEGMENTS.startToCloseTimeout,
});

/** Reads the segments of a CRM once, while a caller waits. */
export async function readCrmSegments(ids: CrmConnectionIds): Promise<CrmSegmentsOutcome> {
  return fetchCrmSegments(ids);
}

const { completeCalendarConsent } = proxyActivities<CalendarActivities>({
  ...once,
  startToCloseTimeout: CALENDAR_CONSENT.startToCloseTimeout,
});
const { readBusy } = proxyActivities<CalendarActivities>({
  ...once,
  startToCloseTimeout: CALENDAR_READ.startToCloseTimeout,
});

/** Turns a consent into a calendar whose busy times may be read, while a browser waits. */
export async function connectCalendar(ids: CalendarConsentIds): Promise<CalendarConsentOutcome> {
  return completeCalendarConsent(ids);
}

/** Reads the busy times of a connected calendar, while a caller waits. */
export async function readCalendar(ids: CalendarReadIds): Promise<CalendarReadOutcome> {
  return readBusy(ids);
}

const { fetchSheet } = proxyActivities<SheetActivities>({ ...once, startToCloseTimeout: SHEET.startToCloseTimeout });

/** Reads a spreadsheet once, while a caller waits. */
export async function readSheet(ids: SheetIds): Promise<SheetOutcome> {
  return fetchSheet(ids);
}

const { scoreContents: askSpamFilter } = proxyActivities<ContentScoreActivities>({
  ...once,
  startToCloseTimeout: CONTENT_SCORE.startToCloseTimeout,
});

/**
 * Asks the spam filter about some emails while a caller waits. Its verdicts are stored, so a second run asks only about
 * the rest.
 */
export async function scoreContents(ids: ContentScoreIds): Promise<number> {
  return askSpamFilter(ids);
}

const { answerQuestion } = proxyActivities<LeadSearchActivities>({
  ...once,
  startToCloseTimeout: QUESTION.startToCloseTimeout,
});

/** Asks the lead search provider once, while a caller waits. */
export async function askLeadSearch(ids: QuestionIds): Promise<QuestionOutcome> {
  return answerQuestion(ids);
}

const { openStripePage } = proxyActivities<BillingActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: STRIPE_ORDER.startToCloseTimeout,
  retry: { maximumAttempts: STRIPE_ORDER.attempts },
});

/** Opens a page at Stripe, while a caller waits. */
export async function askStripe(ids: StripeOrderIds): Promise<StripeOrderOutcome> {
  return openStripePage(ids);
}

const { readStripe } = proxyActivities<BillingActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: BILLING_SYNC.startToCloseTimeout,
  scheduleToCloseTimeout: BILLING_SYNC.scheduleToCloseTimeout,
  retry: { initialInterval: BILLING_SYNC.firstWait, maximumInterval: BILLING_SYNC.longestWait },
});

/** Reads plan, seats and credits from Stripe again, after it has reported a change. */
export async function syncBilling(ids: BillingSyncIds): Promise<"stored" | "gone"> {
  return readStripe(ids);
}
