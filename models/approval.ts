import { counter, IS_TEXT, instant, number, type Owned, oneOf, tenantModel, text } from "../mongo/schema.ts";

export const APPROVAL_KINDS = ["REPLY", "OPT_OUT", "CAMPAIGN_SEND"] as const;
export const APPROVAL_STATUSES = ["PENDING", "APPROVED", "REJECTED", "EXPIRED", "SENT", "FAILED"] as const;

/** Something that a person must decide before it is done. */
export interface Approval extends Owned {
  kind: (typeof APPROVAL_KINDS)[number];
  status: (typeof APPROVAL_STATUSES)[number];
  threadId: string | null;
  /** The mail that caused the request. */
  messageId: string | null;
  campaignId: string | null;
  recipientId: string | null;
  stepId: string | null;
  /** The text that would be sent, or the words that were read. */
  proposedText: string | null;
  /** A hash of the whole mail that a CAMPAIGN_SEND approves. A mail with other content needs another approval. */
  contentHash: string | null;
  reason: string | null;
  /** From 0 to 1. */
  confidence: number | null;
  expiresAt: Date;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** The Message-ID of the mail that was sent. */
  sentMessageId: string | null;
  claims: number;
}

export const Approval = tenantModel<Approval>(
  "Approval",
  "approvals",
  {
    kind: oneOf(APPROVAL_KINDS, "REPLY"),
    status: oneOf(APPROVAL_STATUSES, "PENDING"),
    threadId: text,
    messageId: text,
    campaignId: text,
    recipientId: text,
    stepId: text,
    proposedText: text,
    contentHash: text,
    reason: text,
    confidence: number,
    expiresAt: { type: Date, required: true },
    decidedBy: text,
    decidedAt: instant,
    sentMessageId: text,
    claims: counter,
  },
  [
    { fields: { workspaceId: 1, status: 1, _id: -1 } },
    { fields: { workspaceId: 1, recipientId: 1, status: 1 }, where: { recipientId: IS_TEXT } },
    { fields: { expiresAt: 1 }, where: { status: "PENDING" } },
  ],
);
