import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readIntent } from "../../../domain/inbox/intent/read.ts";
import { sentencesMade } from "./intent-grammar.ts";
import { figuresOf } from "./intent-sets.ts";

const IN_EACH_LANGUAGE = 250;
/** `FAST_CHECK_SEED` makes other sentences. */
const { seed = 0 } = fc.readConfigureGlobal();

test(`2,500 sentences made by grammar in ten languages are read as they were made (seed ${seed})`, () => {
  const made = sentencesMade(seed, IN_EACH_LANGUAGE).map(({ language, text, isRequest }) => ({
    ...{ language, text, label: isRequest ? ("CLEAR" as const) : ("NONE" as const) },
    read: readIntent({ words: text }),
  }));
  expect(made).toHaveLength(10 * IN_EACH_LANGUAGE);
  const wrong = made.filter(({ label, read }) => (label === "NONE") !== (read.optOut === null));
  const shown = wrong.map(({ language, text, read }) => `${language}: ${text} => ${read.optOut}`);
  expect(shown).toEqual([]);
  expect(figuresOf(made)).toMatchObject({ friendlyClear: 0, seen: 1, clear: 1 });
});
