import { z } from "zod";
import { type AgentQuestion, categoriesFor } from "./question.ts";

const MOST_REASONS = 5;
const LONGEST_SENTENCE = 500;

/** The usable parts of a model's answer about an email. */
export interface ModelAnswer {
  /** Null: the model gave no category that it is allowed to give. */
  category: string | null;
  confidence: number;
  /** Null: no reply is due. */
  draft: string | null;
  /** Sentences quoted from the email. Quotes that are not in the email were left out. */
  reasons: string[];
  promises: { sentence: string; date: string | null; address: string | null }[];
}

const Answer = z.object({
  ref: z.string().max(100),
  category: z.string().max(100).nullish(),
  confidence: z.number().min(0).max(1).catch(0),
  draft: z.string().max(100_000).nullish(),
  reasons: z.array(z.string().max(10_000)).max(100).catch([]),
  promises: z
    .array(
      z.object({
        sentence: z.string().max(10_000),
        date: z.iso.date().nullish().catch(null),
        address: z.string().max(320).nullish().catch(null),
      }),
    )
    .max(100)
    .catch([]),
});

/**
 * Reads the text of an answer; null if it is not in the required form, or if it answers another question (rules/agent
 * 3.2). A quote from the email counts only if the email contains it.
 */
export function readAnswer(text: string, { ref, settings, mails }: AgentQuestion): ModelAnswer | null {
  const read = Answer.safeParse(jsonIn(text));
  if (!read.success || read.data.ref !== ref) return null;
  const { category = null, confidence, draft, reasons, promises } = read.data;
  const lastText = foldSpacing(mails.at(-1)?.text ?? "");
  const isSaid = (sentence: string) => foldSpacing(sentence).length >= 3 && lastText.includes(foldSpacing(sentence));
  return {
    category: category !== null && categoriesFor(settings).includes(category) ? category : null,
    confidence,
    draft: draft?.trim() ? draft.trim() : null,
    reasons: reasons.filter(isSaid).slice(0, MOST_REASONS).map(cutSentence),
    promises: promises
      .filter(({ sentence }) => isSaid(sentence))
      .slice(0, MOST_REASONS)
      .map(({ sentence, date = null, address = null }) => ({
        sentence: cutSentence(sentence),
        date,
        address: address !== null && lastText.includes(foldSpacing(address)) ? address.toLowerCase() : null,
      })),
  };
}

/**
 * The JSON object of an answer, which some models put into a code fence. An answer with any other text around the
 * object is not valid.
 */
function jsonIn(text: string): unknown {
  const [, fenced = text] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  try {
    return JSON.parse(fenced);
  } catch {
    return null;
  }
}

function foldSpacing(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

function cutSentence(sentence: string): string {
  return sentence.replace(/\s+/g, " ").trim().slice(0, LONGEST_SENTENCE).toWellFormed();
}
