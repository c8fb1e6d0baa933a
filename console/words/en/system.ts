import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../domain/time/durations.ts";
import type { Queue } from "../../../domain/workflow-contract.ts";
import { counted, formatCount } from "../format.ts";

export const QUEUE: Record<Queue, string> = {
  engine: "decisions: which recipient is next, and when",
  smtp: "outgoing emails",
  imap: "incoming emails",
  webhook: "retries of webhooks",
  feed: "first attempts of webhooks",
  jobs: "imports and other jobs",
};

const UNITS = [
  [DAY_MS, "day"],
  [HOUR_MS, "hour"],
  [MINUTE_MS, "minute"],
  [SECOND_MS, "second"],
] as const;

/** "3 min": a duration in its largest unit. */
function spanInWords(ms: number): string {
  const [size, unit] = UNITS.find(([size]) => ms >= size) ?? [SECOND_MS, "second" as const];
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "short" }).format(Math.floor(ms / size));
}

const waits = (count: number, one: string, many: string, ms: number) =>
  count === 0 ? "nothing waiting" : `${counted(count, one, many)}, the oldest for ${spanInWords(ms)}`;

export const systemWords = {
  title: "System",
  workspaces: "Workspaces",
  readAt: "Updated at",
  parts: "Components",
  part: "Component",
  state: "State",
  details: "Details",
  database: "Database",
  engine: "Temporal",
  workers: "Workers",
  outbox: "Outbox",
  webhooks: "Webhooks",
  jobs: "Jobs",
  mailboxes: "Mailboxes",
  providers: "Mail providers",
  overdue: "Overdue recipients",
  heldBack: "Emails held back",
  unknown: "Emails with unknown result",
  states: { good: "OK", waits: "check", bad: "failing" },
  away: "unreachable",
  mongo: (version: string, members: number | null, lagMs: number | null) =>
    [
      `MongoDB ${version}`,
      ...(members === null ? [] : [counted(members, "member", "members")]),
      ...(lagMs === null || lagMs < 1_000 ? [] : [`the slowest is ${spanInWords(lagMs)} behind`]),
    ].join(", "),
  temporal: (version: string | null, namespace: string) => `Temporal ${version ?? ""}, namespace ${namespace}`,
  noWorker: (queues: string) => `no worker for ${queues}`,
  allWorked: (queues: number) => `all ${formatCount(queues)} queues have workers`,
  rows: (count: number, ms: number) => waits(count, "command waits", "commands wait", ms),
  posts: (waiting: number, lateMs: number, dead: number) =>
    [
      waiting === 0 ? "nothing waiting" : `${formatCount(waiting)} wait`,
      ...(lateMs === 0 ? [] : [`the next is ${spanInWords(lateMs)} late`]),
      ...(dead === 0 ? [] : [`${formatCount(dead)} failed in 30 days`]),
    ].join(", "),
  openJobs: (count: number, ms: number) =>
    [
      count === 0 ? "none open" : `${formatCount(count)} open`,
      ...(ms < 60_000 ? [] : [`one has not moved for ${spanInWords(ms)}`]),
    ].join(", "),
  mailboxStates: ({
    good,
    failing,
    down,
    off,
    unread,
  }: Record<"good" | "failing" | "down" | "off" | "unread", number>) =>
    [
      `${formatCount(good)} OK`,
      ...(failing === 0 ? [] : [`${formatCount(failing)} failing`]),
      ...(down === 0 ? [] : [`${formatCount(down)} down`]),
      ...(off === 0 ? [] : [`${formatCount(off)} disconnected`]),
      ...(unread === 0 ? [] : [`${formatCount(unread)} not read for 15 minutes`]),
    ].join(", "),
  providerProblems: (messages: readonly string[]) =>
    messages.length === 0 ? "no problems" : `${messages.join(". ")}.`,
  overdueCount: (count: number) =>
    count === 0 ? "none" : `${counted(count, "recipient is", "recipients are")} overdue by five minutes`,
  heldBackCount: (count: number) =>
    count === 0 ? "none" : `${counted(count, "email is", "emails are")} held back because the database is slow`,
  unknownCount: (count: number) =>
    count === 0 ? "none" : `${counted(count, "email needs", "emails need")} a decision`,
  queues: "Queues",
  queue: "Queue",
  backlog: "Waiting",
  oldest: "Oldest",
  pollers: "Workers",
  span: (ms: number) => (ms === 0 ? "–" : spanInWords(ms)),
  unknownTitle: "Emails with unknown result",
  unknownLead:
    "The connection closed after the email was handed over and before the server confirmed it. Outreach looks for it in the Sent folder for a day. If you know the result, resolve it here.",
  recipient: "Recipient",
  campaign: "Campaign",
  workspace: "Workspace",
  since: "Since",
  due: "Was due",
  lastRead: "Last read",
  mailbox: "Mailbox",
  history: "History",
  foreign: "in a workspace that you are not a member of",
  noCampaign: "in no campaign",
  becameOf: "Result",
  resolve: "Resolve…",
  resolveOf: (email: string) => `Resolve the email to ${email}`,
  elsewhere: (name: string) => `Resolve in ${name}`,
  byMember: "a member of its workspace can resolve it",
  resolveTitle: (email: string) => `What happened to the email to ${email}?`,
  choose: "Result",
  choices: {
    markSent: "It was sent",
    markNotSent: "It was not sent and should not be sent",
    resend: "Send it again",
  },
  effects: {
    markSent: "It counts as sent, and the recipient continues with the next step.",
    markNotSent:
      "It counts as failed and is never sent again automatically. The recipient gets no further emails of this campaign.",
    resend:
      "It is scheduled again and sent after all checks. If the first email did arrive, the recipient gets it twice.",
  },
  acts: {
    markSent: "Count it as sent",
    markNotSent: "Count it as not sent",
    resend: "Send it again",
  },
  said: {
    markSent: "It counts as sent.",
    markNotSent: "It counts as not sent.",
    resend: "Scheduled again.",
  },
  resolveAct: "Resolve",
  overdueTitle: "Stuck recipients",
  overdueLead:
    "The recipients that are overdue for the longest time. Outreach wakes them automatically. Those that stay here need attention.",
  mailboxesTitle: "Mailboxes that are not being read",
  mailboxesLead: "Connected, but not read for 15 minutes. Replies and bounces are not seen during that time.",
  never: "never",
  setup: "Set-up",
  setupLead:
    "Checks settings, servers, workers, network and PUBLIC_URL from the process that answers this page, as npm run doctor does. It changes nothing and takes up to a minute.",
  checkSetup: "Check set-up",
  checking: "Checking…",
  check: "Check",
  found: "Result",
  setupStates: { OK: "OK", WARN: "check", FAIL: "failing", SKIPPED: "skipped" },
  setupFound: (found: string, advice: string | null) => (advice === null ? `${found}.` : `${found}. ${advice}.`),
  versions: "Versions",
  service: "Service",
  node: "Node",
  schema: "Database schema",
  none: "–",
  firstOf: (shown: number, count: number) =>
    count > shown ? `The first ${formatCount(shown)} of ${formatCount(count)}.` : "",
} as const;
