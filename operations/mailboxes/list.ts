import { z } from "zod";
import { isNamed } from "../../domain/fold.ts";
import { scoped } from "../../models/scoped.ts";
import { flag, search } from "../fields.ts";
import { operation } from "../operation.ts";
import { ListedMailbox, plainViewsOf, viewsOf } from "./record.ts";

export const list = operation({
  summary: "List the mailboxes with health, limits and emails sent today (UTC), newest first",
  scope: "mailboxes:read",
  input: z.strictObject({
    search: search.optional().describe("Parts of the address, name or tags; accents and case are ignored"),
    figures: flag.default(true).describe("false leaves out the counted fields `sentToday` and `warmup`"),
  }),
  output: z.array(ListedMailbox),
  async run({ workspaceId }, { search = "", figures }) {
    const all = await scoped(workspaceId).Mailbox.find({}, { sort: { _id: -1 }, select: { sealedPassword: 0 } });
    const found = all.filter(({ email, name, tags }) => isNamed(search, [email, name ?? "", ...tags]));
    return figures ? viewsOf(workspaceId, found) : plainViewsOf(workspaceId, found);
  },
});
