import { declaresItself } from "../../mail/machine-words.ts";
import { withoutOurs } from "../../mail/our-words.ts";
import { dateNamedIn } from "./dates.ts";
import type { IntentClause, IntentKind, ReplyIntent, ReplyToRead } from "./intents.ts";
import { isForeign } from "./language.ts";
import type { PhraseTag, Tag } from "./lexicon.ts";
import { languages } from "./lexicons.ts";
import { type Asks, readMailing } from "./mailing.ts";
import { type Reading, type ReadSentence, type ReadText, readText } from "./reading.ts";

/** A longer text is left to a person, whatever a sentence of it says. */
const MOST_WORDS = 60;
/** The most words of a text that asks to stop with words that say so only where nothing else is said. */
const MOST_WORDS_OF_WHOLE = 20;
const MOST_CLAUSES = 40;
const LONGEST_WORDS = 500;
/** Without such a word no sentence says that a machine wrote it. */
const AUTOMATIC = /auto|gener|system|reply|antwort|monitor|自動|自动|자동|авто|αυτόμ|אוטומט|آلي|تلقائ/iu;

/** A sentence with the language that is believed of it. */
interface Judged extends ReadSentence {
  reading: Reading | null;
  asks: Asks | null;
}

/** Reads what a person wants with a reply: everything that acts on the words of a reply reads this. Never throws. */
export function readIntent(reply: ReplyToRead): ReplyIntent {
  const words =
    reply.ours === undefined || reply.ours.length === 0 ? reply.words : withoutOurs(reply.words, reply.ours);
  const text = readText(withSubject(words, reply.subject ?? null));
  const sentences = text.sentences.map(judgeSentence);
  const optOut = optOutOf(sentences, text, ownOf(reply));
  const clauses = sentences.flatMap((one) => clausesOf(one, reply, optOut)).slice(0, MOST_CLAUSES);
  return { language: text.language, clauses, optOut };
}

/** A subject that the person wrote, not one that a mail program took over, is the first sentence. */
function withSubject(words: string, subject: string | null): string {
  const isOwn = subject !== null && subject.trim() !== "" && !/^[^:\s]{1,12}(?:\[\d+\])?\s?[:：]/u.test(subject.trim());
  return isOwn ? `${subject}\n\n${words}` : words;
}

function judgeSentence(one: ReadSentence): Judged {
  const [first] = one.readings;
  const heard = one.readings.filter(({ known }) => known.size === first?.known.size);
  for (const reading of heard) {
    const asks = readMailing(reading);
    if (asks !== null) return { ...one, reading, asks };
  }
  return { ...one, reading: first ?? null, asks: null };
}

/** Whether the text as a whole asks for no more mail. No one is suppressed on doubt. */
function optOutOf(sentences: readonly Judged[], text: ReadText, own: ReadonlySet<string>): ReplyIntent["optOut"] {
  const asked = sentences.flatMap(({ asks }) => asks ?? []);
  const asking = asked.filter((asks) => asks !== "KEEP");
  if (asking.length === 0) return null;
  const others = sentences.filter(({ asks }) => asks === null);
  const hasOthers = others.some(isOfAnotherMind);
  if (hasOthers && asking.every((asks) => asks === "HINT")) return null;
  if (hasOthers || asking.length < asked.length || asking.includes("ASK") || text.words > MOST_WORDS) return "ASK";
  // Anyone who names someone else's address asks for them
  if (sentences.some(({ asks, sentence }) => asks !== null && addressesOf(sentence.text).some((one) => !own.has(one))))
    return "ASK";
  const isWhole = asking.includes("CLEAR") || (others.every(isSmall) && text.words <= MOST_WORDS_OF_WHOLE);
  return isWhole && !isOfUnknownLanguage(sentences, text) ? "CLEAR" : "ASK";
}

/** Whether the request, or the text around it, is in a language of which only some words are known. */
function isOfUnknownLanguage(sentences: readonly Judged[], { language }: ReadText): boolean {
  const isRequestForeign = sentences.some(
    ({ asks, reading, sentence }) => asks !== null && reading !== null && isForeign(sentence.text, reading.lexicon),
  );
  const whole = sentences.map(({ sentence }) => sentence.text).join(" ");
  return isRequestForeign || (language !== null && isForeign(whole, languages().lexiconOf(language)));
}

/** Whether a sentence wants something that no one wants who asks for no more mail. */
function isOfAnotherMind({ reading, sentence }: Judged): boolean {
  const has = (...tags: Tag[]) => reading?.found.some(({ tag }) => tags.includes(tag)) === true;
  if (has("interested", "meeting") || (has("again") && has("days", "until"))) return true;
  return sentence.isQuestion && !has("data", "erase", "complaint", "legal");
}

