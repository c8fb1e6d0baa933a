import type { WarmupConfig, WarmupLanguage, WarmupPreset, WarmupStatus } from "../../../../domain/warmup/enrolment.ts";
import { counted, formatCount, formatShare } from "../../format.ts";

const emails = (count: number) => counted(count, "email", "emails");

/** The texts of the warmup of a mailbox. */
export const warmupWords = {
  lead: "Mailboxes that warm up write to each other, read these emails, answer some and move them out of Junk. So their providers see ordinary correspondence, and you see where the emails land.",
  none: "No warmup yet. Warm up a new mailbox for two weeks before its first campaign.",
  connectFirst: "Connect the mailbox again, then start its warmup.",
  start: "Start warmup…",
  startTitle: (email: string) => `Start the warmup of ${email}?`,
  startAct: "Start warmup",
  terms:
    "The terms of some providers do not allow networks of mailboxes that write to each other. A provider that sees one may limit or close the mailboxes. Read your provider's terms first.",
  ramp: (target: number, increment: number, most: number) =>
    increment === 0 || target >= most
      ? `It sends at most ${emails(target)} a day, from today on.`
      : `It sends at most ${emails(target)} today, and ${formatCount(increment)} more on each later day, up to ${formatCount(most)} a day.`,
  rampOf: ({ start, increment, max, replyRate }: WarmupConfig) =>
    `${emails(start)} on the first day, ${formatCount(increment)} more on each later day, at most ${formatCount(max)}. ${formatShare(replyRate)} of its emails are answers.`,
  capped: (limit: number) => `Its daily warmup limit keeps it at ${formatCount(limit)} a day.`,
  noneAllowed: "Its daily warmup limit is 0, so it sends no warmup emails. Raise the limit first.",
  how: "The emails go to mailboxes of other domains that warm up too, in its sending hours, and count toward its daily limit. Outreach also reads what these mailboxes send, and moves it to the folder for warmup.",
  again: "The ramp begins again from the first day.",
  said: {
    start: "Warmup started. The first emails are planned within a minute.",
    resume: "Warmup resumed.",
    pause: "Warmup paused.",
    stop: "Warmup stopped.",
    reconnect: "Warmup resumed.",
    remove: "Removed from warmup.",
    unspam: "Outreach moves the emails out of Junk now.",
    markImportant: "Outreach reads and flags the emails now.",
  },
  resume: "Resume warmup",
  resumeEffect: (day: number, target: number) =>
    `It sends warmup emails again, at most ${emails(target)} today. The ramp continues with day ${formatCount(day)}.`,
  pause: "Pause warmup",
  pauseEffect:
    "It sends no more warmup emails. What arrives from other mailboxes is still read. The ramp is kept, and you can resume it at any time.",
  reconnect: "Resume warmup",
  reconnectEffect: "The mailbox is connected again, so its warmup continues where it stopped.",
  more: "More warmup actions",
  stop: "Stop warmup…",
  stopTitle: (email: string) => `Stop the warmup of ${email}?`,
  stopEffect:
    "It sends no more warmup emails and leaves those of other mailboxes alone. Its days stay as history. If you start it again, the ramp begins from the first day. To keep the ramp, pause the warmup instead.",
  stopAct: "Stop warmup",
  remove: "Remove from warmup…",
  removeTitle: (email: string) => `Remove ${email} from warmup?`,
  removeEffect:
    "Its warmup stops, and its ramp and settings are deleted. Its days stay as history and show again if you start the warmup anew.",
  removeAct: "Remove from warmup",
  unspam: "Move warmup emails out of Junk…",
  unspamTitle: "Move warmup emails out of Junk?",
  unspamEffect: "Outreach moves the warmup emails that arrived here in the last seven days out of Junk now.",
  unspamAct: "Move out of Junk",
  markImportant: "Read and flag warmup emails…",
  markImportantTitle: "Read and flag warmup emails?",
  markImportantEffect:
    "Outreach reads and flags the warmup emails that arrived here in the last seven days now, instead of a while after they arrived.",
  markImportantAct: "Read and flag",
  today: "Today",
  week: "Last seven days",
  target: "Target",
  sent: "Sent",
  received: "Received",
  read: "Read by partners",
  answered: "Answered",
  inJunk: "In Junk",
  rescued: "Moved out of Junk",
  bounced: "Bounced",
  ofSent: (share: number) => `${formatShare(share)} of sent`,
  day: "Day of the ramp",
  preset: "Preset",
  score: "Reputation score",
  unscored: "not enough results yet",
  ofHundred: (score: number) => `${formatCount(score)} of 100`,
  startedAt: "Started",
  lastBounce: "Last bounce",
  pending: "The rest of today is being planned.",
  chart: "Warmup emails by day",
  chartHint: "Each email counts on the day on which it happened: one that is read tomorrow counts as read tomorrow.",
  nothingYet: "No warmup emails in the last 30 days.",
  settings: "Warmup settings",
  settingsHint: "Saving plans the rest of today again.",
  save: "Save warmup settings",
  saved: "Saved.",
  unchanged: "Nothing changed.",
  readOnly: "Your role cannot change the warmup.",
  pools: "Pools",
  poolsHint:
    "A mailbox exchanges emails with the mailboxes of its pools. The shares add up to at most 100 %. If they add up to less, the rest of the emails is not sent.",
  shared: "Shared pool of this deployment",
  shareOf: (pool: string) => `Share of ${pool}, in percent`,
  tooMuch: (sum: number) => `The shares add up to ${formatShare(sum)}. Lower them to 100 % or less.`,
  savePools: "Save shares",
  savedPools: "Shares saved.",
} as const;

