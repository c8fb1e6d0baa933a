import { formatCount } from "../../format.ts";

/** What the list of mailboxes says. */
export const mailboxesWords = {
  title: "Mailboxes",
  empty: "No mailboxes yet. Campaigns send from the mailboxes that you connect.",
  connect: "Connect a mailbox",
  mailbox: "Mailbox",
  today: "Sent today",
  health: "Health",
  dns: "DNS records",
  warmup: "Warmup",
  noWarmup: "no warmup",
  unscored: "not enough emails yet",
  score: (score: number) => `${formatCount(score)} of 100`,
  since: "since",
  lastFault: "Last fault",
  sent: (count: number, limit: number) =>
    limit === 0 ? `${formatCount(count)}, no limit` : `${formatCount(count)} of ${formatCount(limit)}`,
  sentOf: (email: string) => `Emails sent today from ${email}, of its daily limit`,
  record: (name: string, text: string) => `${name}: ${text}`,
} as const;
