import { type Owned, required, tenantModel, text } from "./schema.ts";

/** How far a folder has been read: `_id` is `<mailboxId>:<folder>`. Moves only after what it passed was ingested. */
export interface MailboxCursor extends Owned {
  mailboxId: string;
  folder: string;
  uidValidity: string;
  lastUid: number;
  highestModseq: string | null;
}

export const MailboxCursor = tenantModel<MailboxCursor>("MailboxCursor", "mailbox_cursors", {
  mailboxId: required,
  folder: required,
  uidValidity: required,
  lastUid: { type: Number, required: true },
  highestModseq: text,
});
