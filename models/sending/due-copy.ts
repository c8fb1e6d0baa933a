import { counter, instant, type Owned, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/**
 * A copy of a sent email that is still to be filed in the Sent folder of its mailbox (rules/sending 10.7). It is
 * written in the transaction that records the email as SENT, so that no kill loses it, and deleted once a copy is known
 * to be there.
 */
export interface DueCopy extends Owned {
  mailboxId: string;
  sendId: string;
  leadId: string | null;
  /**
   * What identifies a copy: the Message-IDs of this attempt, and its mark unless an earlier attempt has the same one.
   */
  messageIds: string[];
  mailRef: string | null;
  /** Null once our copy has been filed and only the second look is left. */
  bytes: Buffer | null;
  /**
   * When the folder is checked next. Taking the copy moves this instant, so that no one else files the copy meanwhile.
   */
  dueAt: Date;
  /** How often it was taken. It also tells the worker that took it last from earlier ones. */
  tries: number;
  /** Since when our own copy may be there. A copy found from then on says nothing about the server. */
  appendedAt: Date | null;
}

/** When a mailbox cannot be read for this long, it gets no copies of what it sent before. */
const KEPT_SECONDS = 30 * 24 * 3_600;

export const DueCopy = tenantModel<DueCopy>(
  "DueCopy",
  "due_copies",
  {
    mailboxId: required,
    sendId: required,
    leadId: text,
    messageIds: texts,
    mailRef: text,
    bytes: { type: Buffer, default: null },
    dueAt: { type: Date, required: true },
    tries: counter,
    appendedAt: instant,
  },
  [
    { fields: { mailboxId: 1, dueAt: 1 } },
    { fields: { workspaceId: 1, leadId: 1 } },
    { fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);