export const PRESET: Record<WarmupPreset, string> = {
  COLD: "New mailbox or domain",
  WARM: "Mailbox that has been in use",
  AGGRESSIVE: "Mailbox that already sends a lot",
  CUSTOM: "Your own ramp",
};

export const WARMUP_LANGUAGE: Record<WarmupLanguage, string> = {
  en: "English",
  de: "German",
  fr: "French",
  es: "Spanish",
};

/** The label of each setting, and what it does. */
export const WARMUP_SETTING: Record<keyof WarmupConfig, { label: string; hint?: string }> = {
  start: { label: "Emails on the first day" },
  increment: { label: "More emails on each later day" },
  max: { label: "Most emails a day", hint: "The daily warmup limit of the mailbox applies too." },
  replyRate: {
    label: "Answers, in percent",
    hint: "The share of its emails that are answers, and of its opening emails that partners answer.",
  },
  weekdaysOnly: { label: "No emails on Saturdays and Sundays" },
  spamRescueRate: {
    label: "Moved out of Junk, in percent",
    hint: "The share of received warmup emails in Junk that are moved to the inbox.",
  },
  importantRate: { label: "Flagged, in percent", hint: "The share of received warmup emails that are flagged." },
  folder: {
    label: "Folder for warmup emails",
    hint: "Emails are moved there once read, and deleted after 30 days. Leave blank to keep them where they arrived.",
  },
  language: { label: "Language of its emails" },
};

/** Why a warmup does not send as much as its ramp says, and what to do. */
export const WHY_LESS = {
  PAUSED: "Paused. What arrives is still read, and the ramp is kept.",
  STOPPED: "Stopped. It neither sends nor reads warmup emails.",
  RECONNECT_REQUIRED:
    "The mailbox lost its connection, so nothing is sent. Connect the mailbox again; its warmup then continues by itself.",
  SUSPENDED:
    "The mailbox is blocked because of its reputation, so nothing is sent. Its warmup continues by itself when the block ends.",
  waits: (status: string) => `The mailbox itself does not send now (${status}), so its warmup waits.`,
  NO_PARTNER:
    "No partner: no mailbox of another domain warms up in its pools, so nothing is sent. Start the warmup of a mailbox of another domain, or choose another pool.",
  unknown: (code: string) => `Nothing is sent: ${code.toLowerCase().replaceAll("_", " ")}.`,
  nothingToday: "It sends no warmup emails today: today is outside its sending hours, or a weekend.",
  campaigns: (target: number) => `It sends campaign emails too, so it sends at most ${emails(target)} of warmup a day.`,
  limit: (limit: number) =>
    limit === 0
      ? "Its daily warmup limit is 0, so it sends no warmup emails. Change it under “Limits and hours”."
      : `Its daily warmup limit allows ${formatCount(limit)} a day. Change it under “Limits and hours”.`,
} as const;

/** Why a warmup in one of these statuses sends nothing. */
export const STILL_WARMUP: Partial<Record<WarmupStatus, string>> = {
  PAUSED: WHY_LESS.PAUSED,
  STOPPED: WHY_LESS.STOPPED,
  RECONNECT_REQUIRED: WHY_LESS.RECONNECT_REQUIRED,
  SUSPENDED: WHY_LESS.SUSPENDED,
};

/** The texts for the warmup of several mailboxes in the list. */
export const manyWarmupWords = {
  start: "Start warmup",
  pause: "Pause warmup",
  resume: "Resume warmup",
  stop: "Stop warmup",
  startEffect: (count: number) =>
    `${counted(count, "mailbox starts", "mailboxes start")} to exchange emails with mailboxes of other domains that warm up too.`,
  pauseEffect: (count: number) =>
    `${counted(count, "mailbox sends", "mailboxes send")} no more warmup emails. What arrives is still read, and each ramp is kept.`,
  resumeEffect: (count: number) =>
    count === 1
      ? "The mailbox continues its ramp where it was paused."
      : `${formatCount(count)} mailboxes continue their ramps where they were paused.`,
  stopEffect: (count: number) =>
    `${counted(count, "mailbox sends", "mailboxes send")} no more warmup emails. If you start them again, each ramp begins from the first day.`,
  done: (count: number) => `Done for ${counted(count, "mailbox", "mailboxes")}.`,
  partly: (done: number, all: number) =>
    `Done for ${formatCount(done)} of ${formatCount(all)} mailboxes. The others changed meanwhile or cannot warm up now.`,
  presetOf: "Ramp",
  each: "For each of them, unless its daily warmup limit is lower:",
} as const;
