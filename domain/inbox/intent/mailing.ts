import { type Construction, constructionsOf } from "./constructions.ts";
import type { Tag } from "./lexicon.ts";
import type { Reading } from "./reading.ts";

/**
 * What a sentence says of mailing. CLEAR: it asks to stop, and nothing else. WHOLE: the same, where nothing else stands in the text; HINT:
 * only there. ASK: it may ask to stop. KEEP: it asks to go on.
 */
export type Asks = "CLEAR" | "WHOLE" | "HINT" | "ASK" | "KEEP";

/** One word in so many may be one that says nothing of mailing. */
const WORDS_FOR_ONE = 8;
const QUOTED = /["“”„«»「」]/u;

/** Reads what a sentence says of mailing, in the words of one language; null when it says nothing of it. */
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
    return sentence.isQuestion || unknown > 0 || has("others", "until", "days", "if", "meeting", "call") ? null : "HINT";
  if (isOfOthers(one, reading)) return strength === "STRONG" && hasWriter(reading) && !sentence.isQuestion ? "ASK" : null;
  if (sentence.isQuestion && !has("please")) return one.isLeaving || (has("how", "me") && unknown <= reading.words / 3) ? "ASK" : null;
  if (has("until") || (isLimitable && has("days"))) return isLimitable ? null : "ASK";
  const isCut = found.some(({ tag, start }) => tag === "contrast" && start >= one.by.end);
  if (isCut && isLimitable && (strength === "WEAK" || !has("more"))) return null;
  if (strength === "MAYBE") return unknown > reading.words / 2 ? null : "ASK";
  if (isCut || one.isCallWanted || isTold(one, reading) || has("if", "noNeed", "days") || QUOTED.test(sentence.text)) return "ASK";
  if (unknown > reading.words / WORDS_FOR_ONE) return strength === "STRONG" || unknown <= reading.words / 4 ? "ASK" : null;
  return strength === "STRONG" ? "CLEAR" : "WHOLE";
}

/** Whether a verb tells what something has done: an unknown word before it is the subject of the verb, so nobody is asked. */
function isTold({ by }: Construction, { sentence, known, ofMailing }: Reading): boolean {
  const before = by.start - 1;
  const isWord = (sentence.tokens[before]?.word ?? "") !== "";
  return (by.tag === "stop" || by.tag === "remove") && isWord && !known.has(before) && !ofMailing.has(before);
}

/** Whether the clause, or the whole question, is about somebody else's mailing or about a product. */
function isOfOthers({ by }: Construction, { sentence, found }: Reading): boolean {
  const isMark = (at: number) => sentence.tokens[at]?.word === "";
  let [from, to] = [by.start, by.end];
  while (from > 0 && !isMark(from - 1)) from--;
  while (to < sentence.tokens.length && !isMark(to)) to++;
  return found.some(({ tag, start }) => tag === "others" && (sentence.isQuestion || (start >= from && start < to)));
}

/** Whether the writer is named otherwise than as an owner: "me", not "our customers". */
function hasWriter({ found }: Reading): boolean {
  const owners = new Set(found.flatMap(({ tag, words }) => (tag === "ours" ? words : [])));
  return found.some(({ tag, words }) => tag === "me" && words.some((at) => !owners.has(at)));
}
