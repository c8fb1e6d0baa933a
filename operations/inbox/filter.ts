import { z } from "zod";
import { threadTerms } from "../../domain/inbox/thread-words.ts";
import { afterPrefix } from "../../domain/leads/search-words.ts";
import { THREAD_INDEX, type Thread } from "../../models/inbox/thread.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { describedIds } from "../described-ids.ts";
import { flag, instant, search, several } from "../fields.ts";

const { campaignId } = describedIds;

/** The database merges at most this many index ranges in order; it would sort more of them in memory. */
const MOST_VALUES = 100;

/** A category of a reply: a known one, or any text that a workspace uses. */
export const category = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .describe("INTERESTED, MEETING_REQUEST, NOT_NOW and the like, or your own label, 1 to 50 characters");

/** The filters of a list of threads. A thread must match every filter in the request. */
export const filters = {
  archived: flag.default(false).describe("Whether to list archived threads. Default false"),
  unreadOnly: flag.default(false).describe("Only threads with unread messages"),
  starredOnly: flag.default(false).describe("Only starred threads"),
  hasAttachments: flag.optional().describe("Only threads with files, or without"),
  campaignId: campaignId.optional(),
  mailboxIds: several(z.string().min(1).max(64), MOST_VALUES)
    .optional()
    .describe("Only threads of these mailboxes, separated by commas"),
  category: category.optional().describe("Only threads of this category"),
  categories: several(category, MOST_VALUES)
    .optional()
    .describe("Only threads of these categories, separated by commas"),
  search: search
    .optional()
    .describe(
      "Beginnings of words in the subject, the participants' names and addresses, and the text of the emails without quotes; case and accents are ignored, every word must match. 1 to 100 characters",
    ),
  lastMessageAfter: instant.optional().describe("Only threads whose newest email is from this time or later"),
  lastMessageBefore: instant.optional().describe("Only threads whose newest email is earlier"),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

/** A query for threads. */
export interface ThreadQuery {
  workspaceId: string;
  filter: Filter<Thread>;
  /** The index for the query; null if the query planner may choose one. */
  hint: string | null;
  isSearch: boolean;
  /** The cache key: equal for equal queries. */
  key: string;
}

/** `lastMessageAfter` is inclusive, `lastMessageBefore` exclusive. @throws CAMPAIGN_NOT_FOUND */
export async function queryOf(workspaceId: string, asked: Filters): Promise<ThreadQuery> {
  const {
    campaignId,
    mailboxIds,
    category,
    categories = [],
    search: words,
    lastMessageAfter,
    lastMessageBefore,
  } = asked;
  if (campaignId !== undefined) await loadCampaign(workspaceId, campaignId);
  const named = [...(category === undefined ? [] : [category]), ...categories];
  const range = {
    ...(lastMessageAfter && { $gte: lastMessageAfter }),
    ...(lastMessageBefore && { $lt: lastMessageBefore }),
  };
  const filter: Filter<Thread> = {
    isArchived: asked.archived,
    ...(asked.unreadOnly && { isRead: false }),
    ...(asked.starredOnly && { isStarred: true }),
    ...(asked.hasAttachments !== undefined && { hasAttachments: asked.hasAttachments }),
    ...(campaignId !== undefined && { campaignId }),
    ...(mailboxIds && { mailboxId: trusted({ $in: mailboxIds }) }),
    ...(named.length > 0 && { category: trusted({ $in: named }) }),
    ...(words !== undefined && { $and: threadTerms(words).map(beginsWith) }),
    ...(Object.keys(range).length > 0 && { lastMessageAt: trusted(range) }),
  };
  const isSearch = words !== undefined;
  return {
    workspaceId,
    filter,
    hint: indexOf(asked, named.length > 0),
    isSearch,
    key: JSON.stringify([workspaceId, filter]),
  };
}

/**
 * The index of a single filter, or none when there are several. Every index also covers the time of the last message.
 */
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

// $elemMatch makes one element of the array lie in the range: without it, two elements could each satisfy one bound
function beginsWith(word: string): Filter<Thread> {
  return { searchWords: trusted({ $elemMatch: { $gte: word, $lt: afterPrefix(word) } }) };
}
