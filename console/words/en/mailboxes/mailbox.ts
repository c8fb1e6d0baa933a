import { counted, formatCount, formatShare } from "../../format.ts";

/** The texts of the page of one mailbox. */
export const mailboxWords = {
  sections: "Parts of this mailbox",
  parts: { health: "Health", dns: "DNS records", settings: "Limits and hours" },
  state: "State",
  name: "Name",
  today: "Sent today",
  split: (campaign: number, warmup: number, other: number) =>
    `${formatCount(campaign)} of campaigns, ${formatCount(warmup)} of warmup, ${formatCount(other)} others`,
  lastRead: "Last read",
  sendsBy: "SMTP server",
  readsFrom: "IMAP server",
  username: "User name",
  smtpUsername: "SMTP user name",
  noSentFolder: "This server has no Sent folder, so no copies are kept.",
  warmup: "Warmup",
  lastFault: "Last error",
  more: "More",
  pause: "Pause…",
  resume: "Resume…",
  reconnect: "Connect again…",
  disconnect: "Disconnect…",
  delete: "Delete…",
  pauseTitle: (email: string) => `Pause ${email}?`,
  pauseEffect: (sent: number) =>
    `It sends no campaign or warmup emails any more. It sent ${counted(sent, "email", "emails")} today. Its campaigns continue with their other mailboxes, or wait. Replies are still read.`,
  pauseAct: "Pause mailbox",
  resumeTitle: (email: string) => `Resume ${email}?`,
  resumeEffect: (limit: number, sent: number) =>
    limit === 0
      ? `It sends campaign and warmup emails again, without a daily limit. It sent ${counted(sent, "email", "emails")} today. Waiting emails get the next available send slots, never all at once.`
      : `It sends campaign and warmup emails again, at most ${counted(limit, "email", "emails")} a day, of which it sent ${formatCount(sent)} today. Waiting emails get the next available send slots, never all at once.`,
  resumeOverrides: (evidence: string) => `This overrides what made the mailbox stop: ${evidence}.`,
  resumeAct: "Resume mailbox",
  disconnectTitle: (email: string) => `Disconnect ${email}?`,
  disconnectEffect:
    "Nothing is sent from it or read any more, and its password or access is deleted. Its campaigns continue with their other mailboxes, or wait. Conversations and figures stay, and you can connect it again.",
  disconnectAct: "Disconnect mailbox",
  deleteTitle: (email: string) => `Delete ${email}?`,
  deleteEffect:
    "It is disconnected, and its limits, hours, signature and tags are deleted. Its campaigns continue with their other mailboxes, or wait. Conversations and figures stay.",
  deleteAct: "Delete mailbox",
  said: { pause: "Paused.", resume: "Resumed.", disconnect: "Disconnected.", delete: "Deleted." },
} as const;

export const healthWords = {
  score: "Score",
  unscored: "not enough emails yet",
  ofHundred: (score: number) => `${formatCount(score)} of 100`,
  band: "Band",
  since: "Since",
  until: "It ends",
  next: "Next check, at the latest",
  step: (percent: number) => `It uses ${formatShare(percent / 100)} of its capacity.`,
  history: "History",
  historyEmpty: "Nothing has changed in 90 days.",
  when: "When",
  from: "From",
  to: "To",
  by: "By",
  byWhom: { FACTS: "results of its emails", PERSON: "a person" },
  atStep: (band: string, percent: number) => `${band}, ${formatShare(percent / 100)}`,
  setHealthy: "Set back to healthy…",
  setHealthyTitle: "Set it back to healthy?",
  setHealthyEffect:
    "It sends up to its limits again. For 24 hours its health is not judged, and earlier results no longer count. Fix the cause first, or it returns to the same band.",
  setHealthyAct: "Set it back",
  saidHealthy: "Set back to healthy.",
} as const;

export const dnsWords = {
  again: "Check again",
  saidAgain: "The check is running. The mailbox sends an email to itself for it.",
  checked: "Checked",
  domain: (domain: string) => `Records of ${domain}`,
  none: "What to publish has not been worked out for this domain yet: “Check again” does so now, and otherwise the daily check.",
  found: "Found",
  publish: "Publish at your DNS provider",
  name: "Name",
  value: "Value",
  type: "Type",
  optional: "Optional",
  tracking: "Domain of tracked links",
  trackingFault: (fault: string) => `Last check: ${fault}.`,
  elsewhere: "Your role cannot see the records of the whole domain.",
} as const;

export const settingsWords = {
  name: "Sender name",
  daily: "Daily email limit",
  dailyHint: "For all campaigns together, including warmup. 0: no limit.",
  warmup: "Daily warmup limit",
  minGap: "Shortest wait between two emails, in seconds",
  maxGap: "Longest wait between two emails, in seconds",
  gapHint: "Leave blank to use the campaign's setting.",
  replyTo: "Reply-to address",
  replyToHint: "Leave blank to use the mailbox itself.",
  signature: "Signature (HTML)",
  saveToSent: "Save a copy of each email in the Sent folder",
  hours: "Sending hours",
  always: "Any time that the campaign allows",
  certain: "Only in certain hours",
  days: "Days",
  weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  zone: "Time zone",
  from: "From",
  to: "Until",
  timeHint: "For example 09:00, in this time zone.",
  save: "Save",
  saved: "Saved.",
  unchanged: "Nothing changed.",
  readOnly: "Your role cannot change these settings.",
  none: "–",
} as const;

/** The texts of the list of mailboxes. */
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
  lastFault: "Last error",
  sent: (count: number, limit: number) =>
    limit === 0 ? `${formatCount(count)}, no limit` : `${formatCount(count)} of ${formatCount(limit)}`,
  sentOf: (email: string) => `Emails sent today from ${email}, of its daily limit`,
  record: (name: string, text: string) => `${name}: ${text}`,
} as const;
