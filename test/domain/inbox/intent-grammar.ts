import { readFileSync } from "node:fs";
import fc from "fast-check";
import { z } from "zod";

const Language = z.strictObject({
  /** The words that may stand in each place of a sentence. */
  slots: z.record(z.string(), z.array(z.string()).min(2)),
  requests: z.array(z.string()).min(5),
  /** They ask for the way to stop. */
  questions: z.array(z.string()).min(1),
  friendly: z.array(z.string()).min(5),
});
type Language = z.output<typeof Language>;
const Grammar = z.record(z.string(), Language);

const GRAMMAR = Grammar.parse(JSON.parse(readFileSync(new URL("intent-grammar.json", import.meta.url), "utf8")));

const LABELS = ["CLEAR", "ASK", "NONE"] as const;
type Label = (typeof LABELS)[number];

/** A sentence with the right answer, which follows from how it was made. */
export interface Made {
  language: string;
  text: string;
  label: Label;
}

export function languagesMade(): string[] {
  return Object.keys(GRAMMAR);
}

/** Sentences in every language of the grammar, equally many in each. The same seed gives the same sentences. */
export function sentencesMade(seed: number, count: number): Made[] {
  return Object.entries(GRAMMAR).flatMap(([language, grammar]) => {
    const one = fc
      .constantFrom(...LABELS)
      .chain((label) => sentence(grammar, label).map((text) => ({ language, text, label })));
    return fc.sample(one, { seed, numRuns: count });
  });
}

function sentence({ slots, requests, questions, friendly }: Language, label: Label): fc.Arbitrary<string> {
  const templates = fc.constantFrom(...{ CLEAR: requests, ASK: questions, NONE: friendly }[label]);
  return templates.chain((template) => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const words = names.map((name) => fc.constantFrom(...(slots[name] ?? [`no slot ${name}`])));
    return fc.tuple(...words).map((chosen) => filled(template, chosen));
  });
}

function filled(template: string, words: readonly string[]): string {
  let next = 0;
  const text = template.replace(/\{\w+\}/g, () => words[next++] ?? "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
