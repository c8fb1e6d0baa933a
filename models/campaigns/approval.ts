import type { Sealed } from "../../domain/access/seal.ts";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "../../domain/states.ts";
import {
  counter,
  IS_TEXT,
  instant,
  mixed,
  number,
  type Owned,
  oneOf,
  tenantModel,
  text,
  texts,
} from "../../mongo/schema.ts";

/** A decision that a person must make before the action is carried out. */
export interface Approval extends Owned {
  kind: (typeof APPROVAL_KINDS)[number];
  status: (typeof APPROVAL_STATUSES)[number];
  threadId: string | null;
  /** The email that caused the request. */
  messageId: string | null;
  campaignId: string | null;
  recipientId: string | null;
  stepId: string | null;
  /** The text that would be sent, or the words of the reply that the question is about. */
  proposedText: string | null;
  /** A hash of the whole email that a CAMPAIGN_SEND approves. An email with other content needs another approval. */
  contentHash: string | null;
  reason: string | null;
  /** From 0 to 1. */
  confidence: number | null;
  /** Null for an OPT_OUT, which waits until someone decides. */
  expiresAt: Date | null;
  decidedBy: string | null;
  decidedAt: Date | null;
  /** The Message-ID of the email that was sent. */
  sentMessageId: string | null;
  claims: number;
  /** What a credential asked to send; null for all other questions. Absent in approvals of earlier versions. */
  request?: SendRequest | null;
  /** What identifies the call that asked: its idempotency key, or the plan whose token the call contained. */
  requestKeys?: string[];
  /** The recipient addresses that `effect` shows. When one of them is erased, the request and its text are emptied. */
  addresses?: string[];
  /** Increases whenever the question changes. */
  version?: number;
  /** Why it became FAILED. */
  error?: { code: string; message: string } | null;
  note?: string | null;
  /** For an OPT_OUT: the recipients that it paused. */
  pausedRecipients?: string[];
  /** For an OPT_OUT: how a model interprets the words. The suggestion decides nothing. */
  suggestion?: { optsOut: boolean; confidence: number; reasons: string[] } | null;
}

export interface SendRequest {
  /** The name of the operation, and its input as encrypted JSON. Earlier versions stored the JSON unencrypted. */
  verb: string;
  fields: Sealed | string;
  /** A digest of the fields, and a digest of the effect that is shown to the person. */
  asked: string;
  digest: string;
  effect: Record<string, unknown>;
  credentialId: string;
  /** The daily budget of that credential at the time of the request; null: none. */
  limit: number | null;
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
    expiresAt: instant,
    decidedBy: text,
    decidedAt: instant,
    sentMessageId: text,
    claims: counter,
    request: mixed,
    requestKeys: texts,
    addresses: texts,
    version: { type: Number, required: true, default: 1 },
    error: mixed,
    note: text,
    pausedRecipients: texts,
    suggestion: mixed,
  },
  [
    { fields: { workspaceId: 1, requestKeys: 1 }, unique: true, where: { requestKeys: IS_TEXT } },
    { fields: { workspaceId: 1, addresses: 1 }, where: { addresses: IS_TEXT } },
    { fields: { workspaceId: 1, campaignId: 1, status: 1, _id: -1 }, where: { campaignId: IS_TEXT } },
    { fields: { workspaceId: 1, status: 1, _id: -1 } },
    { fields: { workspaceId: 1, recipientId: 1, status: 1 }, where: { recipientId: IS_TEXT } },
    { fields: { workspaceId: 1, threadId: 1, status: 1 }, where: { threadId: IS_TEXT } },
    { fields: { expiresAt: 1 }, where: { status: "PENDING" } },
    { fields: { createdAt: 1 }, name: "open_questions", where: { status: "PENDING", kind: "OPT_OUT" } },
  ],
);
