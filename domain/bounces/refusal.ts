import type { Fault, Reason } from "./patterns.ts";
import { isOurAccount, isSpamWord, isTheirRule, spokenOf } from "./refusal-words.ts";
import { codeOf, reasonOfText, type Stage, verdictOfText } from "./verdict.ts";

/** Why there is no reply code: the connection could not be made, or it broke. */
export type NoReplyCause = "TIMEOUT" | "REFUSED" | "RESET" | "UNREACHABLE" | "RESOLVE" | "TLS" | "CLOSED" | "OTHER";

/**
 * What a refusal is evidence about. `policy`: it is not known yet whether the policy is the recipient's, its
 * organisation's, its provider's or about the sender. `unknown`: a temporary fault without an explanation.
 */
export type RefusalSubject =
  | "recipient"
  | "organisation"
  | "content"
  | "sender"
  | "rate"
  | "connection"
  | "host"
  | "credentials"
  | "policy"
  | "unknown";

export interface SmtpRefusal {
  about: RefusalSubject;
  /**
   * UNCONFIRMED: only the answers of other organisations show whether the refusal is about the sender (rules/sending
   * 10.8).
   */
  confidence: "CERTAIN" | "UNCONFIRMED";
  /**
   * BREAKER: counts towards the circuit breaker of the host. AUTH_FAILURE: counts towards the ten refused logins that
   * disable a mailbox (rules/sending 10.3). RECONNECT: the server allows no more emails on this connection, so this
   * email is sent on a new one. COOL_DOWN: the mailbox cools down. SLOW_DOWN: the mailbox sends its next email later.
   * FAIL_STEP: this step fails for this recipient. HARD_BOUNCE: has the same effect as a hard DSN. END: the recipient
   * ends without a bounce. PUT_OFF: this recipient is tried again hours later, and the mailbox keeps sending. RETRY:
   * the email is tried again. If the refusal is about the recipient or unknown, the try counts towards
   * SOFT_BOUNCE_EXHAUSTED.
   */
  effect:
    | "BREAKER"
    | "AUTH_FAILURE"
    | "RECONNECT"
    | "COOL_DOWN"
    | "SLOW_DOWN"
    | "FAIL_STEP"
    | "HARD_BOUNCE"
    | "END"
    | "PUT_OFF"
    | "RETRY";
  enhanced: string | null;
  reason: Reason | null;
}

/** The answer of a server, or the fact that it did not answer. */
export interface ServerAnswer {
  stage: Stage;
  /** The 4xx or 5xx reply code; null when no reply was read. */
  code: number | null;
  text: string;
  cause?: NoReplyCause;
  /** How many emails were sent on this connection before. */
  carried?: number;
  /** Our own domains: a text that names one of them is about the sender. */
  own?: readonly string[];
}

/** A failure as a delivery report describes it. */
export interface ReportedFailure {
  reason: Reason;
  type: "HARD" | "SOFT";
  fault: Fault;
  /** The enhanced status code. */
  code: string | null;
  diagnostic: string;
}

const GREYLISTED = /gr[ea]y-?list|postgrey/i;
const SENDING_LIMIT =
  /(?:daily|hourly|sending|outgoing|outbound|per (?:day|hour|minute))\b.{0,60}(?:limit|quota|exceed)|(?:limit|quota)\b.{0,60}(?:daily|hourly|sending|per (?:day|hour|minute))|limit exceeded|too many (?:\w+ )?(?:messages|mails|e-?mails|recipients|connections)|(?:user|sender|account)\S{0,3} (?:\w+ )?(?:quota|limit)/i;
/** Words that say that the recipient gets too much email, from all senders together. */
const THEIR_RATE =
  /(?:user|recipient|mail ?box|account|addressee)\b.{0,60}\b(?:receiv\w{1,3}|getting|gets)\b.{0,40}(?:\brate\b|quick|too (?:many|much|fast)|volume)/i;
const PER_CONNECTION =
  /(?:limit|max\w{0,6}|too many|exceed\w{0,3}|enough|no more)\b.{0,60}\b(?:per|(?:in|on|over|for) (?:this|the same|one|a single|a)) (?:smtp )?(?:connection|session)\b|\b(?:connection|session)\b.{0,30}(?:message|mail|transaction) limit/i;
/** Codes that state a sending limit by themselves. */
const RATE_CODES = /^4\.(?:2\.1|5\.3|7\.(?:28|5\d\d|6\d\d|7\d\d))$/;

/**
 * What a refusal before or at the final dot is evidence about, and its effect (rules/sending 10.1). If no reply was
 * read, the email was not refused, and the result is about the host. The case that no answer came after phase DATA is
 * not handled here: that send becomes UNKNOWN.
 */
export function readRefusal(answer: ServerAnswer): SmtpRefusal {
  const { stage, code, text, carried = 0 } = answer;
  const enhanced = codeOf(text, null);
  const found = { enhanced, reason: null, confidence: "CERTAIN" } as const;
  if (carried > 0 && isUsedUp(answer)) return { about: "connection", effect: "RECONNECT", ...found };
  if (code === null || stage === "CONNECT" || stage === "TLS" || stage === "GREETING" || stage === "EHLO") {
    return { about: "host", effect: "BREAKER", ...found };
  }
  if (stage === "AUTH") {
    const isTemporary = code < 500 && enhanced !== "5.7.8" && enhanced !== "5.7.9";
    return isTemporary
      ? { about: "host", effect: "RETRY", ...found }
      : { about: "credentials", effect: "AUTH_FAILURE", ...found };
  }
  // A submission server may refuse a recipient as late as at DATA, so the text is read like an answer to RCPT
  const verdict = verdictOfText(`${code} ${text}`, null, stage === "MAIL" ? "MAIL" : "RCPT");
  return read({ ...answer, code, enhanced }, verdict);
}

