import { z } from "zod";
import { RECIPIENT_STATUSES } from "../../domain/states.ts";
import { RECIPIENT_INDEX, type Recipient as RecipientDocument } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Filter } from "../../mongo/collection.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { campaignId } from "../campaigns/find.ts";
import { pageOf, paging, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { type SortOrder, sorting } from "../sorting.ts";
import { filterOf, filters, newestFirst } from "./filter.ts";
import { Recipient, Stats } from "./record.ts";
import { hiddenIn, statsOf } from "./stats.ts";

const NEWEST = { _id: -1 } as const;
/**
 * The most matches of a search that are loaded by id and sorted here. A search with more matches is read from the
 * newest recipient on.
 */
const FEW = 2_000;

const BY = sorting({ createdAt: "_id", email: "email" }, "-createdAt");

export const list = operation({
  summary:
    "List a campaign's recipients, newest first, with counts by status; search by the start of the address, its domain or a word of name or company",
  scope: "recipients:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({
    campaignId,
    ...paging,
    sort: BY.sort,
    ...filters,
  }),
  output: pageOf(Recipient).extend({ stats: Stats.describe("Recipients in each status, regardless of the filter") }),
  async run({ workspaceId }, { page, pageSize, sort, ...asked }) {
    const { campaignId, status, pauseReason, search: words } = asked;
    const skip = skipOf({ page, pageSize });
    const filter = filterOf(asked);
    const order = BY.orderOf(sort);
    const isNewest = sort === "-createdAt";
    if (words !== undefined) {
      const [stats] = await Promise.all([statsOf(workspaceId, campaignId), loadCampaign(workspaceId, campaignId)]);
      return {
        ...(await (isNewest
          ? searched(workspaceId, campaignId, filter, skip, pageSize)
          : searchedInOrder(workspaceId, filter, { skip, limit: pageSize, sort: order }))),
        page,
        pageSize,
        stats,
      };
    }
    const hint = newestFirst(asked);
    const [items, stats, paused] = await Promise.all([
      isNewest
        ? pageFrom(workspaceId, campaignId, filter, { skip, limit: pageSize, hint })
        : scoped(workspaceId).Recipient.read(filter, {
            skip,
            limit: pageSize,
            sort: order,
            ...(order["email"] === undefined && { hint }),
          }),
      statsOf(workspaceId, campaignId),
      pauseReason ? scoped(workspaceId).Recipient.count(filter, { hint }) : null,
      loadCampaign(workspaceId, campaignId),
    ]);
    if (paused !== null) return { items, total: paused, page, pageSize, stats };
    const counted = RECIPIENT_STATUSES.filter((one) => status === undefined || status.includes(one));
    return { items, total: counted.reduce((sum, one) => sum + stats.byStatus[one], 0), page, pageSize, stats };
  },
});

/**
 * One page of recipients. The ids of a late page come from the sorted index, so that only the documents of the page are
 * read.
 */
async function pageFrom(
  workspaceId: string,
  campaignId: string,
  filter: Filter<RecipientDocument>,
  page: { skip: number; limit: number; hint: string },
) {
  const { Recipient } = scoped(workspaceId);
  if (page.skip === 0) return Recipient.read(filter, { sort: NEWEST, ...page });
  const { $or: _, ...all } = filter;
  const shown = (await hiddenIn(workspaceId, campaignId)) === 0 ? all : filter;
  return inOrder(workspaceId, await Recipient.read(shown, { sort: NEWEST, select: { _id: 1 }, ...page }));
}

async function inOrder(workspaceId: string, ids: Pick<RecipientDocument, "_id">[]): Promise<RecipientDocument[]> {
  if (ids.length === 0) return [];
  return scoped(workspaceId).Recipient.read(
    { _id: { $in: ids.map(({ _id }) => _id) } },
    { sort: NEWEST, hint: "_id_" },
  );
}

async function searchedInOrder(
  workspaceId: string,
  filter: Filter<RecipientDocument>,
  page: { skip: number; limit: number; sort: SortOrder },
) {
  const { Recipient } = scoped(workspaceId);
  const by = { hint: RECIPIENT_INDEX.search };
  const [items, total] = await Promise.all([Recipient.read(filter, { ...page, ...by }), Recipient.count(filter, by)]);
  return { items, total };
}

async function searched(
  workspaceId: string,
  campaignId: string,
  filter: Filter<RecipientDocument>,
  skip: number,
  limit: number,
) {
  const { Recipient } = scoped(workspaceId);
  const found = await Recipient.read(filter, { select: { _id: 1 }, limit: FEW + 1, hint: RECIPIENT_INDEX.search });
  if (found.length > FEW) {
    const total = await Recipient.count(filter, { hint: RECIPIENT_INDEX.search });
    return {
      items: await pageFrom(workspaceId, campaignId, filter, { skip, limit, hint: RECIPIENT_INDEX.newest }),
      total,
    };
  }
  const page = found.toSorted((one, other) => (one._id < other._id ? 1 : -1)).slice(skip, skip + limit);
  return { items: await inOrder(workspaceId, page), total: found.length };
}
