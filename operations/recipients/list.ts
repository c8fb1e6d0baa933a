import { z } from "zod";
import { afterPrefix, searchTerms } from "../../domain/lead.ts";
import { RECIPIENT_STATUSES } from "../../domain/states.ts";
import { type Filter, trusted } from "../../models/collection.ts";
import type { Recipient as RecipientDocument } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { campaignId, campaignOf } from "../campaigns/find.ts";
import { commaSeparated, pageOf, paging, search, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { Recipient, Stats } from "./record.ts";
import { statsOf } from "./stats.ts";

export const list = operation({
  summary: "List a campaign's recipients, newest first, with their counts by status; search by the beginning of the address",
  scope: "recipients:read",
  input: z.strictObject({ campaignId, ...paging, status: commaSeparated(RECIPIENT_STATUSES).optional(), search: search.optional() }),
  output: pageOf(Recipient).extend({ stats: Stats }),
  async run({ workspaceId }, { campaignId, status, search: words, page, pageSize }) {
    await campaignOf(workspaceId, campaignId);
    const { Recipient } = scoped(workspaceId);
    const asked: Filter<RecipientDocument>[] = searchTerms(words ?? "").map((word) => ({
      email: trusted({ $gte: word, $lt: afterPrefix(word) }),
    }));
    const filter: Filter<RecipientDocument> = {
      campaignId,
      ...(status && { status: trusted({ $in: status }) }),
      $and: [...asked, { $or: [{ stopReason: trusted({ $ne: "REMOVED" }) }, { sentCount: trusted({ $gt: 0 }) }] }],
    };
    const skip = skipOf({ page, pageSize });
    const items = await Recipient.find(filter, { sort: { _id: -1 }, skip, limit: pageSize });
    const stats = await statsOf(workspaceId, campaignId);
    const counted = status?.reduce((sum, one) => sum + countOf(stats.byStatus, one), 0) ?? stats.total;
    const total = asked.length === 0 ? counted : await Recipient.count(filter);
    return { items, total, page, pageSize, stats };
  },
});

function countOf(byStatus: Record<string, number>, status: string): number {
  return byStatus[status] ?? 0;
}
