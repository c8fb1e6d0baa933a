import type { HadStep } from "../../domain/sequences/graph.ts";
import {
  RECIPIENT_PAUSE_REASONS,
  RECIPIENT_STATUSES,
  type RecipientPauseReason,
  type RecipientStatus,
  STOP_REASONS,
  type StopReason,
} from "../../domain/states.ts";
import {
  counter,
  flag,
  IS_COUNT,
  IS_INSTANT,
  IS_TEXT,
  instant,
  mixed,
  number,
  type Owned,
  oneOf,
  required,
  tenantModel,
  text,
  texts,
} from "../../mongo/schema.ts";

export interface Bounce {
  type: "HARD" | "SOFT";
  reason: string;
  code: string | null;
  diagnostic: string | null;
  /** When someone replied from the address although it had bounced. */
  disputedAt?: Date;
}

export interface ReportedOutcome {
  meetingBooked: boolean;
  revenueAmount: string | null;
  revenueCurrency: string | null;
  at: Date;
}

export interface Recipient extends Owned {
  campaignId: string;
  leadId: string;
  email: string;
  /** Finds the address for a caller who knows only its hash; null once the lead was erased. */
  addressHash: string | null;
  /** The registrable domain of a company; null for free mail. */
  companyDomain: string | null;
  status: RecipientStatus;
  pauseReason: RecipientPauseReason | null;
  /** What the lead lacks while the recipient is paused for MISSING_VARIABLE. */
  missingVariables: string[];
  pausedUntil: Date | null;
  stopReason: StopReason | null;
  currentStepId: string | null;
  nextStepId: string | null;
  nextSendAt: Date | null;
  mailboxId: string | null;
  threadId: string | null;
  timezone: string | null;
  variantByStep: Record<string, string>;
  sentCount: number;
  lastSentAt: Date | null;
  openedAt: Date | null;
  /** When a prefetching privacy proxy first asked for the pixel of an email. */
  proxyOpenedAt: Date | null;
  clickedAt: Date | null;
  repliedAt: Date | null;
  autoRepliedAt: Date | null;
  bouncedAt: Date | null;
  bounce: Bounce | null;
  unsubscribedAt: Date | null;
  cid: string;
  meetingBooked: boolean;
  meetingBookedAt: Date | null;
  revenueAmount: string | null;
  revenueCurrency: string | null;
  /**
   * The amount that purchases have summed up to. Where `revenueAmount` differs, someone has set it by hand, and
   * purchases no longer change it.
   */
  revenueCounted: string | null;
  outcomeNotes: string | null;
  /**
   * The outcome that was reported through its verb, also for held-out people; null when none was (rules/tracking 6.3).
   */
  reportedOutcome: ReportedOutcome | null;
  /** The shard of the campaign's gates that this recipient's claims write. */
  shard: number;
  /** Set while a workflow run should exist. The reconciler restores missing runs from it. */
  admittedAt: Date | null;
  /**
   * When it was first admitted or held out, and the share of people that were held out at that time; null before.
   * Neither ever changes again.
   */
  assignedAt: Date | null;
  assignedShare: number | null;
  /** The fence at which this recipient was refused; null while it is not parked. */
  parkedEpoch: number | null;
  /** The mailbox that cannot send now and for which the recipient waits without a slot; null when it waits for none. */
  awaitedMailboxId: string | null;
  /**
   * When a step was due by its own delay. It is recorded when the step has to wait for a mailbox or for another
   * mailbox.
   */
  due: { stepId: string; at: Date } | null;
  claims: number;
  /** The words that a search may begin with: the address, its domain, and the words of the lead. */
  searchWords: string[];
  /**
   * The steps that it has had, in the order of their instants. They decide where it goes next (rules/campaigns 2.2).
   */
  had: HadStep[];
  /**
   * The ids of our emails in the open thread, oldest first, and the rendered subject that opened it; `providerId` is the
   * id of the thread at the mailbox's provider, if it has one.
   */
  thread: { subject: string; ids: string[]; providerId?: string } | null;
}

/** The names of the indexes that serve lists of recipients. */
export const RECIPIENT_INDEX = {
  newest: "workspaceId_1_campaignId_1__id_-1",
  status: "workspaceId_1_campaignId_1_status_1__id_-1",
  pauseReason: "workspaceId_1_campaignId_1_pauseReason_1__id_-1",
  search: "workspaceId_1_campaignId_1_searchWords_1",
} as const;

/** An instant before all others, so a later value means that the field is set. */
export const NEVER = new Date(0);

