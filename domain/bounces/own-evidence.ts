import type { Inbound } from "../mail/inbound.ts";
import { splitReturnedCopy } from "./returned-copy.ts";

/**
 * The most characters searched in each part of an email. Our ids are near the top of the returned copy, or in the text
 * of the report.
 */
const MAX_EVIDENCE = 128 * 1024;

/**
 * The parts of a bounce or complaint that point to one of our emails (rules/mail 7.3). Each list is in the order of the
 * email.
 */
export function ownEvidence(message: Inbound): {
  mailRefs: string[];
  messageIds: string[];
  envelopeIds: string[];
  tokens: string[];
} {
  const { copy } = splitReturnedCopy(message);
  const cut = (text: string | null) => (text ?? "").slice(0, MAX_EVIDENCE);
  const returned = `${cut(message.returned)}\n${cut(copy)}`.replace(/\n[ \t]+/g, " ");
  const status = cut(message.deliveryStatus ?? message.feedbackReport);
  const texts = message.textParts.length === 0 ? [message.text] : message.textParts;
  const everything = `${returned}\n${status}\n${texts.map(cut).join("\n")}\n${cut(message.html)}`;
  const first = (text: string, pattern: RegExp) =>
    [...new Set([...text.matchAll(pattern)].map((match) => match[1] ?? match[0]))].slice(0, 50);
  return {
    mailRefs: first(everything, /^[>\s]{0,20}x-mail-ref[^\S\n]?:[^\S\n]*([a-z2-7]{20})\b/gim).map((ref) =>
      ref.toLowerCase(),
    ),
    messageIds: [
      ...new Set([
        ...first(returned, /^(?:x-original-)?message-id[^\S\n]?:[^\S\n]*(<[^<>\s]{1,250}>)/gim),
        ...first(everything, /(?:message-id|nachrichten-id|mensaje|message)[^\S\n]?:[^\S\n]*(<[^<>\s]{1,250}>)/gi),
        // Relays name an email by the id that they gave it, without angle brackets
        ...first(
          everything,
          /message-?id["']?[^\S\n]?[:=][^\S\n]*["']?([\w.+=~$-]{16,200}(?:@[\w.-]{1,250}\w)?)(?![\w@])/gi,
        ).map((id) => `<${id}>`),
        ...first(everything, /(?<![a-z0-9])[a-z2-7]{32}@[a-z0-9.-]{1,250}[a-z0-9]/g).map((id) => `<${id}>`),
      ]),
    ],
    envelopeIds: first(status, /^original-envelope-id[^\S\n]?:[^\S\n]*(\S{1,100})/gim),
    tokens: first(everything, /(?<![\w.-])v1\.[\w-]{1,40}\.[\w-]{4,200}\.[\w-]{16,64}/g),
  };
}
