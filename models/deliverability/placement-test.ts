import { PLACEMENT_STATUSES, type PlacementStatus } from "../../domain/deliverability/placement.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import {
  counter,
  IS_TEXT,
  instant,
  number,
  type Owned,
  oneOf,
  required,
  tenantModel,
  text,
  texts,
} from "../../mongo/schema.ts";

/**
 * A test of where the emails of some mailboxes land: each sends one email to each test mailbox (rules/deliverability
 * 6).
 */
export interface PlacementTest extends Owned {
  name: string;
  status: PlacementStatus;
  /** The senders. */
  mailboxIds: string[];
  testMailboxIds: string[];
  /** The campaign whose text is sent; null: our own short text. */
  campaignId: string | null;
  stepId: string | null;
  variantId: string | null;
  /** How many emails it has. */
  mails: number;
  /** Shares of the emails whose folder is known; null while none is. */
  inboxRate: number | null;
  spamRate: number | null;
  missingRate: number | null;
  /**
   * The plan or approval that created the test. A second run of the same plan or approval finds this test instead of
   * creating another.
   */
  requestKey: string | null;
  /** The day or week for which the schedule created it; null when a person or an agent did. */
  period: string | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

export const PlacementTest = tenantModel<PlacementTest>(
  "PlacementTest",
  "placement_tests",
  {
    name: required,
    status: oneOf(PLACEMENT_STATUSES, "QUEUED"),
    mailboxIds: texts,
    testMailboxIds: texts,
    campaignId: text,
    stepId: text,
    variantId: text,
    mails: counter,
    inboxRate: number,
    spamRate: number,
    missingRate: number,
    requestKey: text,
    period: text,
    startedAt: instant,
    finishedAt: instant,
  },
  [
    { fields: { workspaceId: 1, _id: -1 } },
    { fields: { workspaceId: 1, status: 1, _id: -1 } },
    { fields: { workspaceId: 1, requestKey: 1 }, unique: true, where: { requestKey: IS_TEXT } },
    { fields: { workspaceId: 1, period: 1 }, unique: true, where: { period: IS_TEXT } },
    // The reconciler finds stalled tests of all workspaces in this index
    { fields: { updatedAt: 1 }, name: "under_way", where: { status: { $in: ["QUEUED", "RUNNING"] } } },
    { fields: { createdAt: 1 }, expireAfterSeconds: 400 * DAY_SECONDS },
  ],
);
