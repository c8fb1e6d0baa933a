import { z } from "zod";
import { afterPrefix, searchTerms } from "../../domain/leads/search-words.ts";
import { RECIPIENT_PAUSE_REASONS, RECIPIENT_STATUSES } from "../../domain/states.ts";
import { RECIPIENT_INDEX, type Recipient as RecipientDocument } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { campaignId } from "../campaigns/find.ts";
import { commaSeparated, pageOf, paging, search, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { type SortOrder, sorting } from "../sorting.ts";
import { Recipient, Stats } from "./record.ts";
import { hiddenIn, statsOf } from "./stats.ts";

const NEWEST = { _id: -1 } as const;
/** The most matches of a search that are loaded by id and sorted here. A search with more matches is read from the newest recipient on. */
const FEW = 2_000;

const BY = sorting({ createdAt: "_id", email: "email" }, "-createdAt");

export const list = operation({
  summary:
    "List a campaign's recipients, newest first, with their counts by status; search by the beginning of the address, its domain or a word of name and company",
  scope: "recipients:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({
    campaignId,
    ...paging,
    sort: BY.sort,
    status: commaSeparated(RECIPIENT_STATUSES).optional().describe("Only recipients in one of these states"),
    pauseReason: commaSeparated(RECIPIENT_PAUSE_REASONS).optional().describe("Only recipients that are paused for one of these reasons"),
    search: search.optional().describe("Beginnings of the address, its domain or words of name and company; every word must match"),
  }),
  output: pageOf(Recipient).extend({ stats: Stats.describe("How many are in each status, whatever the filter") }),
  async run({ workspaceId }, { campaignId, status, pauseReason, search: words, page, pageSize, sort }) {
    const skip = skipOf({ page, pageSize });
    const filter: Filter<RecipientDocument> = {
      campaignId,
      ...(status && { status: trusted({ $in: status }) }),
      ...(pauseReason && { pauseReason: trusted({ $in: pauseReason }) }),
      $or: SHOWN,
    };
    const order = BY.orderOf(sort);
    const isNewest = sort === "-createdAt";
    if (words !== undefined) {
      const [stats] = await Promise.all([statsOf(workspaceId, campaignId), loadCampaign(workspaceId, campaignId)]);
      const found = { ...filter, $and: searchTerms(words).map(beginsWith) };
      return {
        ...(await (isNewest
          ? searched(workspaceId, campaignId, found, skip, pageSize)
          : searchedInOrder(workspaceId, found, { skip, limit: pageSize, sort: order }))),
        page,
        pageSize,
        stats,
      };
    }
    const hint = pauseReason ? RECIPIENT_INDEX.pauseReason : status ? RECIPIENT_INDEX.status : RECIPIENT_INDEX.newest;
    const [items, stats, paused] = await Promise.all([
      isNewest
        ? pageFrom(workspaceId, campaignId, filter, { skip, limit: pageSize, hint })
        : scoped(workspaceId).Recipient.read(filter, { skip, limit: pageSize, sort: order, ...(order["email"] === undefined && { hint }) }),
      statsOf(workspaceId, campaignId),
      pauseReason ? scoped(workspaceId).Recipient.count(filter, { hint }) : null,
      loadCampaign(workspaceId, campaignId),
    ]);
    if (paused !== null) return { items, total: paused, page, pageSize, stats };
    const counted = RECIPIENT_STATUSES.filter((one) => status === undefined || status.includes(one));
    return { items, total: counted.reduce((sum, one) => sum + stats.byStatus[one], 0), page, pageSize, stats };
  },
});

/** A recipient that was removed before any mail appears in no list (rules/states 3.2). */
const SHOWN = [{ stopReason: trusted({ $ne: "REMOVED" }) }, { sentCount: trusted({ $gt: 0 }) }];

// $elemMatch makes one element of the array lie in the range: without it, two elements could each satisfy one bound
function beginsWith(word: string) {
  return { searchWords: trusted({ $elemMatch: { $gte: word, $lt: afterPrefix(word) } }) };
}

/** One page of recipients. The ids of a late page come from the index in its order, so that it reads only its own documents. */
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
  return scoped(workspaceId).Recipient.read({ _id: { $in: ids.map(({ _id }) => _id) } }, { sort: NEWEST, hint: "_id_" });
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

async function searched(workspaceId: string, campaignId: string, filter: Filter<RecipientDocument>, skip: number, limit: number) {
  const { Recipient } = scoped(workspaceId);
  const found = await Recipient.read(filter, { select: { _id: 1 }, limit: FEW + 1, hint: RECIPIENT_INDEX.search });
  if (found.length > FEW) {
    const total = await Recipient.count(filter, { hint: RECIPIENT_INDEX.search });
    return { items: await pageFrom(workspaceId, campaignId, filter, { skip, limit, hint: RECIPIENT_INDEX.newest }), total };
  }
  const page = found.toSorted((one, other) => (one._id < other._id ? 1 : -1)).slice(skip, skip + limit);
  return { items: await inOrder(workspaceId, page), total: found.length };
}
