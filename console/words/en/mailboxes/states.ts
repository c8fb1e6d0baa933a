import type { HeaderSurvival } from "../../../../domain/mail/header-survival.ts";
import type { Band, HealthMeasure } from "../../../../domain/mailboxes/band.ts";
import {
  ACCESS_FAULTS,
  type ConnectionErrorCode,
  isAccessFault,
} from "../../../../domain/mailboxes/connection-error.ts";
import type { DnsVerdict, VerificationState } from "../../../../domain/mailboxes/dns-check.ts";
import type { MailboxStatus } from "../../../../domain/states.ts";
import type { WarmupStatus } from "../../../../domain/warmup/enrolment.ts";
import { counted, formatCount, formatShare } from "../../format.ts";

/** The statuses of a mailbox. */
export const MAILBOX_STATUS: Record<MailboxStatus, string> = {
  CONNECTED: "connected",
  PAUSED: "paused",
  RECONNECT_REQUIRED: "sign-in refused",
  SENDING_ERROR: "cannot send",
  COOLING_DOWN: "cooling down",
  DISCONNECTED: "disconnected",
};

export const WHAT_TO_DO: Record<MailboxStatus, string> = {
  CONNECTED: "No action needed.",
  PAUSED: "You paused it. Replies are still read, but no campaign or warmup email leaves. Resume it to continue.",
  RECONNECT_REQUIRED: "Nothing is sent or read until you connect it again.",
  SENDING_ERROR:
    "Outreach tries again by itself, and continues once the cause is fixed. If the server has moved, connect the mailbox again.",
  COOLING_DOWN:
    "Outreach tries again after a day, or after several days if this happens often. Fix the cause, then wait or resume it.",
  DISCONNECTED: "Its credentials were deleted. Connect it again to use it.",
};

/** The text about failed connections: one text for the first failure, one with the number for several. */
export function failedTriesInWords(tries: number): string {
  if (tries === 1) return "The last connection failed. Outreach tries again by itself.";
  return `The last ${formatCount(tries)} connections failed. Outreach tries again by itself.`;
}

type ReasonCode = ConnectionErrorCode | "HARD_BOUNCES" | "COMPLAINTS" | "REFUSALS" | "EMAIL_UNREADABLE";

/** Why a mailbox does not send, and how to fix it. */
const REASONS: Record<ReasonCode, string> = {
  AUTH_FAILED:
    "The server refuses the password. It was changed, or the provider blocks other programs. Connect the mailbox again with the new one.",
  CONNECT_FAILED: "Its server cannot be reached. Check the name and port of the server, and whether it is up.",
  TLS_FAILED:
    "The encrypted connection failed. The server's certificate is not valid, or it uses another type of encryption.",
  TIMEOUT: "The server does not respond in time. It may be busy. If this continues, ask your provider.",
  PROTOCOL_ERROR: "This server does not respond like a mail server. Check its name and port.",
  EMAIL_UNREADABLE:
    "An email in this mailbox cannot be read and was skipped. All other emails are read. Look for unread replies at the provider.",
  HARD_BOUNCES:
    "Too many of its emails bounced because the addresses do not exist. Verify your leads before you continue.",
  REFUSALS:
    "Several recipients' servers refuse its emails without saying why. Check its DNS records, its text and its health.",
  COMPLAINTS: "Too many people reported its emails as spam. Contact fewer people with more relevant emails.",
};

/** The reason for a status or an error as text. Mail servers give SMTP codes. */
export function reasonInWords(code: string): string {
  if (isAccessFault(code)) return ACCESS_FAULTS[code].text;
  const reasons: Readonly<Record<string, string>> = REASONS;
  if (reasons[code] !== undefined) return reasons[code];
  if (/^\d{3}$/.test(code))
    return `Its server refuses emails from it (${code}). Ask the provider why; fewer emails a day often help.`;
  return `Mail servers refuse its emails (${code.toLowerCase().replaceAll("_", " ")}). Check its texts, its DNS records and its health.`;
}

