/**
 * Who else is in the demo's workspace: the mailboxes and campaigns beside the one that is killed, and what the people
 * write.
 */
export const REFUSED_SENDER = "sami@outreach-six.test";
const SENDER = "rosa@outreach-five.test";
export const PAUSED_MAILBOX = "tara@outreach-seven.test";
export const DISCONNECTED_MAILBOX = "ugo@outreach-eight.test";
export const WARM_MAILBOXES = ["vera@outreach-nine.test", "will@outreach-ten.test", "xenia@outreach-eleven.test"];
export const OTHER_MAILBOXES = [SENDER, REFUSED_SENDER, PAUSED_MAILBOX, DISCONNECTED_MAILBOX, ...WARM_MAILBOXES];

export interface OtherCampaign {
  name: string;
  /** The tag of its people in others.csv. */
  tag: string;
  sender: string;
  /** What is done with it once its people are in it. */
  move: "launch" | "launch later" | "launch and pause" | "archive" | "nothing";
  letters: number;
}

export const OTHER_CAMPAIGNS: readonly OtherCampaign[] = [
  { name: "Partners", tag: "partners", sender: SENDER, move: "launch", letters: 2 },
  { name: "Trade fair", tag: "fair", sender: SENDER, move: "launch", letters: 1 },
  { name: "Resellers", tag: "resellers", sender: REFUSED_SENDER, move: "launch", letters: 1 },
  { name: "Pilot customers", tag: "pilot", sender: SENDER, move: "launch and pause", letters: 2 },
  { name: "Autumn news", tag: "autumn", sender: SENDER, move: "launch later", letters: 1 },
  { name: "Ideas for spring", tag: "spring", sender: SENDER, move: "nothing", letters: 1 },
  { name: "Last year", tag: "last year", sender: SENDER, move: "archive", letters: 1 },
];

/** In the campaign Partners, one lead is suppressed and one recipient removed once their first letter is out. */
export const SUPPRESSED_LEAD = "agnes.moreau@pont-neuf-press.test";
export const REMOVED_RECIPIENT = "bela.szabo@danube-tools.example";

interface Reply {
  text: string;
  /** The category that a person gives it; null: it is left as the service files it. */
  category: string | null;
}

const REPLIES: Record<string, Reply> = {
  "reply.mira@northwind-tools.test": { text: "Sounds interesting, are you free on Thursday?", category: "INTERESTED" },
  "reply-jonas@kettle-and-co.example": { text: "Thanks, but we are not interested.", category: "NOT_INTERESTED" },
  "reply_aisha@bluebarn.test": {
    text: "Thanks for writing. Could you send some prices?",
    category: "INFORMATION_REQUEST",
  },
  "reply.tomasz@wisla-print.example": {
    text: "My colleague Ewa Zielinska plans our season, please ask her.",
    category: "REFERRAL",
  },
  "replycarla@olivetta.test": { text: "Not our priority this quarter, but let us talk in spring.", category: null },
  "reply.stop@meadowfield.test": {
    text: "Please remove me from your list and do not write to me again.",
    category: null,
  },
};

export const CATEGORIES = Object.entries(REPLIES).flatMap(([email, { category }]) =>
  category === null ? [] : [{ email, category }],
);

/** Deals close the story of two leads. */
export const DEALS = [
  { email: "anna.berg@lumen-optik.test", name: "Season planner", stage: "WON", amountCents: 49_000 },
  { email: "reply.tomasz@wisla-print.example", name: "Print schedule", stage: "LOST", amountCents: 120_000 },
];

export function replyTextOf(recipient: string): string | undefined {
  return REPLIES[recipient]?.text;
}
