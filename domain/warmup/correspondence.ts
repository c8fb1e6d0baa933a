import { z } from "zod";
import de from "./conversations/de.json" with { type: "json" };
import en from "./conversations/en.json" with { type: "json" };
import es from "./conversations/es.json" with { type: "json" };
import fr from "./conversations/fr.json" with { type: "json" };
import type { WarmupLanguage } from "./enrolment.ts";

/**
 * `{a|b}` is a choice, drawn for each email. `[day]` is a detail, drawn once for the whole conversation, so every email
 * of it names the same day.
 */
const text = z.string().min(1);
const byTurn = z.tuple([text, text, text, text]);
const details = z.record(
  z.string().regex(/^\w+$/, "The name of a slot has letters, digits and underscores only"),
  text,
);

/**
 * One conversation between two companies in four emails: a question of the first company, an answer of the second, a
 * reply of the first, and a closing email of the second.
 */
const Scenario = z.strictObject({
  name: text,
  details: details.describe("Its own details: alternatives by the name of the slot, divided by |"),
  subject: text,
  turns: byTurn,
});
export type Scenario = z.output<typeof Scenario>;

/** The phrases that all emails of one language share. */
const Phrases = z.strictObject({
  greeting: text.includes("[name]"),
  greetingWithoutName: text.describe("For people whose name nobody knows"),
  greetsBy: z.enum(["FIRST_NAME", "FULL_NAME"]),
  openers: byTurn.describe("Sentences before what a scenario says"),
  closers: byTurn.describe("Sentences after what a scenario says"),
  signOff: text,
  days: text.describe("Monday to Friday, for [day] and the later [day2]"),
  times: text.describe("In their order, for [time] and the later [time2]"),
  details: details.describe(
    "Details that any scenario may name. French leaves out the months before which the word `de` is shortened",
  ),
});
export type Phrases = z.output<typeof Phrases>;

/** The data file with the warmup conversations of one language. */
const Correspondence = z.strictObject({ phrases: Phrases, scenarios: z.tuple([Scenario], Scenario) });
type Correspondence = z.output<typeof Correspondence>;

const FILES: Readonly<Record<WarmupLanguage, unknown>> = { en, de, fr, es };
const loaded = new Map<WarmupLanguage, Correspondence>();

/**
 * The conversations of a language. The file is checked when the language is first needed, because most processes write
 * no warmup emails.
 */
export function correspondenceIn(language: WarmupLanguage): Correspondence {
  const correspondence = loaded.get(language) ?? Correspondence.parse(FILES[language]);
  loaded.set(language, correspondence);
  return correspondence;
}
