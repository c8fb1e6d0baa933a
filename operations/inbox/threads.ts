import { z } from "zod";
import { pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { filters, queryOf } from "./filter.ts";
import { pageOfThreads } from "./page.ts";
import { Thread } from "./record.ts";

const BY = sorting({ lastMessageAt: "lastMessageAt" }, "-lastMessageAt");

export const list = operation({
  summary:
    "List the threads of the inbox, newest first; search by the beginning of a word in the subject, a participant's name or address, or the text of an email",
  scope: "inbox:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ ...paging, sort: BY.sort, ...filters }),
  output: pageOf(Thread),
  async run({ workspaceId }, { page, pageSize, sort, ...asked }) {
    return {
      ...(await pageOfThreads(await queryOf(workspaceId, asked), { page, pageSize }, sort !== "lastMessageAt")),
      page,
      pageSize,
    };
  },
});
