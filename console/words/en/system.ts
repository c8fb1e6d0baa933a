import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../domain/time/durations.ts";
import type { Queue } from "../../../domain/workflow-contract.ts";
import { counted, formatCount } from "../format.ts";

export const QUEUE: Record<Queue, string> = {
  engine: "decisions: who is next, and when",
  smtp: "mail that leaves",
  imap: "mailboxes that are read",
  webhook: "later attempts of webhooks",
  feed: "first attempts of webhooks",
  jobs: "imports and other long work",
};

const UNITS = [
  [DAY_MS, "day"],
  [HOUR_MS, "hour"],
  [MINUTE_MS, "minute"],
  [SECOND_MS, "second"],
] as const;

/** "3 min": a span in its largest unit. */
function span(ms: number): string {
  const [size, unit] = UNITS.find(([size]) => ms >= size) ?? [SECOND_MS, "second" as const];
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "short" }).format(Math.floor(ms / size));
}

const waits = (count: number, one: string, many: string, ms: number) =>
  count === 0 ? "nothing waits" : `${counted(count, one, many)}, the oldest for ${span(ms)}`;

export const systemWords = {
  title: "System",
  readAt: "Read at",
  parts: "Its parts",
  part: "Part",
  state: "State",
  details: "Details",
  database: "Database",
  engine: "Engine",
  workers: "Workers",
  outbox: "What follows from decisions",
  webhooks: "Webhooks",
  jobs: "Jobs",
  mailboxes: "Mailboxes",
  overdue: "People whose time has come",
  heldBack: "Emails held back",
  unknown: "Mails of unknown outcome",
  states: { good: "well", waits: "look at it", bad: "broken" },
  away: "does not answer",
  mongo: (version: string, members: number | null, lagMs: number | null) =>
    [
      `MongoDB ${version}`,
      ...(members === null ? [] : [counted(members, "member", "members")]),
      ...(lagMs === null || lagMs < 1_000 ? [] : [`the slowest is ${span(lagMs)} behind`]),
    ].join(", "),
  temporal: (version: string | null, namespace: string) => `Temporal ${version ?? ""}, namespace ${namespace}`,
  noWorker: (queues: string) => `nobody works on ${queues}`,
  allWorked: (queues: number) => `all ${formatCount(queues)} queues have workers`,
  rows: (count: number, ms: number) => waits(count, "command waits", "commands wait", ms),
  posts: (waiting: number, lateMs: number, dead: number) =>
    [
      waiting === 0 ? "nothing waits" : `${formatCount(waiting)} wait`,
      ...(lateMs === 0 ? [] : [`the next is ${span(lateMs)} late`]),
      ...(dead === 0 ? [] : [`${counted(dead, "was", "were")} given up in 30 days`]),
    ].join(", "),
  openJobs: (count: number, ms: number) =>
    [count === 0 ? "none is open" : `${formatCount(count)} open`, ...(ms < 60_000 ? [] : [`one has not moved for ${span(ms)}`])].join(", "),
  mailboxStates: (connected: number, others: number, unsynced: number) =>
    [
      `${formatCount(connected)} connected`,
      ...(others === 0 ? [] : [`${formatCount(others)} not`]),
      ...(unsynced === 0 ? [] : [`${formatCount(unsynced)} not read for a quarter of an hour`]),
    ].join(", "),
  overdueCount: (count: number) =>
    count === 0 ? "nobody is overdue" : `${counted(count, "person is", "people are")} overdue by five minutes`,
  heldBackCount: (count: number) =>
    count === 0 ? "none" : `${counted(count, "email is", "emails are")} held back because the database is slow`,
  unknownCount: (count: number) => (count === 0 ? "none" : `${counted(count, "waits", "wait")} for somebody to say what became of it`),
  queues: "Queues",
  queue: "Queue",
  backlog: "Waiting",
  oldest: "Oldest",
  pollers: "Workers",
  span: (ms: number) => (ms === 0 ? "–" : span(ms)),
  unknownTitle: "Mails of unknown outcome",
  unknownLead:
    "The connection broke after the mail was handed over and before the other server answered. Each is looked for in the copies of what was sent, and given up after a day. Whoever knows better says so.",
  recipient: "Recipient",
  campaign: "Campaign",
  workspace: "Workspace",
  since: "Since",
  due: "Was due",
  lastRead: "Last read",
  mailbox: "Mailbox",
  history: "History",
  foreign: "of a workspace that you are no member of",
  noCampaign: "in no campaign",
  becameOf: "What became of it",
  resolve: "Resolve…",
  resolveOf: (email: string) => `Resolve the mail to ${email}`,
  elsewhere: (name: string) => `Resolve in ${name}`,
  byMember: "a member of its workspace resolves it",
  resolveTitle: (email: string) => `What became of the mail to ${email}?`,
  choose: "What is known",
  choices: {
    markSent: "It was sent",
    markNotSent: "It was not sent, and is not to be",
    resend: "Send it once more",
  },
  effects: {
    markSent: "It counts as sent, and the person goes on with the next step.",
    markNotSent: "It counts as failed and is never sent again by itself. The person gets no further mail of this campaign.",
    resend: "It is booked anew and sent after all checks. If the first one did arrive, the person gets it twice.",
  },
  acts: {
    markSent: "Count it as sent",
    markNotSent: "Count it as not sent",
    resend: "Send it once more",
  },
  said: {
    markSent: "It counts as sent.",
    markNotSent: "It counts as not sent.",
    resend: "It is booked anew.",
  },
  resolveAct: "Resolve it",
  overdueTitle: "People that nothing moves",
  overdueLead: "Those whose time passed the longest ago. The reconciler wakes them by itself; who stays here needs somebody.",
  mailboxesTitle: "Mailboxes that are not read",
  mailboxesLead: "Connected, and nothing was read from them for a quarter of an hour: replies and bounces are not seen meanwhile.",
  never: "never",
  versions: "Versions",
  service: "Service",
  node: "Node",
  schema: "Database schema",
  none: "–",
  firstOf: (shown: number, count: number) => (count > shown ? `The first ${formatCount(shown)} of ${formatCount(count)}.` : ""),
} as const;
