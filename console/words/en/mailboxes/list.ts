import { formatCount } from "../../format.ts";

/** What the list of mailboxes says. */
export const mailboxesWords = {
  title: "Mailboxes",
  empty: "There is no mailbox yet. Nothing is sent without one.",
  connect: "Connect a mailbox",
  mailbox: "Mailbox",
  today: "Sent today",
  health: "Health",
  dns: "DNS records",
  warmup: "Warmup",
  noWarmup: "does not warm up",
  unscored: "too few mails to tell",
  score: (score: number) => `${formatCount(score)} of 100`,
  since: "since",
  lastFault: "Last fault",
  sent: (count: number, limit: number) =>
    limit === 0 ? `${formatCount(count)}, no limit` : `${formatCount(count)} of ${formatCount(limit)}`,
  sentOf: (email: string) => `Mails sent today from ${email}, of what its limit lets through`,
  record: (name: string, text: string) => `${name}: ${text}`,
} as const;
