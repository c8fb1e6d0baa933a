/**
 * Why a recipient does or does not receive email: each rule has a stable code, a text and values. Instants in values
 * are RFC 3339.
 */
export type Value = string | number | boolean | null | string[];

/** The sentence of each rule. Braces contain the names of the rule's values. */
export const RULE_TEXTS = {
  // Recipient and campaign
  ENDED: "Nothing more is sent: the recipient is {status}, because of {stopReason}",
  CAMPAIGN_DRAFT: "The campaign has not been launched",
  CAMPAIGN_SCHEDULED: "The campaign starts at {startAt}",
  CAMPAIGN_PAUSED: "The campaign has been paused since {since}: {reason}",
  CAMPAIGN_COMPLETED: "The campaign has ended: {reason}",
  CAMPAIGN_ARCHIVED: "The campaign is archived",
  SCHEDULE_ENDED: "The campaign ends at {endAt}, and nothing is sent after that",
  RECIPIENT_PAUSED: "The recipient is paused until someone resumes it: {reason}",
  RECIPIENT_PAUSED_UNTIL: "The recipient is paused until {until}: {reason}",
  PARKED: "The recipient was due while the campaign was paused, and gets a new send slot",
  WAITS_FOR_ADMISSION:
    "The recipient waits for admission: first emails are booked half an hour ahead, and {ahead} recipients come before this one",
  HOLD_OUT:
    "The recipient is among the {share} of recipients that the campaign holds out: it is never contacted and serves as a comparison",
  NO_MAILBOX: "The campaign has no mailbox",
  MAILBOXES_UNHEALTHY: "None of the campaign's {mailboxes} mailboxes can send",
  WAITING_FOR_PROVIDER_MATCH: "No available mailbox is at the recipient's mail provider, {provider}",
  PROVIDER_UNKNOWN:
    "The mail provider of {domain} is not known yet. It is looked up at admission if providers are configured; until then any mailbox may be used",
  // Steps
  STEP_DELAY: "Step {order} is due {value} {unit} after {since}: at {until}",
  STEP_REMOVED: "The step that the recipient waited for was removed: it continues at the next step",
  STEP_ACTS: "Step {order} is not an email but {type}",
  APPROVAL_STEP: "Step {order} asks for an approval",
  APPROVAL_REQUIRED:
    "The email of step {order} waits for an approval before it is sent: the campaign's approvalMode is {mode}",
  APPROVAL_PENDING:
    "The email of step {order} has waited for an approval since {since} and waits until {until}: once it is approved and the recipient resumes, it is sent at the next free slot",
  APPROVAL_EXPIRED:
    "No one approved the email of step {order} between {since} and {until}: when the recipient resumes, Outreach asks for the approval again",
  OPT_OUT_ASKED:
    "The person may have opted out: no campaign emails them until someone decides whether they did ({approvalIds})",
  CONDITION_WAIT: "The conditions of the previous step are open until {until}: {conditions}",
  EVENT_MAY_INTERVENE: "An event may still lead to another step: {conditions}",
  // An email that is being sent
  SEND_UNDER_WAY: "An attempt is sending the email and has it reserved until {until}, phase {phase}",
  SEND_UNKNOWN:
    "It is not known whether the email was sent: Outreach looks for evidence until {until}, then the recipient's sequence ends",
  DATABASE_SLOW:
    "The email of step {order} is held back because the database is slow: it is tried again at {until}. This has happened {times} times in a row",
  RETRY: "Attempts that failed in a row: {attempts}. The last: {reason}",
  // What prevents an email from being sent at all
  INVALID_ADDRESS: "No email is sent to the address: its verification result is {verificationStatus}",
  OTHER_CAMPAIGN: "Another active campaign has sent an email to the address",
  MAILBOX_LOST: "Mailbox {mailboxId} is {status}",
  REASSIGNED: "Another mailbox takes over at {at}, {afterHours} hours after this one was lost",
  SUPPRESSED: "The address is suppressed: {reasons}",
  BLOCK_LISTED: "The block list covers the address: {value}",
  MISSING_VARIABLE: "The lead has no value for {names}: {policy}",
  TEMPLATE_ERROR: "The step cannot be rendered: {error}",
  // What moves an email to another time
  BOOKED_SLOT: "The email is booked for {slotAt} in mailbox {mailboxId}",
  SLOT_LOST: "The booked slot is no longer valid ({because}): the email is booked again",
  NO_OPENING: "No sending window of the campaign has room for the email",
  BEFORE_START: "The campaign starts at {startAt}, and its next sending hours begin at {until}",
  HOLIDAY: "{date} is a holiday: no sending window is open until {until}",
  WINDOW_CLOSED: "No sending window of the campaign is open until {until} ({zone})",
  MAILBOX_WORKDAY: "The mailbox does not send on this day: not before {until} ({zone})",
  MAILBOX_RESTING: "Mailbox {mailboxId} ({status}) sends nothing: {reason}",
  MAILBOX_RESTING_UNTIL: "Mailbox {mailboxId} ({status}) sends nothing until {until}: {reason}",
  REFUSALS: "Why mailbox {mailboxId} cooled down: {evidence}",
  REFUSED:
    "{organisation} refused the email of step {order} ({code}): it is tried again at {until}. After {most} refusals the recipient's sequence ends; so far there are {used}",
  PROVIDER_PAUSED: "Mailbox {mailboxId} sends nothing to customers of {provider} until {until}: {evidence}",
  AFTER_COOL_DOWN:
    "{organisation} refused emails before mailbox {mailboxId} cooled down: other organisations come first, until one of them accepts an email, or until {until}",
  MAILBOX_BAND:
    "Mailbox {mailboxId} has been {band} since {since}, because of {measure}: {numerator} of {denominator} (threshold {threshold}). It sends no campaign email before {until}",
  MAILBOX_BAND_LIMIT:
    "The mailbox has been {band} since {since}, because of {measure}: {numerator} of {denominator} (threshold {threshold}). At {step} % of its capacity, campaigns have used {used} of {limit} emails of the day: not before {until}",
  COLD_LIMIT:
    "After its warmup, the mailbox has ramped up to {limit} campaign emails a day; {used} are used: not before {until}",
  WARMUP_ROOM:
    "Besides its warmup, the mailbox has {limit} emails a day for campaigns; {used} are used: not before {until}",
  MAILBOX_GAP: "The mailbox leaves {gapSeconds} s between two emails: not before {until}",
  MAILBOX_BUSY: "The mailbox has just sent: not before {until}",
  MAILBOX_DAILY_LIMIT: "The mailbox has used {used} of its {limit} emails of the day: not before {until}",
  PROVIDER_DAILY_LIMIT:
    "The mailbox has used {used} of the {limit} emails that its provider allows in a day: not before {until}",
  MAILBOX_CAMPAIGN_LIMIT:
    "The campaign has used {used} of the {limit} emails it may send from the mailbox in a day: not before {until}",
  DAILY_LIMIT: "The campaign has used {used} of its {limit} emails of the day: not before {until}",
  RAMP_LIMIT: "The ramp allows {limit} emails today; {used} are used: not before {until}",
  NEW_LEAD_LIMIT: "The campaign has started {used} of the {limit} new leads of the day: not before {until}",
  THROTTLE_COMPANY: "The limit of {limit} emails a day to one company is reached ({scope}): not before {until}",
  THROTTLE_RECIPIENT_DOMAIN:
    "The limit of {limit} emails an hour to one domain is reached ({scope}): not before {until}",
  THROTTLE_SENDER_DOMAIN:
    "The limit of {limit} emails an hour from one domain is reached ({scope}): not before {until}",
  // What could stop the recipient
  STOP_ON_REPLY: "A reply ends the sequence; the scope is {scope}",
  STOP_FOR_COMPANY: "A reply from a colleague at {company} pauses the recipient",
  STOP_ON_AUTO_REPLY: "An automatic reply ends the sequence",
  OUT_OF_OFFICE_PAUSE:
    "An out-of-office reply pauses the recipient until the date it names, otherwise for {fallbackDays} days",
  OUT_OF_OFFICE_STOP: "An out-of-office reply ends the sequence",
  STOP_ON_OPEN: "An open ends the sequence",
  STOP_ON_CLICK: "A click ends the sequence",
  STOP_ON_MEETING: "A booked meeting ends the sequence",
  STOP_ON_CONVERSION: "A conversion ends the sequence",
  HARD_BOUNCE: "A hard bounce ends the sequence and suppresses the address",
  SOFT_BOUNCES:
    "After a temporary refusal the email is tried again after 1, 6 and 24 hours, then the recipient is skipped; {used} of 3 attempts are used",
  POLICY_REFUSALS:
    "After a refusal without a reason the email is tried again after 4 and 24 hours, then the sequence ends; {used} of 2 attempts are used",
  OPT_OUT: "An unsubscribe, an opt-out in a reply, a complaint, a suppression or a block-list entry ends the sequence",
  VERIFICATION: "The verification result {statuses} ends the sequence",
  MISSING_VARIABLES: "When a variable is missing: {policy}",
  SEND_GIVEN_UP: "An email whose outcome stays unknown for 24 hours ends the sequence",
  MAILBOX_DISCONNECTED: "A lost mailbox pauses the recipient; failover: {failover} after {afterHours} hours",
  END_AT: "The campaign ends at {endAt}",
  BOUNCE_GUARD:
    "The campaign pauses when {rate} of its emails in {windowDays} days hard bounce, once it has sent {minSends} emails",
  COMPLAINT_GUARD:
    "The campaign pauses when {rate} of its emails cause complaints, once it has {minSends} emails and {minComplaints} complaints",
  REPLY_RATE_FLOOR: "The campaign pauses when fewer than {floor} of the contacted recipients reply",
  GUARDS_OVERRIDDEN: "No guard pauses the campaign until {until}, because someone resumed it",
  UNSENDABLE: "No mailbox has been able to send since {since}: the campaign pauses at {pausesAt}",
} as const;