/** The parts of an email that a provider may change or remove. */
export const EMAIL_PART: Record<keyof HeaderSurvival, string> = {
  from: "From",
  messageId: "Message-ID",
  date: "Date",
  listUnsubscribe: "List-Unsubscribe",
  listUnsubscribePost: "List-Unsubscribe-Post (one-click unsubscribe)",
  ownHeaders: "X- headers",
  text: "plain text",
};

/** The result for one side in a test of credentials. */
export const TRIED: Record<ConnectionErrorCode, string> = {
  AUTH_FAILED:
    "The server refuses the address or the password. Many providers want an app password here, made in the account's settings, and some that IMAP is switched on first.",
  CONNECT_FAILED: "The server does not respond. Check its name and port.",
  TLS_FAILED: "The encrypted connection failed. Try the other type of encryption, or another port.",
  TIMEOUT: "The server did not answer in time. Check the port; if it is right, try again in a minute.",
  PROTOCOL_ERROR: "This is not a mail server of this type. Check the name and the port.",
};

export const BAND: Record<Band, string> = {
  HEALTHY: "healthy",
  WATCH: "watched",
  THROTTLED: "throttled",
  QUARANTINED: "in quarantine",
  BLOCKED: "blocked",
};

export const BAND_MEANS: Record<Band, string> = {
  HEALTHY: "No problems found. It sends up to its limits.",
  WATCH: "First signs of a problem. It still sends as before. Fix the cause before it gets worse.",
  THROTTLED: "It sends only a part of its campaign emails for now and recovers in steps.",
  QUARANTINED: "It sends no campaign emails for now. Warmup continues, and it recovers in steps.",
  BLOCKED: "It sends no emails at all for now, including warmup.",
};

const MEASURE: Record<HealthMeasure, (count: number, of: number) => string> = {
  SPAM_RATE: (count, of) =>
    `${formatCount(count)} of ${counted(of, "measured email", "measured emails")} landed in Junk`,
  COMPLAINT_RATE: (count, of) =>
    `${formatCount(count)} of ${counted(of, "campaign email was", "campaign emails were")} reported as spam`,
  BOUNCE_RATE: (count, of) =>
    `${formatCount(count)} of ${counted(of, "campaign email", "campaign emails")} bounced for good`,
};

export interface Evidence {
  measure: HealthMeasure | null;
  numerator: number | null;
  denominator: number | null;
  threshold: number | null;
}

/** The measurement that led to a health band, as text; null if there is none. */
export function evidenceInWords({ measure, numerator, denominator, threshold }: Evidence): string | null {
  if (measure === null || numerator === null || denominator === null || denominator === 0) return null;
  const share = formatShare(numerator / denominator);
  const from = threshold === null ? "" : `, and this band begins at ${formatShare(threshold)}`;
  return `In seven days ${MEASURE[measure](numerator, denominator)}: ${share}${from}.`;
}

/** The result of a DNS check: `word` for narrow columns, `text` for the full meaning. */
export const DNS_VERDICT: Record<DnsVerdict, { word: string; text: string }> = {
  PASS: { word: "ok", text: "correct" },
  WARN: { word: "weak", text: "could be better" },
  FAIL: { word: "wrong", text: "missing or wrong" },
  UNKNOWN: { word: "?", text: "unknown" },
};
export const NOT_CHECKED = { word: "–", text: "not checked yet" };

export const VERIFICATION: Record<VerificationState, string> = {
  PENDING: "The records are being checked.",
  VERIFIED: "The records are correct.",
  FAILED: "Some records are missing or wrong, so its emails are likely to land in Junk. Publish the records below.",
  SKIPPED: "The check of its records is switched off. Check again to switch it on.",
};

export const WARMUP_STATUS: Record<WarmupStatus, string> = {
  ACTIVE: "warming up",
  PAUSED: "paused",
  STOPPED: "stopped",
  RECONNECT_REQUIRED: "waits for the mailbox",
  SUSPENDED: "suspended",
};