/** Whether a sentence is a greeting, a name, a reason or a thanks, beside which a request stands alone. */
function isSmall({ reading, sentence }: Judged): boolean {
  if (/^\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,2}[,.]?$/u.test(sentence.text)) return true;
  if (reading === null) return sentence.tokens.length <= 3;
  const isReason = reading.found.some(
    ({ tag }) => tag === "notInterested" || tag === "complaint" || tag === "courtesy",
  );
  return isReason || reading.words - reading.ofMailing.size <= 1;
}

function clausesOf(one: Judged, reply: ReplyToRead, optOut: ReplyIntent["optOut"]): IntentClause[] {
  const { reading, sentence, asks } = one;
  const words = sentence.text.slice(0, LONGEST_WORDS).toWellFormed();
  const clauses: IntentClause[] = [];
  const add = (intent: IntentKind, confidence: number, more: Partial<IntentClause> = {}) =>
    clauses.push({ intent, words, confidence, date: null, address: null, ...more });
  const has = (...tags: PhraseTag[]) =>
    reading?.found.some(({ tag }) => tags.some((wanted) => wanted === tag)) === true;
  if (asks !== null && asks !== "KEEP" && optOut !== null)
    add("OPT_OUT", optOut === "CLEAR" ? 0.97 : asks === "ASK" ? 0.5 : 0.7);
  if (has("data", "erase")) add("DATA_REQUEST", has("data") ? 0.85 : 0.75);
  if (has("legal")) add("LEGAL", 0.85);
  if (has("complaint")) add("COMPLAINT", 0.75);
  for (const address of referredIn(one, reply)) add("REFERRAL", 0.85, { address });
  if (has("wrongPerson") && !clauses.some(({ intent }) => intent === "REFERRAL")) add("REFERRAL", 0.65);
  const later = laterIn(one, reply);
  if (later !== null) add("LATER", later.date === null ? 0.5 : 0.85, later);
  if (has("notInterested")) add("NOT_INTERESTED", 0.85);
  if (clauses.length === 0 || asks === "KEEP") {
    if (has("meeting")) add("MEETING", sentence.isQuestion ? 0.8 : 0.65);
    if (sentence.isQuestion || has("asks")) add("QUESTION", sentence.isQuestion ? 0.75 : 0.5);
    if (asks === "KEEP" || has("interested")) add("INTERESTED", 0.7);
  }
  if (AUTOMATIC.test(sentence.text) && declaresItself(sentence.text)) add("AUTOMATIC", 0.6);
  if (clauses.length === 0) add("OTHER", 0.3);
  return clauses;
}

/** Addresses of others that a sentence sends us to. */
function referredIn({ readings, sentence }: Judged, reply: ReplyToRead): string[] {
  const has = (tag: Tag) => readings.some(({ found }) => found.some((one) => one.tag === tag));
  if (!has("refer") || has("referNot")) return [];
  const own = ownOf(reply);
  return addressesOf(sentence.text).filter((address) => !own.has(address));
}

/** Most sentences have none, which is quickly seen. */
function addressesOf(sentence: string): string[] {
  return /@|dot|punkt|point|punto/i.test(sentence) ? addressesIn(sentence) : [];
}

function ownOf({ ownAddresses = [] }: ReplyToRead): ReadonlySet<string> {
  return new Set(ownAddresses.map((one) => one.toLowerCase()));
}

/** A time at which the person wants to be written to, or writes; null when the sentence speaks of none. */
function laterIn({ readings }: Judged, { at, timeZone = "UTC" }: ReplyToRead): { date: string | null } | null {
  const has = ({ found }: Reading, tag: Tag) => found.some((one) => one.tag === tag);
  const [best] = readings;
  if (best === undefined) return null;
  // Languages share words for writing, so the denial of each that knows the sentence counts
  const likely = readings.filter(({ known }) => known.size * 2 >= best.known.size);
  if (likely.some((reading) => has(reading, "told"))) return null;
  const speaking = likely.filter((reading) => has(reading, "again"));
  const dates = at === undefined ? [] : speaking.flatMap((reading) => dateNamedIn(reading, at, timeZone) ?? []);
  const [date = null] = dates;
  return date !== null || speaking.some((reading) => has(reading, "days") || has(reading, "until")) ? { date } : null;
}

/** An address as a person writes it. What a draft may name is looked for more strictly (domain/agent/links.ts). */
const ADDRESS = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}]{2,24}/giu;

/** The e-mail addresses of a text, in small letters. */
function addressesIn(text: string): string[] {
  return [...new Set([...undisguise(text).matchAll(ADDRESS)].map(([found]) => found.toLowerCase()))];
}

/** Full-width letters and dots read as the usual ones; a dot that is written as a word or in brackets is one. */
function undisguise(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[。．｡]/gu, ".")
    .replace(/\s*[[({]\s*(?:\.|dot|punkt|point|punto)\s*[\])}]\s*/giu, ".")
    .replace(/\bhxxp/giu, "http");
}
