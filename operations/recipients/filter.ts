import { foldedTerms } from "../../domain/fold.ts";
import { afterPrefix } from "../../domain/leads/search-words.ts";
import { RECIPIENT_PAUSE_REASONS, RECIPIENT_STATUSES } from "../../domain/states.ts";
import { RECIPIENT_INDEX, type Recipient } from "../../models/recipients/recipient.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { commaSeparated, search } from "../fields.ts";

/** The filters of a list of recipients. A recipient must match every filter in the request. */
export const filters = {
  status: commaSeparated(RECIPIENT_STATUSES).optional().describe("Only recipients in one of these states"),
  pauseReason: commaSeparated(RECIPIENT_PAUSE_REASONS)
    .optional()
    .describe("Only recipients paused for one of these reasons"),
  search: search
    .optional()
    .describe(
      "Search words: each must start the address, its domain or a word of name or company; accents and case are ignored",
    ),
};

export interface RecipientFilters {
  campaignId: string;
  status?: string[] | undefined;
  pauseReason?: string[] | undefined;
  search?: string | undefined;
}

/** The filters as a database query. */
export function filterOf({ campaignId, status, pauseReason, search: words }: RecipientFilters): Filter<Recipient> {
  return {
    campaignId,
    ...(status && { status: trusted({ $in: status }) }),
    ...(pauseReason && { pauseReason: trusted({ $in: pauseReason }) }),
    $or: SHOWN,
    ...(words !== undefined && { $and: foldedTerms(words).map(beginsWith) }),
  };
}

/** The index that sorts recipients with these filters newest first. */
export function newestFirst({ status, pauseReason }: Pick<RecipientFilters, "status" | "pauseReason">): string {
  return pauseReason ? RECIPIENT_INDEX.pauseReason : status ? RECIPIENT_INDEX.status : RECIPIENT_INDEX.newest;
}

/** A recipient that was removed before any email appears in no list (rules/states 3.2). */
const SHOWN = [{ stopReason: trusted({ $ne: "REMOVED" }) }, { sentCount: trusted({ $gt: 0 }) }];

// $elemMatch makes one element of the array lie in the range: without it, two elements could each satisfy one bound
function beginsWith(word: string) {
  return { searchWords: trusted({ $elemMatch: { $gte: word, $lt: afterPrefix(word) } }) };
}
