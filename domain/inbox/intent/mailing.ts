import type { Construction } from "./construction.ts";
import { constructionsOf } from "./constructions.ts";
import type { Tag } from "./lexicon.ts";
import type { Reading } from "./reading.ts";

/**
 * What a sentence says about our emails to its writer. CLEAR: it asks to stop them and says nothing else. WHOLE: it
 * counts as CLEAR if the text says nothing else. HINT: it may be a request to stop, but only if the text says nothing
 * else. ASK: it may be a request to stop, so a person decides. KEEP: it asks us to continue.
 */
export type Asks = "CLEAR" | "WHOLE" | "HINT" | "ASK" | "KEEP";

/** In a clear request, at most one word in this many may be unknown. */
const WORDS_FOR_ONE = 8;
const QUOTED = /["“”„«»「」]/u;

/**
 * Reads what a sentence says about our emails to its writer, by the words of one language; null if it says nothing
 * about them.
 */
export function readMailing(reading: Reading): Asks | null {
  const constructions = constructionsOf(reading);
  const straight = constructions.filter(({ turnedBy }) => turnedBy === null);
  if (straight.length === 0) return constructions.length === 0 ? null : "KEEP";
  const judged = straight.flatMap((one) => judge(one, reading) ?? []);
  const best = (["CLEAR", "WHOLE", "ASK", "HINT"] as const).find((asks) => judged.includes(asks));
  if (best === undefined || straight.length === constructions.length) return best ?? null;
  return best === "HINT" ? "KEEP" : "ASK";
}

function judge(one: Construction, reading: Reading): Asks | null {
  const { sentence, found } = reading;
  const { strength, isLimitable } = one;
  const has = (...tags: Tag[]) => found.some(({ tag }) => tags.includes(tag));
  const unknown = reading.words - reading.ofMailing.size;
  if (strength === "HINT")
    return sentence.isQuestion || unknown > 0 || has("others", "until", "days", "if", "meeting", "call")
      ? null
      : "HINT";
  if (isOfColleagues(one, reading)) return "ASK";
  if (isOfOthers(one, reading))
    return strength === "STRONG" && hasWriter(reading) && !sentence.isQuestion ? "ASK" : null;
  if (one.by.tag === "why") return unknown > reading.words / 3 ? null : "ASK";
  if (sentence.isQuestion && !has("please"))
    return one.isLeaving || (has("how", "me") && unknown <= reading.words / 3) ? "ASK" : null;
  if (has("until") || (isLimitable && has("days"))) return isLimitable ? null : "ASK";
  const isBehind = (wanted: Tag) => found.some(({ tag, start }) => tag === wanted && start >= one.by.end);
  // "But they keep coming" does not limit the request
  const goesOn = isBehind("contrast") && isBehind("goesOn");
  const isCut = isBehind("contrast") && !goesOn;
  if (isCut && isLimitable && (strength === "WEAK" || !has("more"))) return null;
  if (strength === "MAYBE") return unknown > reading.words / 2 ? null : "ASK";
  if (
    isCut ||
    goesOn ||
    one.isCallWanted ||
    isBesideQuestion(one, reading) ||
    isKeptElsewhere(one, reading) ||
    isAskedHow(one, reading) ||
    isTold(one, reading) ||
    has("if", "noNeed", "days") ||
    QUOTED.test(sentence.text)
  )
    return "ASK";
  if (unknown > reading.words / WORDS_FOR_ONE)
    return strength === "STRONG" || unknown <= reading.words / 4 ? "ASK" : null;
  if (strength === "STRONG") return "CLEAR";
  // "Remove me from the thread": the unknown word may be the object of the request
  return unknown > 0 ? "ASK" : "WHOLE";
}

/**
 * Whether the clause asks how to stop the emails. "Please tell me how to unsubscribe" is a question too, even without a
 * question mark.
 */
function isAskedHow(one: Construction, reading: Reading): boolean {
  const [from, to] = clauseOf(one, reading);
  const end = reading.lexicon.isUnspaced ? to : one.by.start;
  return reading.found.some((how) => how.tag === "how" && how.start >= from && how.end <= end);
}

/**
 * Whether the sentence reports that someone stops or removes something, rather than asking for it. An unknown word
 * right before the verb is taken for the subject.
 */
function isTold({ by }: Construction, { sentence, known, ofMailing }: Reading): boolean {
  const before = by.start - 1;
  const isWord = (sentence.tokens[before]?.word ?? "") !== "";
  return (by.tag === "stop" || by.tag === "remove") && isWord && !known.has(before) && !ofMailing.has(before);
}

/**
 * Whether the clause is about email to other people or about a product. In a question, any such words of the sentence
 * count.
 */
function isOfOthers(one: Construction, reading: Reading): boolean {
  const { sentence, found } = reading;
  const [from, to] = clauseOf(one, reading);
  return found.some(({ tag, start }) => tag === "others" && (sentence.isQuestion || (start >= from && start < to)));
}

/** The first and the last token of the clause around a construction. */
function clauseOf(
  { by }: Construction,
  { sentence }: Reading,
  joints: readonly number[] = [],
): readonly [from: number, to: number] {
  const isEnd = (at: number) => sentence.tokens[at]?.word === "" || joints.includes(at);
  let [from, to] = [by.start, by.end];
  while (from > 0 && !isEnd(from - 1)) from--;
  while (to < sentence.tokens.length && !isEnd(to)) to++;
  return [from, to];
}

/**
 * Whether the sentence is a question whose only request is in a later clause: "many people unsubscribe, can you help
 * us?"
 */
function isBesideQuestion(one: Construction, reading: Reading): boolean {
  const [, to] = clauseOf(one, reading);
  const asks = reading.found.filter(({ tag }) => tag === "please");
  return reading.sentence.isQuestion && asks.every(({ start }) => start >= to);
}

/**
 * Whether another clause asks to keep the writer on a list: "remove me from the one list, and keep me on the other".
 */
function isKeptElsewhere(one: Construction, reading: Reading): boolean {
  const all = (tag: Tag) => reading.found.filter((found) => found.tag === tag);
  const [from, to] = clauseOf(
    one,
    reading,
    all("joints").map(({ start }) => start),
  );
  const isDenied = all("not").length > 0;
  return !isDenied && all("keep").some(({ start }) => start < from || start >= to);
}

/** Whether the request is for people of the writer's company: "stop writing to our employees". */
function isOfColleagues({ by, strength, isLimitable }: Construction, { sentence, found }: Reading): boolean {
  if (sentence.isQuestion || strength !== "STRONG" || !(by.tag === "stop" || (by.tag === "contact" && isLimitable)))
    return false;
  const ownerEnds = new Set(found.flatMap(({ tag, end }) => (tag === "ours" ? [end] : [])));
  return found.some(
    ({ tag, start, words }) => tag === "others" && start >= by.end && words.some((at) => ownerEnds.has(at)),
  );
}

/** Whether the sentence names the writer as such ("me"), and not only as an owner ("our customers"). */
function hasWriter({ found }: Reading): boolean {
  const owners = new Set(found.flatMap(({ tag, words }) => (tag === "ours" ? words : [])));
  return found.some(({ tag, words }) => tag === "me" && words.some((at) => !owners.has(at)));
}
