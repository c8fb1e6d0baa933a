import type { Inbound } from "../mail/inbound.ts";
import { SAYS_WHO } from "../mail/quote-words.ts";

const MAX_TEXT = 2_000;
/**
 * The content type of the part in which Gmail sends a reaction. The email also has a text part for other mail programs.
 */
const PART = /^text\/vnd\.google\.email-reaction\+json$/i;

/** The texts that mail programs send when a person reacts to an email with an emoji, in more than ten languages. */
const REACTED = new RegExp(
  [
    'reacted (?:to (?:your|the|this) (?:message|e-?mail|mail)|with|via|:)|(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned) (?:your (?:message|e-?mail)|[“"„«][^\\n]{1,300}[”"“»])',
    "hat (?:(?:auf (?:ihre|deine|die) (?:nachricht|e-?mail|mail)|mit \\S{1,12}|(?:über|via) gmail) ?){1,3}reagiert",
    "a réagi (?:à (?:votre|ton) (?:message|e-?mail|courriel)|avec|via|au moyen)",
    "(?:reaccionó|ha reaccionado) (?:a (?:su|tu) (?:mensaje|correo)|con|mediante|a través)",
    "ha (?:reagito|aggiunto una reazione) (?:al (?:suo|tuo) messaggio|alla (?:sua|tua) e-?mail|con|tramite)",
    "heeft (?:(?:op (?:uw|je|jouw) (?:bericht|e-?mail)|met \\S{1,12}) ){0,2}(?:gereageerd (?:met|via)|een reactie toegevoegd)",
    "reagiu (?:à (?:sua|tua) mensagem|ao (?:seu|teu) e-?mail|com|pelo|através)",
    "zareagował(?:a|\\(a\\))? (?:na (?:twoją|twój|państwa) (?:wiadomość|e-?mail)|za pomocą|przez)",
    "(?:reagerade|har reagerat|reagerte|har reageret|reagerede) (?:på (?:ditt|din|dit) (?:meddelande|mejl|e-post|melding|besked|mail)|med|via)",
    "(?:さん)?が[^\\n]{0,30}(?:リアクション|反応)(?:しました|を追加しました|を送信しました)|(?:对您的邮件|对你的邮件|通过 ?gmail)[^\\n]{0,20}(?:作出了?|做出了?|添加了?)?(?:回应|反应)",
  ].join("|"),
  "iu",
);
/**
 * The most words before such a text on its line, such as the name of the person, and the most words after it, such as
 * the emoji or the name of the mail program.
 */
const MOST_WORDS = 5;
/**
 * Texts that may be around the line that reports the reaction, such as the name of the mail program and its invitation
 * to react too.
 */
const AROUND =
  /(?:sent|gesendet|envoyé|enviado|inviato|verzonden|skickat|wysłane?) [^\n]{1,60}|outlook|gmail|reply|react|open in \S{1,20}|view \S{0,20}|https?:\/\/\S{1,500}/giu;

/**
 * Whether an email only reports that someone reacted to an email with an emoji (rules/mail 9.6). If the person added a
 * word, it is a reply.
 */
export function isReaction({ attachments, replyText, text, subject }: Inbound): boolean {
  const ownText = (replyText || text).slice(0, MAX_TEXT).trim();
  const isMarked = attachments.some(({ contentType }) => PART.test(contentType));
  const sentence = lineOf(ownText) ?? (isMarked ? "" : null);
  if (sentence === null) return false;
  const rest = ownText.replace(sentence, " ").replace(AROUND, " ").replace(subject, " ");
  return !/[\p{L}\p{N}]/u.test(rest);
}

/** The line that says only that someone reacted with an emoji; null when the text has no such line. */
function lineOf(ownText: string): string | null {
  return ownText.split("\n").find(isReactionLine) ?? null;
}

function isReactionLine(line: string): boolean {
  const found = REACTED.exec(line);
  if (found === null) return false;
  const around = [line.slice(0, found.index), line.slice(found.index + found[0].length)];
  return around.every(
    (part) => part.trim().split(/\s+/).length <= MOST_WORDS && !SAYS_WHO.test(part) && !/[?!.]\s*\p{L}/u.test(part),
  );
}