export const Recipient = tenantModel<Recipient>(
  "Recipient",
  "recipients",
  {
    campaignId: required,
    leadId: required,
    email: required,
    addressHash: text,
    companyDomain: text,
    status: oneOf(RECIPIENT_STATUSES, "PENDING"),
    pauseReason: oneOf(RECIPIENT_PAUSE_REASONS),
    missingVariables: texts,
    pausedUntil: instant,
    stopReason: oneOf(STOP_REASONS),
    currentStepId: text,
    nextStepId: text,
    nextSendAt: instant,
    mailboxId: text,
    threadId: text,
    timezone: text,
    variantByStep: { type: Object, required: true, default: {} },
    sentCount: counter,
    lastSentAt: instant,
    openedAt: instant,
    proxyOpenedAt: instant,
    clickedAt: instant,
    repliedAt: instant,
    autoRepliedAt: instant,
    bouncedAt: instant,
    bounce: mixed,
    unsubscribedAt: instant,
    cid: required,
    meetingBooked: flag,
    meetingBookedAt: instant,
    revenueAmount: text,
    revenueCurrency: text,
    revenueCounted: text,
    outcomeNotes: text,
    reportedOutcome: mixed,
    shard: { type: Number, required: true },
    admittedAt: instant,
    assignedAt: instant,
    assignedShare: number,
    parkedEpoch: number,
    awaitedMailboxId: text,
    due: mixed,
    claims: counter,
    searchWords: texts,
    had: { type: [Object], required: true, default: [] },
    thread: mixed,
  },
  [
    { fields: { campaignId: 1, email: 1 }, unique: true },
    { fields: { workspaceId: 1, campaignId: 1, _id: -1 } },
    { fields: { workspaceId: 1, campaignId: 1, status: 1, admittedAt: 1, _id: 1 } },
    { fields: { workspaceId: 1, campaignId: 1, status: 1, _id: -1 } },
    { fields: { workspaceId: 1, campaignId: 1, pauseReason: 1, _id: -1 }, where: { pauseReason: { $gt: "" } } },
    { fields: { workspaceId: 1, campaignId: 1, searchWords: 1 } },
    { fields: { workspaceId: 1, email: 1 } },
    { fields: { workspaceId: 1, leadId: 1 } },
    { fields: { workspaceId: 1, addressHash: 1 }, where: { addressHash: IS_TEXT } },
    { fields: { workspaceId: 1, companyDomain: 1, status: 1 }, where: { companyDomain: IS_TEXT } },
    { fields: { campaignId: 1, parkedEpoch: 1 }, where: { parkedEpoch: IS_COUNT } },
    { fields: { workspaceId: 1, awaitedMailboxId: 1, "due.at": 1 }, where: { awaitedMailboxId: IS_TEXT } },
    { fields: { admittedAt: 1, nextSendAt: 1 }, where: { admittedAt: IS_INSTANT } },
    { fields: { cid: 1 }, unique: true },
    // From here on only figures and reports read (docs/decisions/recipient-indexes.md), but for nextSendAt and nextStepId.
    // The metrics count these, and they tell a campaign's next and last email. The indexes contain only recipients that
    // have the instant
    ...(
      [
        "nextSendAt",
        "lastSentAt",
        "openedAt",
        "proxyOpenedAt",
        "clickedAt",
        "repliedAt",
        "autoRepliedAt",
        "bouncedAt",
        "unsubscribedAt",
      ] as const
    ).map((field) => ({
      fields: { workspaceId: 1 as const, campaignId: 1 as const, [field]: 1 as const },
      where: { [field]: { $gt: NEVER } },
    })),
    { fields: { workspaceId: 1, campaignId: 1, meetingBooked: 1 }, where: { meetingBooked: true } },
    { fields: { workspaceId: 1, campaignId: 1, revenueAmount: 1 }, where: { revenueAmount: { $gt: "" } } },
    { fields: { workspaceId: 1, campaignId: 1, stopReason: 1, sentCount: 1 }, where: { stopReason: "REMOVED" } },
    { fields: { workspaceId: 1, campaignId: 1, nextStepId: 1, _id: 1 }, where: { nextStepId: { $gt: "" } } },
    {
      fields: { workspaceId: 1, campaignId: 1, "reportedOutcome.at": 1 },
      where: { "reportedOutcome.at": { $gt: NEVER } },
    },
    // The arms of a hold-out are read from this index. It contains only recipients that were admitted while others were
    // held out
    {
      fields: { workspaceId: 1, campaignId: 1, assignedShare: 1, stopReason: 1 },
      where: { assignedShare: { $gt: 0 } },
    },
  ],
);
