import type { Brand } from "../../domain/access/brand.ts";
import type { OwnDeliverability } from "../../domain/alert-thresholds.ts";
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
  /** ISO 4217. The currency of its deals. */
  currency: string;
  /** The kill switch (rules/states 2.4). */
  isSuspended: boolean;
  /** The workspace whose credential created this one; null when no other workspace did (rules/access 1.6). */
  parentWorkspaceId: string | null;
  /** Mailboxes without a tracking domain of their own use this one. It is also the domain that clients see. */
  trackingDomain: TrackingDomain | null;
  portalDomain: TrackingDomain | null;
  /** Name and colours of the pages under the workspace's own host names; null: its name, and our colours. */
  portal: Brand | null;
  /** The deliverability settings that it has changed. The others have their defaults. */
  deliverability: OwnDeliverability;
  /** The settings for verifying addresses that it has changed. The others have their defaults. */
  verification: Partial<VerificationSettings>;
  /** Whether tracked emails carry a link that only programs follow (rules/tracking 1.6). */
  honeypotLink: boolean;
  /**
   * From this confidence on, a suggested category that shows interest is set without a person (rules/states 5.9); null:
   * never.
   */
  acceptSuggestedFrom: number | null;
  /** Whether members need a second factor. */
  needsSecondFactor: boolean;
  /**
   * Whether owners and administrators get a weekly email about the results of its clients, and the last week that they
   * received.
   */
  weeklyReport: boolean;
  reportedWeek: string | null;
  /** The paid plan, as it was last read; null without one. Only billing writes it (rules/billing 2.1). */
  plan: { id: string; seats: number; isEnding: boolean } | null;
  /** When it was deleted; its documents are purged 30 days later. */
  deletedAt: Date | null;
  /** While a process purges it: until when other processes leave it alone. */
  purgingUntil: Date | null;
  /**
   * Counts the changes that open a campaign. When an opening and the kill switch happen at the same time, one of them
   * conflicts with the other's write here.
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
    deletedAt: instant,
    purgingUntil: instant,
    openings: counter,
  },
  [
    { fields: { parentWorkspaceId: 1 }, where: { parentWorkspaceId: IS_TEXT } },
    { fields: { "trackingDomain.domain": 1 }, where: { "trackingDomain.domain": IS_TEXT } },
    { fields: { "portalDomain.domain": 1 }, where: { "portalDomain.domain": IS_TEXT } },
    { fields: { deletedAt: 1 }, where: { deletedAt: IS_INSTANT } },
  ],
);
