import { instant, mixed, type Owned, oneOf, required, tenantModel, text } from "./schema.ts";

/** A mail that came into a mailbox, read once. */
export interface Message extends Owned {
  mailboxId: string;
  folder: string;
  uidValidity: string;
  uid: number;
  /** SHA-256 of Message-ID, Date and From: the same mail in two folders is one. */
  contentKey: string;
  kind: string;
  rfcMessageId: string | null;
  inReplyTo: string | null;
  from: string | null;
  fromName: string | null;
  subject: string | null;
  receivedAt: Date | null;
  bodyText: string | null;
  replyText: string | null;
  recipientId: string | null;
  campaignId: string | null;
  leadId: string | null;
  sendId: string | null;
  /** Which rule attributed it, and by what. */
  evidence: { rule: string; value: string | null } | null;
  /** The verdict of a bounce about the recipient. */
  bounce: { type: "HARD" | "SOFT"; reason: string; fault: string | null; code: string | null; diagnostic: string } | null;
  unreadable: string | null;
}

export const Message = tenantModel<Message>(
  "Message",
  "messages",
  {
    mailboxId: required,
    folder: required,
    uidValidity: required,
    uid: { type: Number, required: true },
    contentKey: required,
    kind: oneOf(
      ["OWN", "WARMUP", "COMPLAINT", "BOUNCE", "DELAY", "REPORT", "UNSUBSCRIBE", "AUTO_REPLY", "BULK", "REPLY", "OTHER", "UNREADABLE"],
      "OTHER",
    ),
    rfcMessageId: text,
    inReplyTo: text,
    from: text,
    fromName: text,
    subject: text,
    receivedAt: instant,
    bodyText: text,
    replyText: text,
    recipientId: text,
    campaignId: text,
    leadId: text,
    sendId: text,
    evidence: mixed,
    bounce: mixed,
    unreadable: text,
  },
  [
    { fields: { mailboxId: 1, folder: 1, uidValidity: 1, uid: 1 }, unique: true },
    { fields: { mailboxId: 1, contentKey: 1 }, unique: true },
    { fields: { workspaceId: 1, recipientId: 1, _id: -1 } },
    { fields: { mailboxId: 1, kind: 1, _id: -1 } },
    { fields: { workspaceId: 1, campaignId: 1, createdAt: 1 }, where: { kind: "COMPLAINT" } },
  ],
);