export type RuleCode = keyof typeof RULE_TEXTS;
export const RULE_CODES = Object.keys(RULE_TEXTS) as [RuleCode, ...RuleCode[]]; // the keys of a literal

export interface Rule {
  code: RuleCode;
  text: string;
  values: Record<string, Value>;
}

export function rule(code: RuleCode, values: Record<string, Value> = {}): Rule {
  const valueText = (name: string) => {
    const value = values[name] ?? null;
    return Array.isArray(value) ? value.join(", ") : String(value ?? "nothing");
  };
  return { code, text: RULE_TEXTS[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => valueText(name)), values };
}

/** A share of 0 to 1 as a percentage, in the form for a rule's values. */
export function shareInPercent(share: number): string {
  return `${Math.round(share * 10_000) / 100} %`;
}

/** A time in the form for a rule's values. */
export function formatInstant(at: number | Date): string {
  return new Date(at).toISOString();
}

/**
 * What may happen to a recipient next. MAIL: an email is sent. STEP: a step that is not an email is executed.
 * STEP_SKIPPED: a step is skipped because a variable is missing. RESUMED: the pause ends automatically. REASSIGNED: the
 * recipient gets another mailbox. LOST: the outcome of an email stays unknown.
 */
export const FORESEEN = [
  ...(["CAMPAIGN_STARTED", "ADMITTED", "RESUMED", "REASSIGNED"] as const),
  ...(["MAIL", "STEP", "STEP_SKIPPED", "PAUSED", "LOST", "ENDED"] as const),
] as const;

export interface Foreseen {
  event: (typeof FORESEEN)[number];
  /** Epoch milliseconds. */
  at: number;
  /** True: nothing happens before `at`, but it may happen later. False: it happens at `at` if nothing changes. */
  isEarliest: boolean;
  stepId: string | null;
  /** The pauseReason or stopReason that the event leads to. */
  reason: string | null;
}
