import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readIntent } from "../../../domain/inbox/intent/read.ts";
import { sentencesMade } from "./intent-grammar.ts";
import { figuresOf } from "./intent-sets.ts";

const IN_EACH_LANGUAGE = 250;
/** `FAST_CHECK_SEED` makes other sentences. */
const { seed = 0 } = fc.readConfigureGlobal();

test(`3,500 generated sentences in fourteen languages are classified with the intended opt-out label (seed ${seed})`, () => {
  const made = sentencesMade(seed, IN_EACH_LANGUAGE).map((one) => ({ ...one, read: readIntent({ words: one.text }) }));
  expect(made).toHaveLength(14 * IN_EACH_LANGUAGE);
  const wrong = made.filter(({ label, read }) => label !== (read.optOut ?? "NONE"));
  const shown = wrong.map(({ language, text, read }) => `${language}: ${text} => ${read.optOut}`);
  expect(shown).toEqual([]);
  expect(figuresOf(made)).toMatchObject({ friendlyClear: 0, seen: 1, clear: 1 });
});
