import { counter, instant, type Owned, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/**
 * A copy of a sent email that must still be saved to the Sent folder of its mailbox (rules/sending 10.7). It is written
 * in the transaction that records the email as SENT, so it survives a crash. It is deleted once a copy is known to be
 * in the folder.
 */
export interface DueCopy extends Owned {
  mailboxId: string;
  sendId: string;
  leadId: string | null;
  /**
   * What identifies a copy in the folder: the Message-IDs of this attempt, and the mail reference unless an earlier
   * attempt has the same one.
   */
  messageIds: string[];
  mailRef: string | null;
  /** The email; null once our copy has been saved and only the second check of the folder is left. */
  bytes: Buffer | null;
  /**
   * When the folder is checked next. A worker that takes the copy moves this instant, so that no other worker saves the
   * copy meanwhile.
   */
  dueAt: Date;
  /** How often the copy was taken. The number also distinguishes the worker that took it last from earlier ones. */
  tries: number;
  /**
   * Since when our own copy may be in the folder. A copy found after that does not show that the server saves copies
   * itself.
   */
  appendedAt: Date | null;
}

/** A mailbox that cannot be read for this long gets no copies of the emails that it sent before. */
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
