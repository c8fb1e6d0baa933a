import { z } from "zod";
import { operation } from "../operation.ts";
import { loadMailbox, mailboxId } from "./find.ts";
import { MailboxRecord, viewOf } from "./record.ts";

export const get = operation({
  summary: "Read one mailbox",
  scope: "mailboxes:read",
  errors: ["MAILBOX_NOT_FOUND"],
  input: z.strictObject({ mailboxId }),
  output: MailboxRecord,
  async run({ workspaceId }, { mailboxId }) {
    return viewOf(await loadMailbox(workspaceId, mailboxId));
  },
});
