import { counted, formatCount, formatShare } from "../../format.ts";

/** What the page of one mailbox says. */
export const mailboxWords = {
  sections: "Parts of this mailbox",
  parts: { health: "Health", dns: "DNS records", settings: "Limits and hours" },
  state: "State",
  name: "Name",
  today: "Sent today",
  split: (campaign: number, warmup: number, other: number) =>
    `${formatCount(campaign)} of campaigns, ${formatCount(warmup)} of warmup, ${formatCount(other)} others`,
  lastRead: "Last read",
  sendsBy: "Sends by",
  readsFrom: "Is read from",
  warmup: "Warmup",
  lastFault: "Last fault",
  more: "More",
  pause: "Pause…",
  resume: "Resume…",
  reconnect: "Connect again…",
  disconnect: "Disconnect…",
  delete: "Delete…",
  pauseTitle: (email: string) => `Pause ${email}?`,
  pauseEffect: (sent: number) =>
    `At once no campaign or warmup mail leaves from it any more; ${counted(sent, "mail has", "mails have")} gone today. Its campaigns go on with their other mailboxes, or wait. Replies are still read.`,
  pauseAct: "Pause it",
  resumeTitle: (email: string) => `Resume ${email}?`,
  resumeEffect: (limit: number, sent: number) =>
    limit === 0
      ? `Campaign and warmup mail leaves from it again, without a limit of its own a day; ${counted(sent, "mail has", "mails have")} gone today. What waited for it gets free slots, never all at once.`
      : `Campaign and warmup mail leaves from it again, at most ${counted(limit, "mail", "mails")} a day, of which ${formatCount(sent)} went today. What waited for it gets free slots, never all at once.`,
  resumeOverrides: (evidence: string) => `This overrides what made the mailbox stop: ${evidence}.`,
  resumeAct: "Resume it",
  disconnectTitle: (email: string) => `Disconnect ${email}?`,
  disconnectEffect:
    "At once nothing is sent from it and nothing read any more, and its password or consent is erased here. Its campaigns go on with their other mailboxes, or wait. Its threads and figures stay, and it can be connected again.",
  disconnectAct: "Disconnect it",
  deleteTitle: (email: string) => `Delete ${email}?`,
  deleteEffect:
    "It is disconnected at once, and its limits, hours, signature and tags are gone for good. Its campaigns go on with their other mailboxes, or wait. Its threads and figures stay.",
  deleteAct: "Delete it",
  said: { pause: "Paused.", resume: "It sends again.", disconnect: "Disconnected.", delete: "Deleted." },
} as const;

export const healthWords = {
  score: "Score",
  unscored: "too few mails to tell",
  ofHundred: (score: number) => `${formatCount(score)} of 100`,
  band: "Band",
  since: "Since",
  until: "It ends",
  next: "Looked at again, at the latest",
  step: (percent: number) => `It may use ${formatShare(percent / 100)} of its capacity.`,
  history: "How it changed",
  historyEmpty: "Nothing has changed in 90 days.",
  when: "When",
  from: "From",
  to: "To",
  by: "By",
  byWhom: { FACTS: "what became of its mails", PERSON: "somebody here" },
  atStep: (band: string, percent: number) => `${band}, ${formatShare(percent / 100)}`,
  setHealthy: "Set back to healthy…",
  setHealthyTitle: "Set it back to healthy?",
  setHealthyEffect:
    "It sends again as much as its limits say. For 24 hours nothing acts on it, and what happened before never counts again. Whatever led here should be mended first: if it goes on, the next band is as grave.",
  setHealthyAct: "Set it back",
  saidHealthy: "Set back to healthy.",
} as const;

export const dnsWords = {
  again: "Check again",
  saidAgain: "It is being checked. A mail goes from the mailbox to itself meanwhile.",
  checked: "Checked",
  domain: (domain: string) => `Records of ${domain}`,
  none: "What to publish has not been worked out for this domain yet: “Check again” does so now, and otherwise the daily check.",
  found: "Found",
  publish: "Publish at your DNS provider",
  name: "Name",
  value: "Value",
  type: "Type",
  optional: "Nobody has to have this",
  tracking: "Domain of tracked links",
  trackingFault: (fault: string) => `At the last look: ${fault}.`,
  elsewhere: "Records of the whole domain are not shown to your role.",
} as const;

export const settingsWords = {
  name: "Name that readers see",
  daily: "Mails a day at most",
  dailyHint: "Over all campaigns, warmup included. 0: no limit of its own.",
  warmup: "Warmup mails a day at most",
  minGap: "Shortest wait between two mails, in seconds",
  maxGap: "Longest wait between two mails, in seconds",
  gapHint: "Empty: as the campaign says.",
  replyTo: "Address that answers go to",
  replyToHint: "Empty: the mailbox itself.",
  signature: "Signature under its mails, as HTML",
  saveToSent: "Put a copy of each mail into its Sent folder",
  hours: "When it may send",
  always: "Always, as far as the campaign lets it",
  certain: "In certain hours, besides those of the campaign",
  days: "Days",
  weekdays: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
  zone: "Time zone",
  from: "From",
  to: "Until",
  timeHint: "As 09:00, in its time zone.",
  save: "Save",
  saved: "Saved.",
  unchanged: "Nothing was changed.",
  readOnly: "Your role can see these, not change them.",
  none: "–",
} as const;
