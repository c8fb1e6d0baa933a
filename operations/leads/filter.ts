import { domainToASCII } from "node:url";
import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { afterPrefix, searchTerms } from "../../domain/lead.ts";
import { LEAD_STATUSES, VERIFICATION_STATUSES } from "../../domain/states.ts";
import { type Filter, trusted } from "../../models/collection.ts";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { commaSeparated, search, tag, yesNo } from "../fields.ts";

const tags = z.union([
  z.array(tag).min(1).max(50),
  z
    .string()
    .min(1)
    .max(2_600)
    .transform((text) => text.split(",").map((one) => one.trim())),
]);

/** What a list of leads may be narrowed by; every filter that is given must hold. */
export const filters = {
  search: search.optional(),
  status: commaSeparated(LEAD_STATUSES).optional(),
  verificationStatus: commaSeparated(VERIFICATION_STATUSES).optional(),
  domain: z.string().trim().min(1).max(253).optional(),
  tags: tags.optional(),
  suppressed: z.union([z.boolean(), yesNo]).optional(),
  listId: z.string().max(64).optional(),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

/** @throws LIST_NOT_FOUND */
export async function filterOf(workspaceId: string, asked: Filters): Promise<Filter<Lead>> {
  const { search: words, status, verificationStatus, domain, tags, suppressed, listId } = asked;
  if (listId !== undefined) await assertList(workspaceId, listId);
  return {
    ...(status && { status: trusted({ $in: status }) }),
    ...(verificationStatus && { verificationStatus: trusted({ $in: verificationStatus }) }),
    ...(domain && { emailDomain: domainToASCII(domain) || domain.toLowerCase() }),
    ...(tags && { tags: trusted({ $in: tags }) }),
    ...(suppressed !== undefined && { suppressed }),
    ...(words && { $and: searchTerms(words).map(beginsWith) }),
    ...(listId !== undefined && { listIds: listId }),
  };
}

// One element of the array must lie in the range: two bounds without $elemMatch could be met by two elements
function beginsWith(word: string): Filter<Lead> {
  return { searchWords: trusted({ $elemMatch: { $gte: word, $lt: afterPrefix(word) } }) };
}

/** @throws LIST_NOT_FOUND */
async function assertList(workspaceId: string, listId: string): Promise<void> {
  if ((await scoped(workspaceId).LeadList.get(listId)) === null) throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
}
