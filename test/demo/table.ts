import { type Kind, kindOf, type SandboxReport, type Stop } from "../fakes/sandbox-report.ts";
import type { CampaignMetrics } from "./drive.ts";
import { lettersFor } from "./leads.ts";
import type { Post } from "./world.ts";

/** One email that the SMTP server accepted. `letter` is the number in its text. */
export interface Mail {
  to: string;
  letter: number;
  messageId: string;
}

/** A row of GET /campaigns/{id}/sends, with its step as a number from 1. */
export interface SendRow {
  email: string;
  letter: number;
  state: string;
  slotAt: string | null;
  attempts: number;
  failure: { reason: string } | null;
}

export interface RecipientRow {
  id: string;
  email: string;
  status: string;
  pauseReason: string | null;
  bounce: { type: string } | null;
  openedAt: string | null;
  clickedAt: string | null;
}

/**
 * What people did with the letters, as their own programs and the site know it. `lettersOpened` and `lettersClicked`
 * count letters, the others people.
 */
export interface Reading {
  opened: ReadonlySet<string>;
  clicked: ReadonlySet<string>;
  lettersOpened: number;
  lettersClicked: number;
  conversions: number;
  meetings: number;
  /** What was bought, in EUR. */
  revenue: number;
  failures: readonly string[];
}

/** What both sides report: the ledger of the mail servers, and REST. */
export interface Evidence {
  addresses: string[];
  letters: number;
  mails: Mail[];
  stops: Stop[];
  afterStop: SandboxReport["afterStop"];
  sends: SendRow[];
  recipients: RecipientRow[];
  posts: Post[];
  reading: Reading;
  /** The figures of the campaign. */
  metrics: CampaignMetrics;
  endedAt: number;
}

export interface Outcome {
  intended: number;
  sent: number;
  duplicates: number;
  lost: number;
  afterStop: number;
  /** Letters whose fate the service cannot know, and how many of these did arrive. */
  unknown: number;
  unknownArrived: number;
  refused: number;
  waiting: number;
  replied: number;
  outOfOffice: number;
  bounced: number;
  unsubscribed: number;
  opened: number;
  clicked: number;
  conversions: number;
  revenue: number;
  delivered: number;
  retried: number;
  /** Each names a figure that does not agree; empty when all counts balance. */
  disagreements: string[];
}

/** An email whose content was under way at the instant of a stop may still arrive. */
const GRACE_MS = 5_000;
/** A letter planned for later than this is waiting, not late. */
const SOON_MS = 60_000;

/** The outcome of a campaign whose people behave as their addresses say. */
export function outcomeOf(evidence: Evidence): Outcome {
  const { mails, recipients, stops, posts, sends, letters, addresses, reading, metrics } = evidence;
  const totals = { arrived: 0, unknownLost: 0, refused: 0, waiting: 0, lost: 0 };
  for (const address of addresses) {
    for (const fate of fatesOf(address, evidence)) totals[fate]++;
  }
  const surplus = surplusOf(mails);
  const strays = mails.filter(({ to, letter }) => letter < 1 || letter > letters || !addresses.includes(to)).length;
  const unknown = sends.filter(({ state }) => state === "UNKNOWN");
  const count = (status: string) => recipients.filter((recipient) => recipient.status === status).length;
  const outcome: Outcome = {
    intended: Object.values(totals).reduce((sum, part) => sum + part, 0),
    sent: mails.length,
    duplicates: surplus,
    lost: totals.lost,
    afterStop: lateOf(evidence.afterStop),
    unknown: unknown.length,
    unknownArrived: unknown.filter(({ email, letter }) =>
      mails.some((mail) => mail.to === email && mail.letter === letter),
    ).length,
    refused: totals.refused,
    waiting: totals.waiting,
    replied: count("REPLIED"),
    outOfOffice: recipients.filter(({ pauseReason }) => pauseReason === "OUT_OF_OFFICE").length,
    bounced: count("BOUNCED"),
    unsubscribed: count("UNSUBSCRIBED"),
    opened: metrics.opened,
    clicked: metrics.clicked,
    conversions: metrics.conversions,
    revenue: metrics.revenue.reduce((sum, { amount }) => sum + Number(amount), 0),
    delivered: deliveriesOf(posts, (status) => status < 300),
    retried: deliveriesOf(posts, (status) => status >= 300),
    disagreements: [],
  };
  const causes = (...wanted: Stop["cause"][]) =>
    new Set(stops.filter(({ cause }) => wanted.includes(cause)).map((stop) => stop.recipient)).size;
  const written = (kind: Kind) => new Set(mails.filter(({ to }) => kindOf(to) === kind).map(({ to }) => to)).size;
  const known = mails.length - surplus - outcome.unknownArrived;
  const ours = new Set(recipients.map(({ id }) => id));
  const isTaken = (post: Post, name: string) => post.event === name && post.status < 300 && ours.has(post.recipientId);
  const events = (name: string) =>
    new Set(posts.filter((post) => isTaken(post, name)).map(({ delivery }) => delivery)).size;
  const marked = (field: "openedAt" | "clickedAt", people: ReadonlySet<string>) =>
    recipients.filter((recipient) => recipient[field] !== null && !people.has(recipient.email)).length;
  outcome.disagreements = differing([
    ["recipients of the campaign, rows of the file", recipients.length, addresses.length],
    [
      "letters intended, and letters accounted for",
      outcome.intended,
      known + outcome.unknown + totals.refused + totals.waiting + totals.lost,
    ],
    ["letters the service has as sent, letters that arrived", recordedOf(evidence), known],
    ["mails at the server that belong to nothing", strays, 0],
    ["recipients REPLIED, people who replied", outcome.replied, causes("replied")],
    ["recipients away, people who are", outcome.outOfOffice, written("ooo")],
    ["recipients BOUNCED, addresses that do not exist", outcome.bounced, causes("bounced", "refused")],
    ["recipients UNSUBSCRIBED, people who did", outcome.unsubscribed, causes("unsubscribed")],
    ["SENT events delivered, letters sent", events("SENT"), known],
    ["REPLIED events delivered, replies", events("REPLIED"), causes("replied")],
    ["UNSUBSCRIBE events delivered, people who unsubscribed", events("UNSUBSCRIBE"), causes("unsubscribed")],
    ["BOUNCED events delivered, bounces", events("BOUNCED"), causes("bounced", "refused") + written("softdsn")],
    ["people counted as having opened, people who did", outcome.opened, reading.opened.size],
    ["people counted as having clicked, people who did", outcome.clicked, reading.clicked.size],
    [
      "recipients whose letters only robots looked at, and that count",
      marked("openedAt", reading.opened) + marked("clickedAt", reading.clicked),
      0,
    ],
    ["OPEN events delivered, letters opened", events("OPEN"), reading.lettersOpened],
    ["CLICK events delivered, letters with a click", events("CLICK"), reading.lettersClicked],
    ["conversions counted, conversions on the site", outcome.conversions, reading.conversions],
    ["meetings counted, meetings booked on the site", metrics.meetings, reading.meetings],
    ["revenue counted, revenue of the site", outcome.revenue, reading.revenue],
    ["visits of readers that failed", reading.failures.length, 0],
    ["events with a wrong signature", posts.filter(({ isSigned }) => !isSigned).length, 0],
    ["deliveries refused and never taken", outcome.retried - retakenOf(posts), 0],
  ]);
  return outcome;
}

