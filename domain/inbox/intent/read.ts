import { declaresItself } from "../../mail/machine-words.ts";
import { withoutOurs } from "../../mail/our-words.ts";
import { dateNamedIn } from "./dates.ts";
import type { IntentClause, IntentKind, ReplyIntent, ReplyToRead } from "./intents.ts";
import { isForeign } from "./language.ts";
import type { PhraseTag, Tag } from "./lexicon.ts";
import { languages } from "./lexicons.ts";
import { type Asks, readMailing } from "./mailing.ts";
import { type Reading, type ReadSentence, type ReadText, readText } from "./reading.ts";

/**
 * The most words of a text whose request to stop takes effect by itself. For a longer text a person decides, even if
 * one of its sentences is clear.
 */
const MOST_WORDS = 60;
/** The most words of a text that counts as a request to stop because it says nothing else. */
const MOST_WORDS_OF_WHOLE = 20;
const MOST_CLAUSES = 40;
const LONGEST_WORDS = 500;
/** A sentence that says that a machine wrote the email has one of these words. Other sentences need no closer check. */
const AUTOMATIC = /auto|gener|system|reply|antwort|monitor|自動|自动|자동|авто|αυτόμ|אוטומט|آلي|تلقائ/iu;

/** A sentence with its reading in the most probable language. */
interface Judged extends ReadSentence {
  reading: Reading | null;
  asks: Asks | null;
}

/** Reads the intent of a reply. All code that acts on the words of a reply uses this. Never throws. */
export function readIntent(reply: ReplyToRead): ReplyIntent {
  const words =
    reply.ours === undefined || reply.ours.length === 0 ? reply.words : withoutOurs(reply.words, reply.ours);
  const text = readText(withSubject(words, reply.subject ?? null));
  const sentences = text.sentences.map(judgeSentence);
  const optOut = optOutOf(sentences, text, ownOf(reply));
  const clauses = sentences.flatMap((one) => clausesOf(one, reply, optOut)).slice(0, MOST_CLAUSES);
  return { language: text.language, clauses, optOut };
}

/** A subject that the person wrote is the first sentence. A subject that a mail program copied is not. */
function withSubject(words: string, subject: string | null): string {
  const isOwn = subject !== null && subject.trim() !== "" && !/^[^:\s]{1,12}(?:\[\d+\])?\s?[:：]/u.test(subject.trim());
  return isOwn ? `${subject}\n\n${words}` : words;
}

function judgeSentence(one: ReadSentence): Judged {
  const [first] = one.readings;
  const bestReadings = one.readings.filter(({ known }) => known.size === first?.known.size);
  for (const reading of bestReadings) {
    const asks = readMailing(reading);
    if (asks !== null) return { ...one, reading, asks };
  }
  return { ...one, reading: first ?? null, asks: null };
}

/**
 * Whether the text as a whole asks for no more email. For a doubtful text the result is ASK, because such a text must
 * not suppress anyone by itself.
 */
function optOutOf(sentences: readonly Judged[], text: ReadText, own: ReadonlySet<string>): ReplyIntent["optOut"] {
  const requests = sentences.flatMap(({ asks }) => asks ?? []);
  const asking = requests.filter((asks) => asks !== "KEEP");
  if (asking.length === 0) return null;
  const others = sentences.filter(({ asks }) => asks === null);
  const hasOthers = others.some(isOfAnotherMind);
  if (hasOthers && asking.every((asks) => asks === "HINT")) return null;
  if (hasOthers || asking.length < requests.length || asking.includes("ASK") || text.words > MOST_WORDS) return "ASK";
  // A person who names another address may ask to stop emails to that address
  if (sentences.some(({ asks, sentence }) => asks !== null && addressesOf(sentence.text).some((one) => !own.has(one))))
    return "ASK";
  const isWhole = asking.includes("CLEAR") || (others.every(isSmall) && text.words <= MOST_WORDS_OF_WHOLE);
  return isWhole && !isOfUnknownLanguage(sentences, text) ? "CLEAR" : "ASK";
}

/** Whether the request, or the text around it, is in a language in which we know only some words. */
function isOfUnknownLanguage(sentences: readonly Judged[], { language }: ReadText): boolean {
  const isRequestForeign = sentences.some(
    ({ asks, reading, sentence }) => asks !== null && reading !== null && isForeign(sentence.text, reading.lexicon),
  );
  const whole = sentences.map(({ sentence }) => sentence.text).join(" ");
  return isRequestForeign || (language !== null && isForeign(whole, languages().lexiconOf(language)));
}

/**
 * Whether a sentence shows interest, a wish for later contact, or a question, which does not fit a request for no more
 * email.
 */
function isOfAnotherMind({ reading, sentence }: Judged): boolean {
  const has = (...tags: Tag[]) => reading?.found.some(({ tag }) => tags.includes(tag)) === true;
  if (has("interested", "meeting") || (has("again") && has("days", "until"))) return true;
  return sentence.isQuestion && !has("data", "erase", "complaint", "legal");
}

/**
 * Whether a sentence is only a greeting, a name, a reason or thanks. A request to stop may have such sentences next to
 * it and still be all that the text says.
 */
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

/** Other people's addresses to which a sentence refers us. */
function referredIn({ readings, sentence }: Judged, reply: ReplyToRead): string[] {
  const has = (tag: Tag) => readings.some(({ found }) => found.some((one) => one.tag === tag));
  if (!has("refer") || has("referNot")) return [];
  const own = ownOf(reply);
  return addressesOf(sentence.text).filter((address) => !own.has(address));
}

/** The email addresses of a sentence. A fast test comes first, because most sentences have no address. */
function addressesOf(sentence: string): string[] {
  return /@|dot|punkt|point|punto/i.test(sentence) ? addressesIn(sentence) : [];
}

function ownOf({ ownAddresses = [] }: ReplyToRead): ReadonlySet<string> {
  return new Set(ownAddresses.map((one) => one.toLowerCase()));
}

/** A time when the person wants to hear from us, or will write; null if the sentence names none. */
function laterIn({ readings }: Judged, { at, timeZone = "UTC" }: ReplyToRead): { date: string | null } | null {
  const has = ({ found }: Reading, tag: Tag) => found.some((one) => one.tag === tag);
  const [best] = readings;
  if (best === undefined) return null;
  // "I told you not to write" and "we spoke last week" name no later time. Languages share such words, so it is enough
  // that one likely language has them
  const likely = readings.filter(({ known }) => known.size * 2 >= best.known.size);
  if (likely.some((reading) => has(reading, "told"))) return null;
  const speaking = likely.filter((reading) => has(reading, "again"));
  const dates = at === undefined ? [] : speaking.flatMap((reading) => dateNamedIn(reading, at, timeZone) ?? []);
  const [date = null] = dates;
  return date !== null || speaking.some((reading) => has(reading, "days") || has(reading, "until")) ? { date } : null;
}

/** An email address as people write it. domain/agent/links.ts has a stricter search, for the addresses in drafts. */
const ADDRESS = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}]{2,24}/giu;

/** The email addresses of a text, in lower case. */
function addressesIn(text: string): string[] {
  return [...new Set([...undisguise(text).matchAll(ADDRESS)].map(([found]) => found.toLowerCase()))];
}

/**
 * Reads full-width letters and dots as the usual ones. A dot that is written as a word or in brackets counts as a dot.
 */
function undisguise(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[。．｡]/gu, ".")
    .replace(/\s*[[({]\s*(?:\.|dot|punkt|point|punto)\s*[\])}]\s*/giu, ".")
    .replace(/\bhxxp/giu, "http");
}
