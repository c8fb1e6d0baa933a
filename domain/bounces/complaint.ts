import type { Inbound } from "../mail/inbound.ts";

export interface Complaint {
  /**
   * SUPPRESS: the recipient complained. COUNT: the recipient withdrew a complaint ("not spam"). ALERT: the report is
   * about authentication and no one complained.
   */
  effect: "SUPPRESS" | "COUNT" | "ALERT";
  /** The type that the report names, lower-case; "unknown" when it names none. */
  feedbackType: string;
  /** The recipients who complained, as far as the report names them. The list is often redacted or empty. */
  recipients: string[];
  originalMailFrom: string | null;
}

const LOOP_SENDER =
  /^(?:(?:fbl|feedback|feedbackloop|feedback-loop|complaints?|abuse-?reports?|scomp|junkreport)[\w.+-]{0,40}@|staff@hotmail\.com$)|@(?:feedback|fbl|arf)[.-]/;
const ORIGINAL_RECIPIENT = /^x-hmxmroriginalrecipient[^\S\n]?:[^\S\n]*<?([^\s<>]{1,320})/im;

/**
 * Reads an abuse report of a receiving provider (RFC 5965, 6650), including feedback loops that forward a copy or post
 * JSON. The caller finds the send by `ownEvidence` of `bounce.ts`, because addresses may be redacted. Returns null for
 * any other mail; never throws.
 */
export function readComplaint(message: Inbound): Complaint | null {
  if (
    message.feedbackReport !== null ||
    (message.contentType === "multipart/report" && message.reportType === "feedback-report")
  ) {
    return ofReport(message);
  }
  return ofForwardedCopy(message) ?? ofNotification(message) ?? ofWords(message);
}

function ofReport(message: Inbound): Complaint {
  const report = (message.feedbackReport ?? message.text).replace(/\n[ \t]+/g, " ");
  const values = (name: string) =>
    [...report.matchAll(new RegExp(`^${name}[^\\S\\n]?:[^\\S\\n]*(.{1,500})$`, "gim"))].map((found) => found[1] ?? "");
  const feedbackType = values("feedback-type")[0]?.trim().toLowerCase() || "unknown";
  return {
    ...complaintOf(feedbackType, [...values("original-rcpt-to"), ...values("removal-recipient")]),
    originalMailFrom: addressOf(values("original-mail-from")[0] ?? ""),
  };
}

function ofForwardedCopy(message: Inbound): Complaint | null {
  const own = message.headers.get("x-hmxmroriginalrecipient")?.[0];
  const recipient = own ?? ORIGINAL_RECIPIENT.exec(message.returned ?? message.text.slice(0, 20_000))?.[1];
  // A person with such an address who replies with our email attached is not a feedback loop
  const isLoop =
    LOOP_SENDER.test(message.from?.address ?? "") && message.returned !== null && message.inReplyTo === null;
  return recipient === undefined && !isLoop
    ? null
    : { ...complaintOf("abuse", recipient === undefined ? [] : [recipient]), originalMailFrom: null };
}

// Some feedback loops send a text instead of a structured report: SpamCop, x-arf, and reports whose structured part was
// lost on the way
function ofWords(message: Inbound): Complaint | null {
  const start = message.text.slice(0, 4_000);
  const isReport =
    message.headers.has("x-spamcop-sourceip") ||
    (message.headers.has("x-arf") && /^report-type[^\S\n]?:[^\S\n]*(?:abuse|spam|complaint)/im.test(start)) ||
    (message.returned !== null &&
      /^\s*this is an? (?:e-?mail )?(?:abuse|spam) report (?:for|about) an? (?:e-?mail )?message/im.test(start)) ||
    (/^\[SpamCop/i.test(message.subject) && /\[\s*SpamCop V[\d.]{1,10}\s*\]/.test(start));
  if (!isReport) return null;
  const recipient = /^(?:original-rcpt-to|reported-recipient|to)[^\S\n]?:[^\S\n]*(.{1,320})$/im.exec(
    message.returned ?? "",
  )?.[1];
  return { ...complaintOf("abuse", recipient === undefined ? [] : [recipient]), originalMailFrom: null };
}

// The notification of a sending service, delivered by email instead of over HTTP
function ofNotification(message: Inbound): Complaint | null {
  const start = message.text.slice(0, 20_000).trimStart();
  if (!start.startsWith("{") || !/"(?:notificationType|eventType)"\s*:\s*"Complaint"/.test(start)) return null;
  const listed = /"complainedRecipients"\s*:\s*\[([^\]]{0,10000})\]/.exec(start)?.[1] ?? "";
  const addresses = [...listed.matchAll(/"emailAddress"\s*:\s*"([^"]{1,320})"/g)].map((found) => found[1] ?? "");
  const type = /"complaintFeedbackType"\s*:\s*"([\w-]{1,40})"/.exec(start)?.[1]?.toLowerCase() ?? "abuse";
  return { ...complaintOf(type, addresses), originalMailFrom: null };
}

function complaintOf(feedbackType: string, addresses: string[]): Omit<Complaint, "originalMailFrom"> {
  const effect =
    feedbackType === "not-spam"
      ? "COUNT"
      : feedbackType === "auth-failure" || feedbackType === "dmarc"
        ? "ALERT"
        : "SUPPRESS";
  return { effect, feedbackType, recipients: [...new Set(addresses.flatMap((address) => addressOf(address) ?? []))] };
}

function addressOf(value: string): string | null {
  return /[^\s<>"'(),:;]{1,64}@[^\s<>"'(),:;]{1,255}/.exec(value)?.[0].toLowerCase() ?? null;
}
