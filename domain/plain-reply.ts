/** Longer lines are no attribution that anybody's program writes. */
const MAX_ATTRIBUTION = 1_000;

/** "On Friday, Ann wrote:" in the languages that name the writer between two words; wrapped once at most. */
const ATTRIBUTION = /^(?:On\s.+\s.+\n?wrote|Le\s.+\s.+\n?écrit\s?|El\s.+\s.+\n?escribió|Il\s.+\s.+\n?scritto|Em\s.+\s.+\n?escreveu):$/;

const VERBS = "wrote|écrit|escribió|scritto|escreveu|schrieb|schreef|pisze|napisał|skrev|kirjoitti|写道|작성|メッセージ";
const CLOSINGS =
  "sent from|outlook|cheers|best wishes|regards|gesendet|sendt fra|envoyé|bien . vous|cordialement|bonne (?:journ|soir)|enviado|vanaf";
const OLD_MAIL = "original message|oprindelig besked|message d'origine|ursprüngliche nachricht|(?:from|von|de|van|da)\\s?:|> *:|ср,";
/** All that email-reply-parser looks for, and more: ordinary words cost no answer, only the short way. */
const MARKED = new RegExp(`^>|~|[-_+=]{2}|${VERBS}|${CLOSINGS}|${OLD_MAIL}`, "im");
/** What it takes for the head of a quote even in a line that is quoted itself, or over many lines. */
const SPANNING = new RegExp(`${VERBS}|from`, "i");
/** Other ends of lines, and what it would read as a pattern of a replacement. */
const STRANGE = /[\r\u2028\u2029$]/;

/**
 * What email-reply-parser answers for a text without any mark of quotes and signatures, or whose only one is an attribution after an
 * empty line with nothing but its quote below; null for every other text. It tries fifty patterns on every line.
 */
export function plainReply(text: string): string | null {
  if (STRANGE.test(text)) return null;
  const own = ownLines(text.split("\n")).map((line) => line.trimEnd());
  const written = own.join("\n");
  return MARKED.test(written) ? null : written.trim();
}

/** Those above the attribution of the quote at the end; all where there is none. */
function ownLines(lines: string[]): string[] {
  let last = lines.length - 1;
  while (last >= 0 && /^(?:>|$)/.test(lines[last] ?? "")) last--;
  if (SPANNING.test(lines.slice(last + 1).join("\n"))) return lines;
  for (const count of [1, 2]) {
    const first = last + 1 - count;
    const line = lines.slice(Math.max(first, 0), last + 1).join("\n");
    if (lines[first - 1] === "" && line.length <= MAX_ATTRIBUTION && ATTRIBUTION.test(line)) return lines.slice(0, first - 1);
  }
  return lines;
}
