import type { Address } from "../../domain/mail/inbound.ts";
import {
  counter,
  flag,
  IS_COUNT,
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

/** A file of a message. `id` names its content in the file store; `size` is in octets. */
export interface AttachedFile {
  id: string;
  fileName: string;
  contentType: string;
  size: number;
  sha256: string;
}

export const INBOUND_KINDS = [
  "OWN",
  "WARMUP",
  "COMPLAINT",
  "BOUNCE",
  "DELAY",
  "REPORT",
  "UNSUBSCRIBE",
  "AUTO_REPLY",
  "BULK",
  "REPLY",
  "OTHER",
  "UNREADABLE",
] as const;
export const OUTBOUND_KINDS = ["CAMPAIGN", "MANUAL", "SCHEDULED", "AGENT"] as const;

/** An email that arrived in a mailbox, which is read once, or an email that was sent from it as part of a thread. */
export interface Message extends Owned {
  mailboxId: string;
  /** Null when the message is in no thread, as reports, warmup emails and copies of our own emails are. */
  threadId: string | null;
  direction: "INBOUND" | "OUTBOUND";
  /** The folder in which it was read; null for email that we sent ourselves. */
  folder: string | null;
  uidValidity: string | null;
  uid: number | null;
  /**
   * The SHA-256 of Message-ID, Date and From, so that the same email in two folders is one message. For email that we
   * sent ourselves it is `sent:<sendId>`.
   */
  contentKey: string;
  kind: (typeof INBOUND_KINDS)[number] | (typeof OUTBOUND_KINDS)[number];
  rfcMessageId: string | null;
  inReplyTo: string | null;
  /** The ids of the chain that it continues, oldest first. A long chain keeps the first and the newest. */
  references: string[];
  /** The provider's own id of the conversation, if it has one. */
  providerThreadId: string | null;
  /** What SPF, DKIM and DMARC said about the From address. */
  authentication: "PASS" | "FAIL" | "NONE";
  from: string | null;
  fromName: string | null;
  /** The Reply-To address, when it is not `from`. */
  replyTo: string | null;
  to: Address[];
  cc: Address[];
  subject: string | null;
  receivedAt: Date | null;
  bodyText: string | null;
  /** Stored as it arrived, without what no reader sees. It is cleaned whenever it is shown. */
  bodyHtml: string | null;
  replyText: string | null;
  /** How many characters were removed from text and HTML because no reader sees them (rules/mail 11.5). */
  hiddenCharacters: number;
  category: string | null;
  /**
   * The category that the words of a person's reply suggest, until a person sets one. Absent in messages of earlier
   * versions.
   */
  suggestion?: { category: string; confidence: number } | null;
  /** Treated as a person's email, although there were signs of a machine (rules/mail 9.4). */
  isDoubtful: boolean;
  attachments: AttachedFile[];
  recipientId: string | null;
  campaignId: string | null;
  leadId: string | null;
  sendId: string | null;
  stepId: string | null;
  variantId: string | null;
  /** The rule that attributed the message, and the value by which it did. */
  evidence: { rule: string; value: string | null } | null;
  /** A report that anyone could have written: it refers to one of our emails without proof, and had no effect. */
  isDisputed: boolean;
  /** What a bounce says about the recipient. */
  bounce: {
    type: "HARD" | "SOFT";
    reason: string;
    fault: string | null;
    code: string | null;
    diagnostic: string;
  } | null;
  unreadable: string | null;
}

const addresses = { type: [{ _id: false, name: String, address: String }], required: true, default: [] };

export const Message = tenantModel<Message>(
  "Message",
  "messages",
  {
    mailboxId: required,
    threadId: text,
    direction: oneOf(["INBOUND", "OUTBOUND"], "INBOUND"),
    folder: text,
    uidValidity: text,
    uid: number,
    contentKey: required,
    kind: oneOf([...INBOUND_KINDS, ...OUTBOUND_KINDS], "OTHER"),
    rfcMessageId: text,
    inReplyTo: text,
    references: texts,
    providerThreadId: text,
    authentication: oneOf(["PASS", "FAIL", "NONE"], "NONE"),
    from: text,
    fromName: text,
    replyTo: text,
    to: addresses,
    cc: addresses,
    subject: text,
    receivedAt: instant,
    bodyText: text,
    bodyHtml: text,
    replyText: text,
    hiddenCharacters: counter,
    category: text,
    suggestion: mixed,
    isDoubtful: flag,
    attachments: { type: [{}], required: true, default: [] },
    recipientId: text,
    campaignId: text,
    leadId: text,
    sendId: text,
    stepId: text,
    variantId: text,
    evidence: mixed,
    isDisputed: { type: Boolean, required: true, default: false },
    bounce: mixed,
    unreadable: text,
  },
  [
    { fields: { mailboxId: 1, folder: 1, uidValidity: 1, uid: 1 }, unique: true, where: { uid: IS_COUNT } },
    { fields: { mailboxId: 1, contentKey: 1 }, unique: true },
    { fields: { workspaceId: 1, recipientId: 1, _id: -1 }, name: "of_recipient", where: { recipientId: IS_TEXT } },
    { fields: { mailboxId: 1, kind: 1, _id: -1 }, name: "reports", where: { kind: { $in: ["BOUNCE", "COMPLAINT"] } } },
    { fields: { mailboxId: 1, rfcMessageId: 1 }, where: { rfcMessageId: IS_TEXT } },
    { fields: { mailboxId: 1, providerThreadId: 1 }, where: { providerThreadId: IS_TEXT } },
    { fields: { threadId: 1, receivedAt: -1, _id: -1 }, where: { threadId: IS_TEXT } },
    { fields: { workspaceId: 1, campaignId: 1, createdAt: 1 }, where: { kind: "COMPLAINT" } },
    { fields: { "attachments.id": 1 }, where: { "attachments.id": IS_TEXT } },
  ],
);
