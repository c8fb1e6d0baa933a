import { type Owned, required, tenantModel, text } from "./schema.ts";

/** The rendered content of a mail that a person asked for: `_id` is the id of its send, whose workflow reads it. */
export interface Draft extends Owned {
  kind: "TEST" | "REPLY" | "PROBE";
  mailboxId: string;
  to: string;
  subject: string;
  html: string | null;
  text: string;
}

/** Text that may be empty. */
const written = { type: String, default: "" };

export const Draft = tenantModel<Draft>(
  "Draft",
  "drafts",
  { kind: required, mailboxId: required, to: required, subject: written, html: text, text: written },
  [{ fields: { workspaceId: 1, kind: 1, createdAt: 1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 7 * 86_400 }],
);
