/**
 * Our own short email for tests without a campaign: ordinary business words, no link, no picture (rules/deliverability
 * 6.2).
 */
export interface NeutralText {
  subject: string;
  text: string;
}

const TEXTS: readonly NeutralText[] = [
  {
    subject: "Notes from this morning",
    text: "Hello,\n\nhere are the notes from this morning's talk. We agreed to look at the figures again on Thursday and to decide then. Please tell me if I left something out.",
  },
  {
    subject: "Dates for the next meeting",
    text: "Hello,\n\nI looked at the calendar: Tuesday afternoon or Wednesday before noon would both be fine for us. Which of the two is easier for you?",
  },
  {
    subject: "The draft you asked about",
    text: "Hello,\n\nthe draft is nearly done. Two paragraphs are still open, and I would like to hear your opinion about them before I go on. Shall we talk tomorrow?",
  },
  {
    subject: "Change of rooms",
    text: "Hello,\n\na short note that we meet on the second floor this time, since the large room is taken. Everything else stays as it was. See you there.",
  },
];

/** One of these texts, signed with the sender's name. The same number always gives the same text. */
export function neutralText(number: number, senderName: string | null): NeutralText {
  const { subject, text } = TEXTS[Math.abs(Math.trunc(number)) % TEXTS.length] ?? { subject: "", text: "" };
  return { subject, text: `${text}\n\nBest regards${senderName === null ? "" : `\n${senderName}`}\n` };
}