/** Whether every promise was kept. */
export function isKept({ duplicates, lost, afterStop, disagreements }: Outcome): boolean {
  return duplicates === 0 && lost === 0 && afterStop === 0 && disagreements.length === 0;
}

type Fate = "arrived" | "unknownLost" | "refused" | "waiting" | "lost";

/**
 * The outcome of each letter meant for an address. After a letter of unknown fate the others are not meant to come
 * (rules/sending 9.4).
 */
function fatesOf(address: string, { letters, sends, mails, endedAt }: Evidence): Fate[] {
  const rows = new Map(sends.filter(({ email }) => email === address).map((row) => [row.letter, row]));
  const arrived = new Set(mails.filter(({ to }) => to === address).map(({ letter }) => letter));
  const unknown = [...rows.values()].filter(({ state }) => state === "UNKNOWN").map(({ letter }) => letter);
  const meant = Math.min(lettersFor(address, letters), ...unknown);
  return Array.from({ length: meant }, (_, index) => {
    const row = rows.get(index + 1);
    if (arrived.has(index + 1)) return "arrived";
    if (row === undefined) return "lost";
    if (row.state === "UNKNOWN") return "unknownLost";
    if (row.state === "FAILED") return row.failure?.reason === "HARD_BOUNCE" ? "refused" : "lost";
    const isLater = row.slotAt !== null && Date.parse(row.slotAt) > endedAt + SOON_MS;
    return row.state === "RESERVED" && (row.attempts > 1 || isLater) ? "waiting" : "lost";
  });
}

/** Letters that went out, as the service records it. A soft bounce withdraws its letter, to be sent again later. */
function recordedOf({ sends, recipients, mails }: Evidence): number {
  const isSoft = new Set(recipients.filter(({ bounce }) => bounce?.type === "SOFT").map(({ email }) => email));
  return sends.filter(({ state, email, letter }) => {
    const cameBack =
      state === "RESERVED" && isSoft.has(email) && mails.some((mail) => mail.to === email && mail.letter === letter);
    return state === "SENT" || state === "BOUNCED" || cameBack;
  }).length;
}

/** Emails beyond the first with the same letter or the same Message-ID for the same person. */
function surplusOf(mails: Mail[]): number {
  const seen = new Set<string>();
  return mails.filter(({ to, letter, messageId }) => {
    const keys = [`${to} ${letter}`, `${to} ${messageId}`];
    const isSurplus = keys.some((key) => seen.has(key));
    for (const key of keys) seen.add(key);
    return isSurplus;
  }).length;
}

function lateOf(afterStop: SandboxReport["afterStop"]): number {
  const late = afterStop.filter(({ at, mailAt, isCampaignMail }) => isCampaignMail && mailAt - at > GRACE_MS);
  return new Set(late.map(({ recipient, mailAt }) => `${recipient} ${mailAt}`)).size;
}

function deliveriesOf(posts: Post[], isIt: (status: number) => boolean): number {
  return new Set(posts.filter(({ status }) => isIt(status)).map(({ delivery }) => delivery)).size;
}

function retakenOf(posts: Post[]): number {
  const taken = new Set(posts.filter(({ status }) => status < 300).map(({ delivery }) => delivery));
  return new Set(
    posts.filter(({ delivery, status }) => status >= 300 && taken.has(delivery)).map(({ delivery }) => delivery),
  ).size;
}

function differing(pairs: [what: string, one: number, other: number][]): string[] {
  return pairs.filter(([, one, other]) => one !== other).map(([what, one, other]) => `${what}: ${one} and ${other}`);
}
