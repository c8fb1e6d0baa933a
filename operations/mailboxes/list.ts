import { z } from "zod";
import { scoped } from "../../models/scoped.ts";
import { operation } from "../operation.ts";
import { MailboxRecord, viewsOf } from "./record.ts";

export const list = operation({
  summary: "List the mailboxes with health, limits and what they sent today (UTC), newest first",
  scope: "mailboxes:read",
  input: z.strictObject({}),
  output: z.array(MailboxRecord),
  async run({ workspaceId }) {
    return viewsOf(workspaceId, await scoped(workspaceId).Mailbox.find({}, { sort: { _id: -1 }, select: { sealedPassword: 0 } }));
  },
});
