import { ACCESS } from "./access.ts";
import { AGENT_GUARDS } from "./agent.ts";
import { ANALYTICS } from "./analytics.ts";
import { ANSWERS } from "./answers.ts";
import { AGENCY, BILLING } from "./billing.ts";
import { CALENDARS } from "./calendar.ts";
import { CONNECTORS } from "./connectors.ts";
import { CONSOLE } from "./console.ts";
import { CONSOLE_ACCESS } from "./console-access.ts";
import { CONSOLE_INBOX } from "./console-inbox.ts";
import { CONSOLE_LEADS } from "./console-leads.ts";
import { CONSOLE_MAILBOXES } from "./console-mailboxes.ts";
import { CRM } from "./crm.ts";
import { DELIVERABILITY } from "./deliverability.ts";
import { DOORS } from "./doors.ts";
import { EVIDENCE_GUARDS } from "./evidence.ts";
import { EXPERIMENTS } from "./experiments.ts";
import { FILES } from "./files.ts";
import type { Guard } from "./guard.ts";
import { HEALTH } from "./health.ts";
import { INTENT } from "./intent.ts";
import { LEAD_SEARCH } from "./lead-search.ts";
import { MAILBOXES } from "./mailboxes.ts";
import { NAMED } from "./named.ts";
import { OPERATIONS } from "./operations.ts";
import { OVERLOAD } from "./overload.ts";
import { PLACEMENTS } from "./placement.ts";
import { PLANS } from "./plans.ts";
import { POSTMASTER } from "./postmaster.ts";
import { READING_LEDGER } from "./reading-ledger.ts";
import { READING_RULES } from "./reading-rules.ts";
import { READING_WORK } from "./reading-work.ts";
import { RECORDS } from "./records.ts";
import { SENDING_LEDGER } from "./sending-ledger.ts";
import { SENDING_RULES } from "./sending-rules.ts";
import { SENDING_WORK } from "./sending-work.ts";
import { SEQUENCE_EDITS } from "./sequence-edits.ts";
import { SERVERS } from "./servers.ts";
import { STORE } from "./store.ts";
import { TEXT_CHECKS } from "./text-check.ts";
import { TRACKED_MAIL } from "./tracked-mail.ts";
import { TRACKING } from "./tracking.ts";
import { VALUES } from "./values.ts";
import { VERIFICATIONS } from "./verification.ts";
import { WARMUP } from "./warmup.ts";
import { WARMUP_PLAN } from "./warmup-plan.ts";
import { WARMUP_TEXT } from "./warmup-text.ts";
import { WARMUP_TREAT } from "./warmup-treat.ts";

/**
 * The guards of all rooms, beginning with those whose tests once did not bite. A guard whose removal no test notices is a finding: its
 * test is mended, and the row stays.
 */
export const GUARDS: Guard[] = [
  ...NAMED,
  ...SENDING_RULES,
  ...SEQUENCE_EDITS,
  ...TEXT_CHECKS,
  ...VERIFICATIONS,
  ...EXPERIMENTS,
  ...SENDING_LEDGER,
  ...SENDING_WORK,
  ...OVERLOAD,
  ...READING_RULES,
  ...READING_LEDGER,
  ...INTENT,
  ...ANSWERS,
  ...READING_WORK,
  ...MAILBOXES,
  ...RECORDS,
  ...FILES,
  ...VALUES,
  ...DOORS,
  ...OPERATIONS,
  ...PLANS,
  ...ACCESS,
  ...CONNECTORS,
  ...CONSOLE,
  ...CONSOLE_LEADS,
  ...CONSOLE_INBOX,
  ...CONSOLE_ACCESS,
  ...CONSOLE_MAILBOXES,
  ...SERVERS,
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
  ...LEAD_SEARCH,
  ...CRM,
  ...EVIDENCE_GUARDS,
  ...AGENT_GUARDS,
  ...ANALYTICS,
  ...WARMUP,
  ...WARMUP_PLAN,
  ...WARMUP_TEXT,
  ...WARMUP_TREAT,
];
