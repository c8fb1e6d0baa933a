import type { Brand } from "../../domain/access/brand.ts";
import type { Suspension } from "../../domain/access/suspension.ts";
import type { OwnDeliverability } from "../../domain/alert-thresholds.ts";
import type { Retention, RetentionRound } from "../../domain/evidence/retention.ts";
import type { VerificationSettings } from "../../domain/verification.ts";
import {
  type Base,
  counter,
  flag,
  globalModel,
  IS_INSTANT,
  IS_TEXT,
  instant,
  mixed,
  number,
  required,
  text,
} from "../../mongo/schema.ts";
import type { TrackingDomain } from "../mailboxes/mailbox.ts";

export interface Workspace extends Base {
  name: string;
  ownerEmail: string;
  ownerId: string;
  /** Appears in the footer of campaign email (rules/mail 4.8). */
  postalAddress: string | null;
  timezone: string;
  /** The currency of the workspace's deals, as an ISO 4217 code. */
  currency: string;
  /** The kill switch (rules/states 2.4). */
  isSuspended: boolean;
  /** The operator's stop, which the workspace cannot end (rules/access 7.1). Absent in workspaces of earlier versions. */
  suspension?: Suspension | null;
  /** When the operator last ended a suspension: emails from before no longer count (rules/access 8.3). */
  judgedFrom?: Date | null;
  /**
   * Since when a workspace of someone who signed up, or a client of such a workspace, has been good. It stays once the
   * workspace is no longer new (rules/access 8.4); null in all other workspaces.
   */
  newSince?: Date | null;
  /** The workspace whose credential created this one; null when no other workspace did (rules/access 1.6). */
  parentWorkspaceId: string | null;
  /** The tracking domain for mailboxes that have none of their own. It is also the domain that clients see. */
  trackingDomain: TrackingDomain | null;
  portalDomain: TrackingDomain | null;
  /**
   * Name and colours of the pages under the workspace's own host names. Null: the workspace's name and our default
   * colours.
   */
  portal: Brand | null;
  /** The deliverability settings that the workspace has changed. The others have their defaults. */
  deliverability: OwnDeliverability;
  /** The address verification settings that the workspace has changed. The others have their defaults. */
  verification: Partial<VerificationSettings>;
  /** Whether tracked emails carry a link that only programs follow (rules/tracking 1.6). */
  honeypotLink: boolean;
  /**
   * The confidence from which a suggested category that shows interest is set automatically (rules/states 5.9). Null: a
   * person must always set it.
   */
  acceptSuggestedFrom: number | null;
  /** Whether members need a second factor. */
  needsSecondFactor: boolean;
  /**
   * Whether owners and administrators get a weekly email about the results of the workspace's clients. `reportedWeek`
   * is the last week for which it was sent.
   */
  weeklyReport: boolean;
  reportedWeek: string | null;
  /** The paid plan, as it was last read from Stripe; null without one. Only billing writes it (rules/billing 2.1). */
  plan: { id: string; seats: number; isEnding: boolean } | null;
  /** For how many days kinds of data are kept. Null or absent: as long as without a setting. */
  retention?: Retention | null;
  /** When the next turn of its daily round is due; null without a retention. */
  retentionDueAt?: Date | null;
  retentionRound?: RetentionRound | null;
  /** When the workspace was deleted. Its documents are purged 30 days later. */
  deletedAt: Date | null;
  /** Set while a process purges the workspace: other processes leave the workspace alone until this instant. */
  purgingUntil: Date | null;
  /**
   * Counts the changes that start or resume a campaign. Such a change and the kill switch both write this field, so
   * when they happen at the same time, one of the two transactions fails with a write conflict.
   */
  openings: number;
}

export const Workspace = globalModel<Workspace>(
  "Workspace",
  "workspaces",
  {
    name: required,
    ownerEmail: required,
    ownerId: required,
    postalAddress: text,
    timezone: { type: String, required: true, default: "UTC" },
    currency: { type: String, required: true, default: "USD" },
    isSuspended: flag,
    suspension: mixed,
    judgedFrom: instant,
    newSince: instant,
    parentWorkspaceId: text,
    trackingDomain: mixed,
    portalDomain: mixed,
    portal: mixed,
    deliverability: { type: Object, required: true, default: {} },
    verification: { type: Object, required: true, default: {} },
    honeypotLink: flag,
    acceptSuggestedFrom: number,
    needsSecondFactor: flag,
    weeklyReport: flag,
    reportedWeek: text,
    plan: mixed,
    retention: mixed,
    retentionDueAt: instant,
    retentionRound: mixed,
    deletedAt: instant,
    purgingUntil: instant,
    openings: counter,
  },
  [
    { fields: { parentWorkspaceId: 1 }, where: { parentWorkspaceId: IS_TEXT } },
    { fields: { "trackingDomain.domain": 1 }, where: { "trackingDomain.domain": IS_TEXT } },
    { fields: { "portalDomain.domain": 1 }, where: { "portalDomain.domain": IS_TEXT } },
    { fields: { retentionDueAt: 1 }, where: { retentionDueAt: IS_INSTANT } },
    { fields: { deletedAt: 1 }, where: { deletedAt: IS_INSTANT } },
  ],
);
