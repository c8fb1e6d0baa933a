import { z } from "zod";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { commaSeparated, pageFrom, pageOf, paging, search } from "../fields.ts";
import { operation } from "../operation.ts";
import { Campaign } from "./record.ts";

export const list = operation({
  summary: "List campaigns, newest first; search by a part of the name",
  scope: "campaigns:read",
  input: z.strictObject({
    ...paging,
    status: commaSeparated(CAMPAIGN_STATUSES).optional().describe("Only campaigns in one of these states"),
    search: search.optional().describe("Part of the name, 1 to 100 characters"),
  }),
  output: pageOf(Campaign),
  async run({ workspaceId }, { status, search: words, ...paging }) {
    const named = (words?.split(/\s+/) ?? []).map((word) => ({ name: trusted({ $regex: literal(word), $options: "i" }) }));
    const filter = { ...(status && { status: trusted({ $in: status }) }), ...(named.length > 0 && { $and: named }) };
    return pageFrom(scoped(workspaceId).Campaign, filter, paging);
  },
});

function literal(word: string): string {
  return word.replace(/[^\p{L}\p{N}\s]/gu, "\\$&");
}