/**
 * What a failure in a delivery report is evidence about, and its effect. The report's words are read like an answer in
 * an SMTP dialogue.
 */
export function readReportedFailure(
  { code: status, diagnostic, ...verdict }: ReportedFailure,
  own: readonly string[] = [],
): SmtpRefusal {
  const replyCode = /(?<![\d.])[45]\d\d(?=[ :-]|$)/.exec(diagnostic)?.[0];
  const code = replyCode === undefined ? (status?.startsWith("4") === true ? 450 : 550) : Number(replyCode);
  return read({ stage: "RCPT", code, text: diagnostic, own, enhanced: codeOf(diagnostic, status) }, verdict);
}

interface Coded extends ServerAnswer {
  code: number;
  enhanced: string | null;
}

type Verdict = Pick<ReportedFailure, "reason" | "type" | "fault">;
type Judged = Pick<SmtpRefusal, "about" | "confidence" | "effect">;

function read(answer: Coded, verdict: Verdict): SmtpRefusal {
  const judged = answer.code < 500 ? judgeTemporary(answer, verdict) : judgePermanent(answer, verdict);
  return { ...judged, enhanced: answer.enhanced, reason: verdict.reason };
}

function certainJudgement(about: RefusalSubject, effect: SmtpRefusal["effect"]): Judged {
  return { about, effect, confidence: "CERTAIN" };
}

function unconfirmedJudgement(about: "policy" | "content"): Judged {
  return { about, effect: "PUT_OFF", confidence: "UNCONFIRMED" };
}

function judgePermanent({ stage, code, text, enhanced, own = [] }: Coded, { reason, type, fault }: Verdict): Judged {
  if (reason === "MESSAGE_TOO_BIG" || isContentCode(enhanced)) return certainJudgement("content", "FAIL_STEP");
  if (THEIR_RATE.test(text)) return certainJudgement("recipient", "RETRY");
  if (isSendingLimit(code, enhanced, text) && !isTheirQuota(stage, reason, text))
    return certainJudgement("rate", "COOL_DOWN");
  if (code === 552 && reason !== "MAILBOX_FULL" && stage !== "MAIL") return certainJudgement("content", "FAIL_STEP");
  // At MAIL, the recipient has not been named yet, so the refusal is about the sender
  if (stage === "MAIL" || isOurAccount(text, stage === "DATA" || enhanced?.startsWith("5.7.") === true))
    return certainJudgement("sender", "COOL_DOWN");
  if (reason === "RATE_LIMITED" && !isTheirRule(text)) return certainJudgement("rate", "COOL_DOWN");
  if (type === "HARD") return certainJudgement("recipient", "HARD_BOUNCE");
  if (fault === "recipient") return certainJudgement("recipient", "RETRY");
  if (fault === "network") return certainJudgement(stage === "RCPT" ? "recipient" : "unknown", "RETRY");
  const subject = spokenOf(text, reason, own);
  if (subject === "recipient" || subject === "organisation") return certainJudgement(subject, "END");
  if (subject === "sender") return certainJudgement("sender", "COOL_DOWN");
  if (subject === "policy") return unconfirmedJudgement("policy");
  return isSpamWord(text) ? unconfirmedJudgement("content") : certainJudgement("content", "FAIL_STEP");
}

function judgeTemporary({ stage, code, text, enhanced }: Coded, { reason, fault }: Verdict): Judged {
  if (GREYLISTED.test(text) || THEIR_RATE.test(text) || isTheirRule(text))
    return certainJudgement("recipient", "RETRY");
  const textReason = reasonOfText(`${code} ${text}`, null);
  const isRate =
    code === 421 || RATE_CODES.test(enhanced ?? "") || (textReason === "RATE_LIMITED" && reason !== "MAILBOX_FULL");
  if (isRate || stage === "MAIL") return certainJudgement("rate", "SLOW_DOWN");
  if (fault === "sender" && spokenOf(text, reason) === "sender") return certainJudgement("rate", "SLOW_DOWN");
  if (stage === "RCPT" || fault === "recipient") return certainJudgement("recipient", "RETRY");
  return certainJudgement("unknown", "RETRY");
}

/**
 * Whether the server only ended the connection. It does so after a 421 answer; some servers close the connection
 * without any answer.
 */
function isUsedUp({ stage, code, text, cause }: ServerAnswer): boolean {
  if (stage !== "MAIL" && stage !== "RCPT" && stage !== "DATA") return false;
  if (code === null) return cause === "RESET" || cause === "CLOSED";
  return code === 421 || PER_CONNECTION.test(text.replace(/\s+/g, " ").slice(0, 2_000));
}

function isSendingLimit(code: number, enhanced: string | null, text: string): boolean {
  if (enhanced === "5.4.5") return true;
  return (
    (code === 550 || enhanced === "5.2.0") &&
    enhanced !== "5.2.2" &&
    SENDING_LIMIT.test(text.replace(/\s+/g, " ").slice(0, 2_000))
  );
}

/**
 * Whether "quota" means the recipient's full mailbox. It does in an answer of the recipient's server, unless the text
 * is about sending.
 */
function isTheirQuota(stage: Stage, reason: Reason, text: string): boolean {
  return (
    stage === "RCPT" &&
    reason === "MAILBOX_FULL" &&
    !/daily|hourly|send|outgoing|outbound|\bper (?:day|hour|minute)/i.test(text)
  );
}

function isContentCode(enhanced: string | null): boolean {
  return enhanced === "5.3.4" || enhanced?.startsWith("5.6.") === true;
}
