import type { Inbound } from "../mail/inbound.ts";
import { causeOf } from "./cause.ts";
import type { Fault, Reason } from "./patterns.ts";
import { splitReturnedCopy } from "./returned-copy.ts";
import { sectionsOf } from "./sections.ts";
import { isDaemon } from "./sender.ts";
import { isBounce, mayStillCome, readsAsBounce } from "./signs.ts";
import { type StatusBlock, statusBlocks } from "./status-blocks.ts";

export interface BounceRecipient {
  /** The address that failed, lower-case; null when the bounce names none. */
  address: string | null;
  originalRecipient: string | null;
  action: string | null;
  /** The most specific enhanced status code ("5.1.1"). */
  status: string | null;
  /** The server's explanation on one line, at most 1,000 characters. */
  diagnostic: string;
  reason: Reason;
  type: "HARD" | "SOFT";
  fault: Fault;
  /**
   * True if the report was read from a delivery status part that has an Action. Such a report is proof if it also
   * contains an id of one of our emails (rules/mail 7.8).
   */
  structured: boolean;
}

export interface BounceReport {
  kind: "BOUNCE" | "DELAY";
  recipients: BounceRecipient[];
}

const MAX_DIAGNOSTIC = 1_000;
const MAX_HEAD = 20_000;

/**
 * Reads who failed and why (rules/mail 7.2, 7.4; RFC 3464). Returns null when the email is not a bounce or reports no
 * failure (`delivered`, `relayed`, `expanded`), and a DELAY when nothing has failed permanently yet. Never throws.
 */
export function readBounce(message: Inbound): BounceReport | null {
  if (isBounce(message) || readsAsBounce(message)) return readReport(message);
  const forwarded = forwardedReport(message);
  return forwarded === null ? null : readReport(forwarded);
}

function readReport(message: Inbound): BounceReport | null {
  const { body } = splitReturnedCopy(message);
  const own = [...message.to, message.from?.address ?? ""];
  const { named: ofText, common } = sectionsOf(message, body, own);
  const structured = statusBlocks(message.deliveryStatus ?? "");
  const blocks = structured.length > 0 ? structured : printedBlocks(message);
  const named = blocks.length > 0 ? blocks : ofText;
  const waits = mayStillCome(message.subject, body);
  const recipients = (named.length > 0 ? named : [unknownRecipient()]).map((block) => {
    const about = ofText.find(
      ({ address }) => address !== null && (address === block.address || address === block.originalRecipient),
    );
    const isAlone = named.length <= 1;
    const { code, words, ...verdict } = causeOf(
      { ...block, diagnostic: named === ofText ? "" : block.diagnostic },
      {
        section: about?.diagnostic ?? "",
        whole: isAlone ? body : "",
        common: isAlone ? "" : common,
        transcript: body,
        own,
      },
    );
    // Without an Action (8.2), a failure that is about the sender or the content counts immediately. Any other failure
    // is not final while the server is still trying.
    const isOurs = verdict.fault === "sender" || verdict.fault === "content";
    const action = block.action ?? (waits && !isOurs ? "delayed" : null);
    const diagnostic = (block.diagnostic.trim() === "" ? words : block.diagnostic)
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, MAX_DIAGNOSTIC);
    const { address, originalRecipient } = block;
    return {
      address,
      originalRecipient,
      action,
      status: code,
      diagnostic,
      ...verdict,
      structured: structured.length > 0 && block.action !== null,
    };
  });
  const failed = recipients.filter(({ action }) => action === null || action === "failed");
  if (failed.length > 0) return { kind: "BOUNCE", recipients: failed };
  const delayed = recipients.filter(({ action }) => action === "delayed");
  return delayed.length > 0 ? { kind: "DELAY", recipients: delayed } : null;
}

/**
 * Reads status blocks that are printed in the text, or in a report of another system that is attached to this report.
 */
function printedBlocks({ text, textParts, returned }: Inbound): StatusBlock[] {
  const isReport =
    returned !== null && /^content-type[^\S\n]?:[^\S\n]*multipart\/report/im.test(returned.slice(0, MAX_HEAD));
  const places = [...(textParts.length === 0 ? [text] : textParts), ...(isReport ? [returned] : [])];
  return places.map(statusBlocks).find((blocks) => blocks.length > 0) ?? [];
}

function unknownRecipient(): StatusBlock {
  return { address: null, originalRecipient: null, action: null, status: null, diagnostic: "" };
}

const MAX_TEXT = 60_000;
/**
 * The most characters of a person's comment above a forwarded report, and the most characters that are searched for the
 * header of an attached report.
 */
const MAX_COMMENT = 1_500;
const MAX_ATTACHED_HEAD = 20_000;
const FORWARDED = /^\s*(?:\[\s*)?(?:fwd?|wg|tr|rv|enc|vs|vb|vl|i|pd|doorst|továbbítás|转发|轉寄|転送)\s*[:：]/iu;
const FROM = /^(?:from|von|de|da|van|från|fra|od|от|从|发件人|寄件者|差出人)\s?[:：]\s*(.{1,300})$/imu;
const SUBJECT =
  /^(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|тема|主题|主旨|件名)\s?[:：]\s*(.{1,300})$/imu;

/**
 * Reads a report that a person forwarded, as if it had arrived directly: either quoted below the subject of a forward,
 * or attached whole. The report must name its automatic sender and hold recipient blocks or an SMTP dialogue, so that a
 * person's description of a bounce does not count as a report. Returns null for any other mail.
 */
function forwardedReport(message: Inbound): Inbound | null {
  if (!FORWARDED.test(message.subject)) return null;
  return (
    ofText(message, withoutQuoteMarks(message.text), MAX_COMMENT) ??
    ofText(message, (message.returned ?? "").slice(0, MAX_TEXT), MAX_ATTACHED_HEAD)
  );
}

function ofText(message: Inbound, text: string, within: number): Inbound | null {
  const from = FROM.exec(text.slice(0, within));
  if (from === null || !isDaemon(from[1] ?? "")) return null;
  const report = text.slice(from.index);
  const holdsProof = statusBlocks(report).some(({ action }) => action !== null) || /^\s*<<< [45]\d\d[ -]/m.test(report);
  if (!holdsProof) return null;
  const subject = SUBJECT.exec(report.slice(0, MAX_COMMENT))?.[1] ?? "";
  // The header lines that introduced the report are not part of its text
  const body = report.replace(/^(?:[\w-]{2,40}\s?:.{0,500}\n){1,40}\s*\n/, "");
  return {
    ...message,
    subject,
    from: { name: from[1] ?? "", address: "" },
    text: body,
    returned: null,
    returnPath: "",
  };
}

function withoutQuoteMarks(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/^(?:[^\S\n]?>){1,20}[^\S\n]?/gm, "");
}
