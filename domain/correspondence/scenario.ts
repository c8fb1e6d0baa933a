/**
 * One conversation of two companies: what the first asks, the second answers, the first says to that, and how the second closes.
 *
 * `{a|b}` is a choice, drawn for each mail; `[day]` is a detail, drawn once for the whole conversation, so that every turn that names the
 * day names the same one.
 */
export interface Scenario {
  name: string;
  /** Its own details: alternatives by the name of the slot, divided by `|`. */
  details: Readonly<Record<string, string>>;
  subject: string;
  turns: ByTurn;
}

/** A text for each of the four turns. */
type ByTurn = readonly [string, string, string, string];

/** What the mails of one language have in common. */
export interface Phrases {
  /** With `[name]`, and for people whose name nobody knows. */
  greeting: string;
  greetingWithoutName: string;
  /** Whether people are greeted by their first names or by the whole name. */
  greetsBy: "FIRST_NAME" | "FULL_NAME";
  /** Sentences before and after what a scenario says. */
  openers: ByTurn;
  closers: ByTurn;
  signOff: string;
  /** Monday to Friday, as the slots `[day]` and the later `[day2]` name them. */
  days: string;
  /** In their order, for `[time]` and the later `[time2]`. */
  times: string;
  /** Details that any scenario may name. */
  details: Readonly<Record<string, string>>;
}
