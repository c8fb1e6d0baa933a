import type { Band, HealthMeasure } from "../../../../domain/mailboxes/band.ts";
import type { ConnectionErrorCode } from "../../../../domain/mailboxes/connection-error.ts";
import type { DnsVerdict, VerificationState } from "../../../../domain/mailboxes/dns-check.ts";
import type { MailboxStatus } from "../../../../domain/states.ts";
import type { WarmupStatus } from "../../../../domain/warmup/enrolment.ts";
import { counted, formatCount, formatShare } from "../../format.ts";

/** The states of a mailbox, and for each what somebody should do. */
export const MAILBOX_STATUS: Record<MailboxStatus, string> = {
  CONNECTED: "connected",
  PAUSED: "paused",
  RECONNECT_REQUIRED: "cannot log in",
  SENDING_ERROR: "its server is not reached",
  COOLING_DOWN: "rests",
  DISCONNECTED: "disconnected",
};

export const WHAT_TO_DO: Record<MailboxStatus, string> = {
  CONNECTED: "There is nothing to do.",
  PAUSED: "It was paused by hand: replies are still read, no campaign or warmup mail leaves. Resume it when it should go on.",
  RECONNECT_REQUIRED: "Nothing is sent or read until it is connected again.",
  SENDING_ERROR: "It is tried again by itself every few minutes. If this stays, connect it again with the right server.",
  COOLING_DOWN: "It is tried again after a day, or some days where this happens often. Fix the reason meanwhile, then wait or resume it.",
  DISCONNECTED: "It has no credentials any more. Connect it again to use it.",
};

type ReasonCode = ConnectionErrorCode | "TOKEN_REVOKED" | "HARD_BOUNCES" | "COMPLAINTS" | "REFUSALS";

/** Why a mailbox stands still, and what mends it. */
const REASONS: Record<ReasonCode, string> = {
  AUTH_FAILED: "The server refuses the password: it was changed, or the provider has shut programs out. Connect it again with the new one.",
  CONNECT_FAILED: "Its server cannot be reached. Check the name and port of the server, and whether it is up.",
  TLS_FAILED: "No encrypted connection comes about: the server's certificate is not valid, or the kind of encryption is another one.",
  TIMEOUT: "Its server does not answer in time. It may be busy; if this stays, ask whoever runs it.",
  PROTOCOL_ERROR: "What answers there does not speak as a mail server does. Check the name and port of the server.",
  TOKEN_REVOKED: "The consent was taken back at the provider. Give it again.",
  HARD_BOUNCES: "Too many of its mails came back because the addresses do not exist. Check the addresses before it goes on.",
  REFUSALS: "Several recipients' servers refuse its emails without saying why. Check its DNS records, its text and its health.",
  COMPLAINTS: "Too many people reported its mails as spam. Write to fewer people, and closer to what concerns them.",
};

/** The reason of a state or a fault in words. Mail servers have numbers of their own for it. */
export function reasonInWords(code: string): string {
  const known: Readonly<Record<string, string>> = REASONS;
  if (known[code] !== undefined) return known[code];
  if (/^\d{3}$/.test(code)) return `Its server refuses mail from it (${code}). Ask the provider why; fewer mails a day often help.`;
  return `Mail servers refuse mail from it (${code.toLowerCase().replaceAll("_", " ")}). Look at its text, its DNS records and its health.`;
}

/** What one side of a test of credentials met. */
export const TRIED: Record<ConnectionErrorCode, string> = {
  AUTH_FAILED:
    "The server refuses the address or the password. Many providers want an app password here, made in the account's settings, and some that IMAP is switched on first.",
  CONNECT_FAILED: "Nothing answers there. Check the name and the port of the server.",
  TLS_FAILED: "No encrypted connection comes about. Try the other kind of encryption, or another port.",
  TIMEOUT: "The server did not answer in time. Check the port; if it is right, try again in a minute.",
  PROTOCOL_ERROR: "What answers there is no mail server of this kind. Check the name and the port.",
};

export const BAND: Record<Band, string> = {
  HEALTHY: "healthy",
  WATCH: "watched",
  THROTTLED: "throttled",
  QUARANTINED: "in quarantine",
  BLOCKED: "blocked",
};

export const BAND_MEANS: Record<Band, string> = {
  HEALTHY: "Nothing speaks against it: it sends as much as its limits say.",
  WATCH: "Something begins to speak against it. It sends as before; mend the reason before it gets worse.",
  THROTTLED: "It sends only a part of its campaign mail for now, and comes back by steps.",
  QUARANTINED: "No campaign mail leaves from it for now. Warmup goes on, and it comes back by steps.",
  BLOCKED: "No mail at all leaves from it for now, warmup neither.",
};

export const MEASURE: Record<HealthMeasure, (count: number, of: number) => string> = {
  SPAM_RATE: (count, of) => `${formatCount(count)} of ${counted(of, "measured mail", "measured mails")} landed in Junk`,
  COMPLAINT_RATE: (count, of) => `${formatCount(count)} of ${counted(of, "campaign mail was", "campaign mails were")} reported as spam`,
  BOUNCE_RATE: (count, of) => `${formatCount(count)} of ${counted(of, "campaign mail", "campaign mails")} came back for good`,
};

interface Evidence {
  measure: HealthMeasure | null;
  numerator: number | null;
  denominator: number | null;
  threshold: number | null;
}

/** What a band was judged by, with its numbers; null where nothing speaks against the mailbox. */
export function evidenceInWords({ measure, numerator, denominator, threshold }: Evidence): string | null {
  if (measure === null || numerator === null || denominator === null || denominator === 0) return null;
  const share = formatShare(numerator / denominator);
  const from = threshold === null ? "" : `, and this band begins at ${formatShare(threshold)}`;
  return `In seven days ${MEASURE[measure](numerator, denominator)}: ${share}${from}.`;
}

/** In a word where there is little room, and in a few. */
export const DNS_VERDICT: Record<DnsVerdict, { word: string; text: string }> = {
  PASS: { word: "ok", text: "in order" },
  WARN: { word: "weak", text: "could be better" },
  FAIL: { word: "wrong", text: "missing or wrong" },
  UNKNOWN: { word: "?", text: "cannot be told" },
};
export const NOT_CHECKED = { word: "–", text: "not checked yet" };

export const VERIFICATION: Record<VerificationState, string> = {
  PENDING: "The records are being checked.",
  VERIFIED: "The records let its mail through.",
  FAILED: "Some records are missing or wrong, so its mail is likely to land in Junk. Publish what stands below.",
  SKIPPED: "The records of this mailbox are not checked, because somebody switched that off. Checking anew switches it on.",
};

export const WARMUP_STATUS: Record<WarmupStatus, string> = {
  ACTIVE: "warms up",
  PAUSED: "paused",
  STOPPED: "stopped",
  RECONNECT_REQUIRED: "waits for the mailbox",
  SUSPENDED: "suspended",
};
