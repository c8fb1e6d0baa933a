import type { Sealed } from "../../domain/access/seal.ts";
import type { HeaderSurvival } from "../../domain/mail/header-survival.ts";
import type { MailboxHealth } from "../../domain/mailboxes/band.ts";
import type { DnsChecks, VerificationState } from "../../domain/mailboxes/dns-check.ts";
import type {
  OverriddenRest,
  ProviderPause,
  RestReason,
  TrialAfterRest,
} from "../../domain/mailboxes/refusal-evidence.ts";
import type { SentFiling, SentFolder } from "../../domain/mailboxes/sent-filing.ts";
import type { MailServer } from "../../domain/mailboxes/server.ts";
import type { TrackingState } from "../../domain/mailboxes/tracking-domain.ts";
import { TRANSPORTS, type Transport } from "../../domain/mailboxes/transport.ts";
import { MAILBOX_STATUSES, type MailboxStatus } from "../../domain/states.ts";
import {
  counter,
  IS_TEXT,
  instant,
  mixed,
  number,
  type Owned,
  oneOf,
  required,
  secret,
  tenantModel,
  text,
  texts,
} from "../../mongo/schema.ts";

export interface TrackingDomain {
  domain: string;
  status: Exclude<TrackingState, "NONE">;
  expectedCname: string;
  checkedAt: Date | null;
  error: string | null;
  /** Daily checks in a row that found a fault. */
  failedChecks: number;
}

export interface Verification {
  status: VerificationState;
  checks: { [K in keyof DnsChecks]: DnsChecks[K] | null };
  checkedAt: Date | null;
}

export interface Mailbox extends Owned {
  email: string;
  name: string | null;
  provider: "SMTP" | "PROVIDERA" | "PROVIDERB";
  /** Mailboxes of earlier versions have none and use SMTP and IMAP. */
  transport?: Transport;
  status: MailboxStatus;
  statusReason: string | null;
  dailySendLimit: number;
  warmupDailyLimit: number;
  minGapSeconds: number | null;
  maxGapSeconds: number | null;
  workday: { timezone: string; days: number[]; from: string; to: string } | null;
  signatureHtml: string | null;
  replyTo: string | null;
  saveToSent: boolean;
  /** Null before the first look at the server's folders. */
  sentFolder: SentFolder | null;
  sentFiling: SentFiling | null;
  tags: string[];
  smtp: MailServer;
  imap: MailServer;
  /** The user name at both servers: the address, unless another one was given. */
  username: string;
  /** The user name at the SMTP server, if it is a different one. */
  smtpUsername: string | null;
  /** Null once the mailbox is disconnected. */
  sealedPassword: Sealed | null;
  /** The consent (`mailbox_grants`) that logs in instead of a password. */
  grantId: string | null;
  /** Null when none was set or it was detached. */
  trackingDomain: TrackingDomain | null;
  /** Null when not checked yet. */
  verification: Verification | null;
  /** Selectors seen in signatures of the mailbox's own email. DKIM keys are looked for there first. */
  dkimSelectors: string[];
  /** When its provider last said that it may send as its address; null when it was not asked (rules/sending 5.12). */
  senderCheckedAt: Date | null;
  /** What of its emails arrives as it was written, by its last probe email; null when it is not known. */
  headerSurvival: (HeaderSurvival & { at: Date }) | null;
  lastSyncAt: Date | null;
  lastError: { code: string; message: string; at: Date } | null;
  /** No campaign email is sent before this instant: the gap after the last one (rules/sending 2.3). */
  nextAt: Date | null;
  /** The campaign that set this gap; null when it is the mailbox's own gap. */
  nextAtBy: string | null;
  /** No email at all is sent before this instant: the provider's limit per minute (rules/sending 2.4). */
  paceAt: Date | null;
  /**
   * Log-ins refused since the last success (rules/sending 10.3), host failures in a row, and when the circuit breaker
   * closes.
   */
  authFailures: number;
  hostFailures: number;
  retryAt: Date | null;
  /** How many attempts in a row the reading server did not answer. Mailboxes of earlier versions have none. */
  readFailures?: number;
  /** How often the mailbox cooled down without a good day in between. The pause doubles from 24 h up to 7 d. */
  coolDowns: number;
  rateRefusals: number;
  /** Why it cooled down last; null once it has not. */
  restReason: RestReason | null;
  /** Set from a cool-down until an organisation accepts an email again; otherwise null. */
  trial: TrialAfterRest | null;
  /** Attempts up to this instant have already led to a decision and no longer count. */
  refusalsSince: Date | null;
  pausedProviders: ProviderPause[];
  /**
   * Increases when recipients must be checked again before they get an email. A claim with an earlier number is
   * refused.
   */
  refusalTurn: number;
  /** Null unless a person resumed it from its last cool-down. */
  overridden: OverriddenRest | null;
  /**
   * Since then the mailbox may send sooner or more, and some recipients that waited for that have not been woken yet.
   * Null when all have.
   */
  freedAt: Date | null;
  /** Null when it was never judged. Mailboxes of earlier versions have none. */
  health: MailboxHealth | null;
  /** Warmup emails that its days leave room for (rules/health 4.1); 0 without warmup. */
  warmupTarget: number;
  /** Campaign emails a day that it has reached since it became warm (rules/warmup 6.2); null: no such limit. */
  coldLimit: number | null;
}

const server = { type: Object, required: true };

export const Mailbox = tenantModel<Mailbox>(
  "Mailbox",
  "mailboxes",
  {
    email: required,
    name: text,
    provider: oneOf(["SMTP", "PROVIDERA", "PROVIDERB"], "SMTP"),
    transport: oneOf(TRANSPORTS, "SMTP_IMAP"),
    status: oneOf(MAILBOX_STATUSES, "CONNECTED"),
    statusReason: text,
    dailySendLimit: { type: Number, required: true, default: 50 },
    warmupDailyLimit: { type: Number, required: true, default: 20 },
    minGapSeconds: number,
    maxGapSeconds: number,
    workday: mixed,
    signatureHtml: text,
    replyTo: text,
    saveToSent: { type: Boolean, required: true, default: true },
    sentFolder: mixed,
    sentFiling: mixed,
    tags: texts,
    smtp: server,
    imap: server,
    username: required,
    smtpUsername: text,
    sealedPassword: secret,
    grantId: text,
    trackingDomain: mixed,
    verification: mixed,
    dkimSelectors: texts,
    senderCheckedAt: instant,
    headerSurvival: mixed,
    lastSyncAt: instant,
    lastError: mixed,
    nextAt: instant,
    nextAtBy: text,
    paceAt: instant,
    authFailures: counter,
    hostFailures: counter,
    readFailures: counter,
    retryAt: instant,
    coolDowns: counter,
    rateRefusals: counter,
    restReason: mixed,
    trial: mixed,
    refusalsSince: instant,
    pausedProviders: { type: [Object], required: true, default: [] },
    refusalTurn: counter,
    overridden: mixed,
    freedAt: instant,
    health: mixed,
    warmupTarget: counter,
    coldLimit: number,
  },
  [
    { fields: { workspaceId: 1, email: 1 }, unique: true },
    { fields: { workspaceId: 1, _id: -1 } },
    { fields: { status: 1, retryAt: 1 } },
    { fields: { "trackingDomain.domain": 1 }, where: { "trackingDomain.domain": IS_TEXT } },
  ],
);
