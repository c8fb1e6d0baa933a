import { z } from "zod";

/** Several patterns in one text, separated by commas. */
const patterns = z
  .array(z.string().min(1))
  .default([])
  .transform((lines) => lines.flatMap((line) => line.split(", ")));

/** The words that ask for no more email, and the words that change their meaning. */
const mailing = {
  leave: patterns.describe("Words that mean leaving a mailing list by themselves: unsubscribe, abmelden"),
  left: patterns.describe("The same words about the past or about others: we opted out"),
  remove: patterns.describe(
    "Verbs of taking away: they ask to stop only with the writer, the writer's address or a list as their object",
  ),
  removed: patterns.describe("Passive forms of taking the writer away: be removed"),
  stop: patterns.describe("Verbs of ending: they ask to stop only with mail or writing as their object"),
  contact: patterns.describe("Verbs of writing to someone"),
  call: patterns.describe("Verbs of telephoning"),
  send: patterns.describe("Verbs of sending: they ask to stop only with mail as their object"),
  receive: patterns.describe("Verbs of getting mail"),
  want: patterns.describe("Verbs of wishing"),
  stay: patterns.describe("Verbs for being on a list"),
  keep: patterns.describe("Verbs of going on or adding: keep, put on, sign up"),
  mail: patterns.describe("Nouns of mail"),
  things: patterns.describe("Pronouns that may stand for mail: this, anything"),
  list: patterns.describe("Nouns for collections of addresses"),
  me: patterns.describe("The writer: me, us, my"),
  ours: patterns.describe("Possessives of the writer's side: a list after one of them is the writer's own"),
  address: patterns.describe("Data about the writer: address, data, name"),
  not: patterns.describe("Negations"),
  more: patterns.describe("Again, any more, further"),
  dontWrite: patterns.describe("Writing and its negation in one word or phrase"),
  forbid: patterns.describe("Objecting, forbidding, taking consent back"),
  requests: patterns.describe("Phrases that ask to stop by themselves"),
  hints: patterns.describe("Words that ask to stop only where they are the whole text"),
  lookalikes: patterns.describe("Idioms that have such words and mean something else: drop me a line"),
  others: patterns.describe("Words that make the sentence about someone else or a product: customers, feature"),
  states: patterns.describe("Verbs of being, having and getting to know: there are no more emails"),
  if: patterns.describe("Conditions"),
  how: patterns.describe("Words that ask for the way to stop: how, where, can I"),
  why: patterns.describe("Words that ask for the reason: why do I get these emails"),
  please: patterns.describe("Words that make a sentence a request even where it is a question: please, could you"),
  ensure: patterns.describe("Words of making sure that something does not happen"),
  until: patterns.describe("Restrictions: until, in English, by phone"),
  days: patterns.describe("Days, months and other times"),
  contrast: patterns.describe("But, instead"),
  goesOn: patterns.describe("Words that say that mail continues: they keep coming"),
  noNeed: patterns.describe("Words that say something is not necessary"),
  joints: patterns.describe("Words that begin another clause: and, because"),
  filler: patterns.describe("Words that change nothing in such a sentence"),
  courtesy: patterns.describe("Beginnings of greetings and closings"),
};

/** The phrases of the other intents. */
const phrases = {
  notInterested: patterns,
  interested: patterns,
  meeting: patterns,
  asks: patterns.describe("Words that ask for information"),
  again: patterns.describe("Contact at another time, or a bad time now"),
  told: patterns.describe("The same words, denied or about the past"),
  refer: patterns.describe("Words that refer us to someone else"),
  referNot: patterns.describe("The same words, denied"),
  wrongPerson: patterns,
  data: patterns.describe("Asking for the data about the writer, or its source"),
  erase: patterns.describe("Asking to delete the data about the writer; it also asks to stop"),
  complaint: patterns,
  legal: patterns.describe("Threatening with legal action"),
};

/** Words for a future time. */
const times = {
  afterDay: patterns.describe("Words before the number of a day without its month"),
  after: patterns.describe("Words that mean the day after a date: after"),
  nextWeek: patterns,
  nextMonth: patterns,
  nextQuarter: patterns,
  nextYear: patterns,
  afterSummer: patterns,
  afterHolidays: patterns,
  beforeMonths: patterns.describe("Words before the name of a month that make it a time"),
};

export const MailingWords = z.strictObject(mailing);
export const IntentPhrases = z.strictObject(phrases);
export const TimeWords = z.strictObject(times);

/**
 * The data file of one language: the words with which people write about email and reply to it, as patterns that
 * `Patterns` reads.
 */
export const Lexicon = z.strictObject({
  language: z.string().length(2).describe("The code of ISO 639-1"),
  code: z.string().length(3).describe("The ISO 639-3 code, which the language detector uses"),
  negation: z.enum(["before", "both"]).describe("The position of a negation: before its verb, or also after it"),
  isUnspaced: z.boolean().default(false).describe("Whether words are written without spaces"),
  enclitics: z.array(z.string()).default([]).describe("Endings of a verb that mean the writer: escribirme"),
  mailing: MailingWords,
  intents: IntentPhrases,
  times: TimeWords.prefault({}),
  months: z.array(z.string()).length(12).nullable().default(null).describe("The beginnings of the names of the months"),
});
export type Lexicon = z.output<typeof Lexicon>;
export type MailingTag = keyof typeof mailing;
export type PhraseTag = keyof typeof phrases;
export type TimeTag = keyof typeof times;
export type Tag = MailingTag | PhraseTag | TimeTag;
