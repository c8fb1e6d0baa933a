import { MINUTE_MS } from "./time/durations.ts";

/**
 * Names, types and limits that the workflows and their activities share. This file imports nothing, because it is part
 * of the workflow bundle.
 */

export interface RecipientIds {
  v: 1;
  workspaceId: string;
  campaignId: string;
  recipientId: string;
}

export interface CampaignIds {
  v: 1;
  workspaceId: string;
  campaignId: string;
}

export interface SendIds {
  v: 1;
  workspaceId: string;
  sendId: string;
}

/** How a step is executed: `mail` over SMTP, `act` only in MongoDB, `post` over HTTP. */
export type StepVerb = "mail" | "act" | "post";

/** The result of one attempt at a step. Instants are in epoch milliseconds. */
export type StepOutcome =
  /** `nextAt` is null if the sequence has ended. `by` says how the next step is executed; absent means `mail`. */
  | { kind: "sent"; nextAt: number | null; next: string | null; by?: StepVerb }
  /** The campaign does not send; the workflow waits until the campaign's epoch is greater than this one. */
  | { kind: "parked"; epoch: number }
  | { kind: "replan"; at: number; why: string; by?: StepVerb }
  /** The step waits for an unknown time. The code that removes the cause signals the workflow. */
  | { kind: "held"; why: string }
  /** The step is due now, but an activity of another kind must execute it. */
  | { kind: "over"; to: StepVerb }
  | { kind: "stop"; reason: string };

/** The result of a single email that someone requested, such as a reply or a test email. */
export type SingleEnd = { kind: "sent"; messageId: string } | { kind: "failed"; reason: string; code: string | null };
/** `later`: another attempt may still be running until `at`, in epoch milliseconds. */
export type SingleOutcome = SingleEnd | { kind: "later"; at: number };

export interface ScheduledReplyIds {
  v: 1;
  workspaceId: string;
  scheduledId: string;
  /** Epoch milliseconds. It never changes. */
  sendAt: number;
}

export type ScheduledOutcome = { kind: "ended"; status: string } | { kind: "later"; at: number };

const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 15 * MINUTE_MS;

/** The limits of one attempt at a step, and how it is retried after temporary faults (rules/sending 5.5). */
export const SEND_STEP = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: {
    initialInterval: FIRST_RETRY_MS,
    backoffCoefficient: 2,
    maximumInterval: LONGEST_RETRY_MS,
    maximumAttempts: 6,
  },
} as const;

/** Milliseconds between a failed attempt and the next one. The first attempt is number 1. */
export function retryDelayMs(attempt: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
}

export const LAST_ATTEMPT = SEND_STEP.retry.maximumAttempts;

/** The limits of a step that is not an email and works only in MongoDB. */
export const ACT_STEP = {
  startToCloseTimeout: "20s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m", maximumAttempts: 20 },
} as const;

/**
 * The limits of a WEBHOOK step: six requests within about a quarter of an hour; after that the sequence continues
 * without it.
 */
export const POST_STEP = { startToCloseTimeout: "30s", retry: SEND_STEP.retry } as const;

/**
 * The limits of activities that only read and write MongoDB. They may wait for the database, but never for a person.
 */
export const RECORDS = {
  startToCloseTimeout: "5m",
  heartbeatTimeout: "15s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" },
} as const;

export const QUEUES = ["engine", "smtp", "imap", "webhook", "feed", "jobs"] as const;
export type Queue = (typeof QUEUES)[number];

/**
 * What happens to the open runs of each workflow when another version of the workers becomes current.
 *
 * AUTO_UPGRADE: a run continues on the current version, so every change of its code must keep its history replayable.
 * PINNED: a run ends on the version on which it began. It is for workflows that make one short request while a caller
 * waits. If the workers of that version end first, the run ends with PINNED_TIMEOUT, and the caller repeats the request.
 */
export const VERSIONING = {
  agentReply: "AUTO_UPGRADE",
  listAgentModels: "PINNED",
  campaign: "AUTO_UPGRADE",
  checkTrackingDomain: "PINNED",
  dailyDnsChecks: "AUTO_UPGRADE",
  verifyMailboxDns: "AUTO_UPGRADE",
  job: "AUTO_UPGRADE",
  mailboxFreed: "AUTO_UPGRADE",
  mailboxSync: "AUTO_UPGRADE",
  placementTest: "AUTO_UPGRADE",
  recipient: "AUTO_UPGRADE",
  askLeadSearch: "PINNED",
  askStripe: "PINNED",
  connectCalendar: "PINNED",
  connectConsent: "PINNED",
  connectCrm: "PINNED",
  readCalendar: "PINNED",
  readCrmSegments: "PINNED",
  readSheet: "PINNED",
  revokeGrant: "AUTO_UPGRADE",
  scoreContents: "PINNED",
  syncBilling: "AUTO_UPGRADE",
  testConnection: "PINNED",
  testConnections: "PINNED",
  countDays: "AUTO_UPGRADE",
  judgeMailboxes: "AUTO_UPGRADE",
  mailAgencyReports: "AUTO_UPGRADE",
  refreshAudiences: "AUTO_UPGRADE",
  syncCrm: "AUTO_UPGRADE",
  writeCrmBack: "AUTO_UPGRADE",
  scheduledReply: "AUTO_UPGRADE",
  singleSend: "AUTO_UPGRADE",
  planWarmup: "AUTO_UPGRADE",
  warmup: "AUTO_UPGRADE",
  deliverWebhook: "AUTO_UPGRADE",
  feedWebhook: "AUTO_UPGRADE",
} as const satisfies Record<string, "AUTO_UPGRADE" | "PINNED">;

/** Longer than any PINNED workflow works. */
export const PINNED_TIMEOUT = "2m";

/** Whether the open runs of a workflow stay on the version on which they began. */
export function isPinned(workflow: string): boolean {
  return Object.entries(VERSIONING).some(([name, behavior]) => name === workflow && behavior === "PINNED");
}
