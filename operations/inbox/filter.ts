import { z } from "zod";
import { afterPrefix, searchTerms } from "../../domain/leads/search-words.ts";
import { THREAD_INDEX, type Thread } from "../../models/thread.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { campaignOf } from "../../store/campaigns/load.ts";
import { instant, search, yesNo } from "../fields.ts";

const flag = z.union([z.boolean(), yesNo]);
/** How many ranges of an index the database merges in their order; more would be sorted in memory. */
const MOST_VALUES = 100;

function several(one: z.ZodString) {
  const list = z.array(one).min(1).max(MOST_VALUES);
  const split = z.string().transform((text) => [...new Set(text.split(",").map((part) => part.trim()))]);
  return z.union([list, split.pipe(list)]);
}

/** A category of a reply: a known one or any text of a workspace's own. */
export const category = z.string().trim().min(1).max(50);

/** What a list of threads may be narrowed by; every filter that is given must hold. */
export const filters = {
  archived: flag.default(false),
  unreadOnly: flag.default(false),
  starredOnly: flag.default(false),
  hasAttachments: flag.optional(),
  campaignId: z.string().max(64).optional(),
  mailboxIds: several(z.string().min(1).max(64)).optional(),
  category: category.optional(),
  categories: several(category).optional(),
  search: search.optional(),
  lastMessageAfter: instant.optional(),
  lastMessageBefore: instant.optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

/** Which threads are asked for. */
export interface ThreadQuery {
  workspaceId: string;
  filter: Filter<Thread>;
  /** The index that answers it alone; null where the planner may weigh several. */
  hint: string | null;
  isSearch: boolean;
  /** The same text for the same question. */
  key: string;
}

/** From `lastMessageAfter` on, up to but without `lastMessageBefore`. @throws CAMPAIGN_NOT_FOUND */
export async function queryOf(workspaceId: string, asked: Filters): Promise<ThreadQuery> {
  const { campaignId, mailboxIds, category, categories = [], search: words, lastMessageAfter, lastMessageBefore } = asked;
  if (campaignId !== undefined) await campaignOf(workspaceId, campaignId);
  const named = [...(category === undefined ? [] : [category]), ...categories];
  const range = { ...(lastMessageAfter && { $gte: lastMessageAfter }), ...(lastMessageBefore && { $lt: lastMessageBefore }) };
  const filter: Filter<Thread> = {
    isArchived: asked.archived,
    ...(asked.unreadOnly && { isRead: false }),
    ...(asked.starredOnly && { isStarred: true }),
    ...(asked.hasAttachments !== undefined && { hasAttachments: asked.hasAttachments }),
    ...(campaignId !== undefined && { campaignId }),
    ...(mailboxIds && { mailboxId: trusted({ $in: mailboxIds }) }),
    ...(named.length > 0 && { category: trusted({ $in: named }) }),
    ...(words !== undefined && { $and: searchTerms(words).map(beginsWith) }),
    ...(Object.keys(range).length > 0 && { lastMessageAt: trusted(range) }),
  };
  const isSearch = words !== undefined;
  return { workspaceId, filter, hint: indexOf(asked, named.length > 0), isSearch, key: JSON.stringify([workspaceId, filter]) };
}

/** Of one filter alone its own index; none for several. The time of the last message narrows within any. */
function indexOf(asked: Filters, byCategory: boolean): string | null {
  const given = [
    ...(asked.unreadOnly ? [THREAD_INDEX.unread] : []),
    ...(asked.starredOnly ? [THREAD_INDEX.starred] : []),
    ...(asked.hasAttachments === true ? [THREAD_INDEX.attachments] : []),
    ...(asked.campaignId === undefined ? [] : [THREAD_INDEX.campaign]),
    ...(asked.mailboxIds === undefined ? [] : [THREAD_INDEX.mailbox]),
    ...(byCategory ? [THREAD_INDEX.category] : []),
    ...(asked.search === undefined ? [] : [THREAD_INDEX.search]),
  ];
  const [only = THREAD_INDEX.newest, second] = given;
  return second === undefined ? only : null;
}

// One element of the array must lie in the range: two bounds without $elemMatch could be met by two elements
function beginsWith(word: string): Filter<Thread> {
  return { searchWords: trusted({ $elemMatch: { $gte: word, $lt: afterPrefix(word) } }) };
}
