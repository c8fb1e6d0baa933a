import type { Reason } from "./patterns.ts";
import { codeOf, type Stage, verdictOfText } from "./verdict.ts";

/** Why there is no reply code: the connection could not be made, or broke. */
export type NoReplyCause = "TIMEOUT" | "REFUSED" | "RESET" | "UNREACHABLE" | "RESOLVE" | "TLS" | "CLOSED" | "OTHER";

export interface SmtpRefusal {
  fault: "host" | "credentials" | "sender" | "rate" | "content" | "recipient" | "unknown";
  /**
   * BREAKER: counts towards the circuit breaker of the host. AUTH_FAILURE: counts towards the ten of rules/sending 10.3. COOL_DOWN: the
   * mailbox pauses.
   * SLOW_DOWN: `nextAt` of the mailbox moves later. FAIL_STEP: this step fails for this recipient. HARD_BOUNCE: has the same effect as a
   * hard DSN. RETRY: try again later; it counts towards SOFT_BOUNCE_EXHAUSTED when the fault is the recipient's or unknown.
   */
  effect: "BREAKER" | "AUTH_FAILURE" | "COOL_DOWN" | "SLOW_DOWN" | "FAIL_STEP" | "HARD_BOUNCE" | "RETRY";
  enhanced: string | null;
  reason: Reason | null;
}

const GREYLISTED = /gr[ea]y-?list|postgrey/i;
const SENDING_LIMIT =
  /(?:daily|hourly|sending|outgoing|outbound|per (?:day|hour|minute))\b.{0,60}(?:limit|quota|exceed)|(?:limit|quota)\b.{0,60}(?:daily|hourly|sending|per (?:day|hour|minute))|limit exceeded|too many (?:\w+ )?(?:messages|mails|e-?mails|recipients|connections)|(?:user|sender|account)\S{0,3} (?:\w+ )?(?:quota|limit)/i;

/**
 * Whose fault a refusal before or at the final dot is, and what follows from it (rules/sending 10.1). `code` is the server's 4xx or 5xx
 * reply
 * code; null when no reply was read, in which case nothing was decided and the host is to blame. An answer that never came after phase DATA
 * makes the send UNKNOWN and is not read here.
 */
export function readRefusal(refusal: { stage: Stage; code: number | null; text: string; cause?: NoReplyCause }): SmtpRefusal {
  const { stage, code, text } = refusal;
  const enhanced = codeOf(text, null);
  if (code === null || stage === "CONNECT" || stage === "TLS" || stage === "GREETING" || stage === "EHLO") {
    return { fault: "host", effect: "BREAKER", enhanced, reason: null };
  }
  if (stage === "AUTH") {
    const isTemporary = code < 500 && enhanced !== "5.7.8" && enhanced !== "5.7.9";
    return isTemporary
      ? { fault: "host", effect: "RETRY", enhanced, reason: null }
      : { fault: "credentials", effect: "AUTH_FAILURE", enhanced, reason: null };
  }
  // At DATA, a submission server may still refuse a recipient, so the words are read as they would be at RCPT
  const { reason, type, fault } = verdictOfText(`${code} ${text}`, null, stage === "MAIL" ? "MAIL" : "RCPT");
  const found = { enhanced, reason };
  if (code < 500) return { ...temporary(stage, code, enhanced, text, fault), ...found };
  if (isSendingLimit(code, enhanced, text) && !isTheirQuota(stage, reason, text)) return { fault: "rate", effect: "COOL_DOWN", ...found };
  if (code === 552 && reason !== "MAILBOX_FULL") return { fault: "content", effect: "FAIL_STEP", ...found };
  if (reason === "MESSAGE_TOO_BIG" || isContentCode(enhanced)) return { fault: "content", effect: "FAIL_STEP", ...found };
  if (stage === "MAIL") return { fault: "sender", effect: "COOL_DOWN", ...found };
  if (reason === "RATE_LIMITED") return { fault: "rate", effect: "COOL_DOWN", ...found };
  if (fault === "sender") return { fault: "sender", effect: "COOL_DOWN", ...found };
  if (reason === "CONTENT_REJECTED") {
    const isPolicy = code === 554 || enhanced?.startsWith("5.7.") === true; // "spam" in a policy refusal is about the sender
    return isPolicy ? { fault: "sender", effect: "COOL_DOWN", ...found } : { fault: "content", effect: "FAIL_STEP", ...found };
  }
  if (type === "HARD") return { fault: "recipient", effect: "HARD_BOUNCE", ...found };
  return { fault: fault === "recipient" || stage === "RCPT" ? "recipient" : "unknown", effect: "RETRY", ...found };
}

function temporary(
  stage: Stage,
  code: number,
  enhanced: string | null,
  text: string,
  fault: ReturnType<typeof verdictOfText>["fault"],
): Pick<SmtpRefusal, "fault" | "effect"> {
  if (GREYLISTED.test(text)) return { fault: "recipient", effect: "RETRY" };
  const isRate = code === 421 || enhanced === "4.2.1" || enhanced === "4.5.3" || enhanced?.startsWith("4.7.") === true;
  if (isRate || fault === "sender") return { fault: "rate", effect: "SLOW_DOWN" };
  if (stage === "RCPT" || fault === "recipient") return { fault: "recipient", effect: "RETRY" };
  return { fault: "unknown", effect: "RETRY" };
}

function isSendingLimit(code: number, enhanced: string | null, text: string): boolean {
  if (enhanced === "5.4.5") return true;
  return (code === 550 || enhanced === "5.2.0") && enhanced !== "5.2.2" && SENDING_LIMIT.test(text.replace(/\s+/g, " ").slice(0, 2_000));
}

/** At RCPT, "quota" means the recipient's mailbox, unless the words are about sending. */
function isTheirQuota(stage: Stage, reason: Reason, text: string): boolean {
  return stage === "RCPT" && reason === "MAILBOX_FULL" && !/daily|hourly|send|outgoing|outbound|\bper (?:day|hour|minute)/i.test(text);
}

function isContentCode(enhanced: string | null): boolean {
  return enhanced === "5.3.4" || enhanced?.startsWith("5.6.") === true;
}
