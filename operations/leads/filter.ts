import { domainToASCII } from "node:url";
import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { foldedTerms } from "../../domain/fold.ts";
import { afterPrefix } from "../../domain/leads/search-words.ts";
import { LEAD_STATUSES, VERIFICATION_STATUSES } from "../../domain/states.ts";
import { LEAD_INDEX, type Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { CALLER_MS, type Segment, segmentOfList } from "../../store/leads/segment.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, flag, search, tag } from "../fields.ts";
import { shownAs } from "../shown-as.ts";

const { listId } = describedIds;

const tags = shownAs(
  z.union([
    z.array(tag).min(1).max(50),
    z
      .string()
      .min(1)
      .max(2_600)
      .transform((text) => text.split(",").map((one) => one.trim())),
  ]),
  z.array(tag).min(1).max(50),
);

/** The filters of a list of leads. A lead must match every filter in the request. */
export const filters = {
  search: search
    .optional()
    .describe(
      "Search words: each must start the address, its domain or a word of name or company; accents and case are ignored",
    ),
  status: commaSeparated(LEAD_STATUSES).optional().describe("Only leads with one of these statuses"),
  verificationStatus: commaSeparated(VERIFICATION_STATUSES)
    .optional()
    .describe("Only leads whose email address has one of these verification results"),
  domain: z
    .string()
    .trim()
    .min(1)
    .max(253)
    .meta({ pattern: "\\S" })
    .optional()
    .describe("Only leads whose email address is at exactly this domain"),
  tags: tags.optional().describe("Only leads with any of these tags"),
  suppressed: flag.optional().describe("true: only suppressed leads; false: only the others"),
  listId: listId.optional().describe("Only leads in this list"),
};
export type Filters = z.output<z.ZodObject<typeof filters>>;

/** A query for leads. */
export interface LeadQuery {
  workspaceId: string;
  filter: Filter<Lead>;
  /** The index for the query; null if the query planner may choose one. */
  hint: string | null;
  isSearch: boolean;
  /** The segment that the leads must also match, when the named list is DYNAMIC. */
  segment: Segment | null;
  /** The cache key: equal for equal queries. */
  key: string;
}

/** @throws LIST_NOT_FOUND */
export async function queryOf(workspaceId: string, asked: Filters): Promise<LeadQuery> {
  const { search: words, status, verificationStatus, domain, tags, suppressed, listId } = asked;
  const list = listId === undefined ? null : await listOf(workspaceId, listId);
  const isDynamic = list?.type === "DYNAMIC";
  const filter: Filter<Lead> = {
    ...(status && { status: trusted({ $in: status }) }),
    ...(verificationStatus && { verificationStatus: trusted({ $in: verificationStatus }) }),
    ...(domain && { emailDomain: domainToASCII(domain) || domain.toLowerCase() }),
    ...(tags && { tags: trusted({ $in: tags }) }),
    ...(suppressed !== undefined && { suppressed }),
    ...(words && { $and: foldedTerms(words).map(beginsWith) }),
    ...(listId !== undefined && !isDynamic && { listIds: listId }),
  };
  const segment = isDynamic && list ? await segmentOfList(list, new Date(), CALLER_MS) : null;
  const key = JSON.stringify([workspaceId, filter, list?._id ?? null, list?.updatedAt ?? null]);
  return {
    workspaceId,
    filter,
    hint: segment === null ? indexOf(asked) : null,
    isSearch: words !== undefined,
    segment,
    key,
  };
}

/** Every lead of the workspace. */
export function allLeads(workspaceId: string): LeadQuery {
  const key = JSON.stringify([workspaceId, {}, null, null]);
  return { workspaceId, filter: {}, hint: LEAD_INDEX.newest, isSearch: false, segment: null, key };
}

/** The index of a single filter, or none when there are several. */
function indexOf({ suppressed, ...others }: Filters): string | null {
  const bySuppression = suppressed === undefined ? [] : [suppressed ? LEAD_INDEX.suppressed : LEAD_INDEX.unsuppressed];
  // the names are its own keys
  const given = Object.entries(others).flatMap(([name, value]) =>
    value === undefined ? [] : [LEAD_INDEX[name as keyof typeof others]],
  );
  const [only = LEAD_INDEX.newest, second] = [...bySuppression, ...given];
  return second === undefined ? only : null;
}

// $elemMatch makes one element of the array lie in the range: without it, two elements could each satisfy one bound
function beginsWith(word: string): Filter<Lead> {
  return { searchWords: trusted({ $elemMatch: { $gte: word, $lt: afterPrefix(word) } }) };
}

async function listOf(workspaceId: string, listId: string) {
  const list = await scoped(workspaceId).LeadList.get(listId);
  if (list === null) throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
  return list;
}
