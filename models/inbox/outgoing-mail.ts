import type { OutgoingFile } from "../../domain/mail/outgoing-file.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { flag, IS_TEXT, type Owned, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/** The content of an email that a person asked for. `_id` is the id of its send; the workflow of that send reads it. */
export interface OutgoingMail extends Owned {
  kind: "TEST" | "REPLY" | "PROBE" | "PLACEMENT";
  mailboxId: string;
  to: string;
  toName: string | null;
  cc: string[];
  bcc: string[];
  attachments: OutgoingFile[];
  subject: string;
  html: string | null;
  text: string;
  /** The Message-ID of the email that this one answers, and the Message-IDs of the conversation before it. */
  inReplyTo: string | null;
  references: string[];
  /** Further addresses of the person to whom it is sent. A suppression of any of them stops the email. */
  persons: string[];
  /** Whether the email carries the unsubscribe headers of campaign email. Absent in drafts of earlier versions. */
  hasUnsubscribe?: boolean;
}

/** Text that may be empty. */
const written = { type: String, default: "" };

export const OutgoingMail = tenantModel<OutgoingMail>(
  "Draft",
  "drafts",
  {
    kind: required,
    mailboxId: required,
    to: required,
    toName: text,
    cc: texts,
    bcc: texts,
    attachments: { type: [{}], required: true, default: [] },
    subject: written,
    html: text,
    text: written,
    inReplyTo: text,
    references: texts,
    persons: texts,
    hasUnsubscribe: flag,
  },
  [
    { fields: { "attachments.id": 1 }, where: { "attachments.id": IS_TEXT } },
    { fields: { workspaceId: 1, kind: 1, createdAt: 1 } },
    { fields: { createdAt: 1 }, expireAfterSeconds: 7 * DAY_SECONDS },
  ],
);
