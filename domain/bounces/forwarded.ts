import type { Inbound } from "../mail/inbound.ts";
import { isDaemon } from "./sender.ts";
import { statusBlocks } from "./status-blocks.ts";

const MAX_TEXT = 60_000;
/** Characters in which a person's comment above the report must end, and characters searched for the head of an attached report. */
const MAX_COMMENT = 1_500;
const MAX_HEAD = 20_000;
const FORWARDED = /^\s*(?:\[\s*)?(?:fwd?|wg|tr|rv|enc|vs|vb|vl|i|pd|doorst|továbbítás|转发|轉寄|転送)\s*[:：]/iu;
const FROM = /^(?:from|von|de|da|van|från|fra|od|от|从|发件人|寄件者|差出人)\s?[:：]\s*(.{1,300})$/imu;
const SUBJECT = /^(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|temat|тема|主题|主旨|件名)\s?[:：]\s*(.{1,300})$/imu;

/**
 * Reads a report that a person forwarded, as if it had arrived directly: either quoted below the subject of a forward, or attached whole.
 * The report must name its automatic sender and hold recipient blocks or an SMTP dialogue, so that a person's own words about a bounce are
 * not taken for one. Returns null for any other mail.
 */
export function forwardedReport(message: Inbound): Inbound | null {
  if (!FORWARDED.test(message.subject)) return null;
  return ofText(message, unquoted(message.text), MAX_COMMENT) ?? ofText(message, (message.returned ?? "").slice(0, MAX_TEXT), MAX_HEAD);
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
  return { ...message, subject, from: { name: from[1] ?? "", address: "" }, text: body, returned: null, returnPath: "" };
}

function unquoted(text: string): string {
  return text.slice(0, MAX_TEXT).replace(/^(?:[^\S\n]?>){1,20}[^\S\n]?/gm, "");
}
