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

/** An email that arrived in a mailbox, or an email that was sent from the mailbox as part of a thread. */
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
  /**
   * The Message-IDs of the earlier emails in the conversation, oldest first. A long list keeps the first and the
   * newest.
   */
  references: string[];
  /** The provider's own id of the conversation, if it has one. */
  providerThreadId: string | null;
  /** The result of SPF, DKIM and DMARC for the From address. */
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
  /** The HTML as it arrived, but without content that no reader sees. It is sanitised whenever it is shown. */
  bodyHtml: string | null;
  replyText: string | null;
  /** How many characters were removed from text and HTML because no reader sees them (rules/mail 11.5). */
  hiddenCharacters: number;
  category: string | null;
  /**
   * The category suggested by the words of a person's reply; null once a person has set one. Absent in messages of
   * earlier versions.
   */
  suggestion?: { category: string; confidence: number } | null;
  /** The email is treated as written by a person, although there were signs of an automatic reply (rules/mail 9.4). */
  isDoubtful: boolean;
  attachments: AttachedFile[];
  recipientId: string | null;
  campaignId: string | null;
  leadId: string | null;
  sendId: string | null;
  stepId: string | null;
  variantId: string | null;
  /** The rule that assigned the message to a recipient, and the value that matched. */
  evidence: { rule: string; value: string | null } | null;
  /** A report that anyone could have forged. It refers to one of our emails without proof, so it had no effect. */
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

/** Emails with a body or files. */
const HAS_BODY = { $or: [{ bodyText: IS_TEXT }, { bodyHtml: IS_TEXT }, { "attachments.id": IS_TEXT }] };
/** The name of the index that finds them by the time at which they were stored. */
export const MESSAGE_BODIES = "bodies";

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
    { fields: { workspaceId: 1, createdAt: 1 }, name: MESSAGE_BODIES, where: HAS_BODY },
    { fields: { "attachments.id": 1 }, where: { "attachments.id": IS_TEXT } },
  ],
);
