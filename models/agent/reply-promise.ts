import { IS_TEXT, instant, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** TIME: the person is to be contacted again at an instant. REFERRAL: someone else is to be contacted instead. */
export const PROMISE_KINDS = ["TIME", "REFERRAL"] as const;
/** PENDING until it is due, or a person decides about a referral. */
export const PROMISE_STATUSES = ["PENDING", "DUE", "CANCELLED", "ACCEPTED"] as const;

/** What a person announced in an email, with the sentence that says so (rules/agent 5). */
export interface ReplyPromise extends Owned {
  kind: (typeof PROMISE_KINDS)[number];
  status: (typeof PROMISE_STATUSES)[number];
  threadId: string;
  messageId: string;
  leadId: string | null;
  campaignId: string | null;
  recipientId: string | null;
  sentence: string;
  /** The address of the person who announced it, who may not be the lead. Absent in promises of earlier versions. */
  saidBy?: string | null;
  foundBy: "RULES" | "MODEL";
  /** For a TIME: when it is due. */
  dueAt: Date | null;
  /** For a REFERRAL: the person to contact. */
  address: string | null;
  /** The lead that was created from a referral. */
  proposedLeadId: string | null;
  decidedBy: string | null;
  decidedAt: Date | null;
}

export const ReplyPromise = tenantModel<ReplyPromise>(
  "ReplyPromise",
  "promises",
  {
    kind: oneOf(PROMISE_KINDS, "TIME"),
    status: oneOf(PROMISE_STATUSES, "PENDING"),
    threadId: required,
    messageId: required,
    leadId: text,
    campaignId: text,
    recipientId: text,
    sentence: required,
    saidBy: text,
    foundBy: oneOf(["RULES", "MODEL"], "RULES"),
    dueAt: instant,
    address: text,
    proposedLeadId: text,
    decidedBy: text,
    decidedAt: instant,
  },
  [
    { fields: { workspaceId: 1, status: 1, dueAt: 1, _id: 1 } },
    { fields: { workspaceId: 1, leadId: 1, _id: -1 }, where: { leadId: IS_TEXT } },
    { fields: { workspaceId: 1, proposedLeadId: 1 }, where: { proposedLeadId: IS_TEXT } },
    { fields: { workspaceId: 1, threadId: 1 } },
    // Each promise of an email is stored once, even if rules and model both find it
    { fields: { workspaceId: 1, messageId: 1, kind: 1, sentence: 1 }, unique: true },
    { fields: { dueAt: 1 }, name: "due", where: { status: "PENDING", kind: "TIME" } },
  ],
);
