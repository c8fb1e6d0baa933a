import { CONSOLE } from "./console/console.ts";
import { CONSOLE_ACCESS } from "./console/console-access.ts";
import { CONSOLE_CAMPAIGNS } from "./console/console-campaigns.ts";
import { CONSOLE_INBOX } from "./console/console-inbox.ts";
import { CONSOLE_LEADS } from "./console/console-leads.ts";
import { CONSOLE_MAILBOXES } from "./console/console-mailboxes.ts";
import { CONSOLE_SEQUENCE } from "./console/console-sequence.ts";
import type { Guard } from "./guard.ts";
import { AGENT_GUARDS } from "./inbox/agent.ts";
import { ANSWERS } from "./inbox/answers.ts";
import { CALENDARS } from "./inbox/calendar.ts";
import { INTENT } from "./inbox/intent.ts";
import { READING_LEDGER } from "./inbox/reading-ledger.ts";
import { READING_RULES } from "./inbox/reading-rules.ts";
import { READING_WORK } from "./inbox/reading-work.ts";
import { CRM } from "./leads/crm.ts";
import { FILES } from "./leads/files.ts";
import { LEAD_SEARCH } from "./leads/lead-search.ts";
import { LEAD_SOURCES } from "./leads/lead-source.ts";
import { PRIVACY } from "./leads/privacy.ts";
import { VALUES } from "./leads/values.ts";
import { CONNECTORS } from "./mailboxes/connectors.ts";
import { DELIVERABILITY } from "./mailboxes/deliverability.ts";
import { HEALTH } from "./mailboxes/health.ts";
import { MAILBOXES } from "./mailboxes/mailboxes.ts";
import { PLACEMENTS } from "./mailboxes/placement.ts";
import { POSTMASTER } from "./mailboxes/postmaster.ts";
import { SERVERS } from "./mailboxes/servers.ts";
import { VERIFICATIONS } from "./mailboxes/verification.ts";
import { NAMED } from "./named.ts";
import { ANALYTICS } from "./reports/analytics.ts";
import { COUNTERS } from "./reports/counters.ts";
import { HOME } from "./reports/home.ts";
import { TRACKED_MAIL } from "./reports/tracked-mail.ts";
import { TRACKING } from "./reports/tracking.ts";
import { EXPERIMENTS } from "./sending/experiments.ts";
import { PLANS } from "./sending/plans.ts";
import { SENDING_LEDGER } from "./sending/sending-ledger.ts";
import { SENDING_RULES } from "./sending/sending-rules.ts";
import { SENDING_WORK } from "./sending/sending-work.ts";
import { SEQUENCE_EDITS } from "./sending/sequence-edits.ts";
import { TEMPLATE_GUARDS } from "./sending/templates.ts";
import { TRANSPORT_GUARDS } from "./sending/transports.ts";
import { ABUSE } from "./system/abuse.ts";
import { ACCESS } from "./system/access.ts";
import { AGENCY, BILLING } from "./system/billing.ts";
import { DOCTOR } from "./system/doctor.ts";
import { DOORS } from "./system/doors.ts";
import { EVIDENCE_GUARDS } from "./system/evidence.ts";
import { MODERN } from "./system/modern.ts";
import { OPERATIONS } from "./system/operations.ts";
import { OVERLOAD } from "./system/overload.ts";
import { PLACES } from "./system/places.ts";
import { PROMPT_GUARDS } from "./system/prompts.ts";
import { RECORDS } from "./system/records.ts";
import { RETENTION_GUARDS } from "./system/retention.ts";
import { SEARCH } from "./system/search.ts";
import { SHARED_WORK_GUARDS } from "./system/shared-work.ts";
import { SIGN_UP } from "./system/sign-up.ts";
import { STORE } from "./system/store.ts";
import { TOOL_PAGES } from "./system/tool-pages.ts";
import { VERSIONS } from "./system/versions.ts";
import { TEXT_CHECKS } from "./text-check.ts";
import { WARMUP } from "./warmup/warmup.ts";
import { WARMUP_PLAN } from "./warmup/warmup-plan.ts";
import { WARMUP_TEXT } from "./warmup/warmup-text.ts";
import { WARMUP_TREAT } from "./warmup/warmup-treat.ts";

/**
 * The guards of all rooms, beginning with those whose tests once did not bite. A guard whose removal no test notices is
 * a finding: its test is mended, and the row stays.
 */
export const GUARDS: Guard[] = [
  ...NAMED,
  ...SENDING_RULES,
  ...TRANSPORT_GUARDS,
  ...SEQUENCE_EDITS,
  ...TEMPLATE_GUARDS,
  ...ABUSE,
  ...TEXT_CHECKS,
  ...VERIFICATIONS,
  ...EXPERIMENTS,
  ...SENDING_LEDGER,
  ...SENDING_WORK,
  ...OVERLOAD,
  ...PLACES,
  ...READING_RULES,
  ...READING_LEDGER,
  ...INTENT,
  ...ANSWERS,
  ...READING_WORK,
  ...MAILBOXES,
  ...RECORDS,
  ...SHARED_WORK_GUARDS,
  ...TOOL_PAGES,
  ...VERSIONS,
  ...FILES,
  ...LEAD_SOURCES,
  ...VALUES,
  ...DOCTOR,
  ...DOORS,
  ...MODERN,
  ...PROMPT_GUARDS,
  ...OPERATIONS,
  ...PLANS,
  ...ACCESS,
  ...CONNECTORS,
  ...CONSOLE,
  ...CONSOLE_LEADS,
  ...CONSOLE_INBOX,
  ...CONSOLE_ACCESS,
  ...CONSOLE_CAMPAIGNS,
  ...CONSOLE_MAILBOXES,
  ...CONSOLE_SEQUENCE,
  ...SERVERS,
  ...RETENTION_GUARDS,
  ...SIGN_UP,
  ...SEARCH,
  ...STORE,
  ...TRACKING,
  ...TRACKED_MAIL,
  ...AGENCY,
  ...BILLING,
  ...CALENDARS,
  ...DELIVERABILITY,
  ...PLACEMENTS,
  ...HEALTH,
  ...POSTMASTER,
  ...PRIVACY,
  ...LEAD_SEARCH,
  ...CRM,
  ...EVIDENCE_GUARDS,
  ...AGENT_GUARDS,
  ...ANALYTICS,
  ...COUNTERS,
  ...HOME,
  ...WARMUP,
  ...WARMUP_PLAN,
  ...WARMUP_TEXT,
  ...WARMUP_TREAT,
];
