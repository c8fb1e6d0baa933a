import type { LeadSearchSource, Place } from "../../domain/lead-search/source.ts";
import {
  countCompanies,
  countPeople,
  estimateCompanies,
  estimatePeople,
  findPeople,
  queryFor,
  readCompanies,
  readPeople,
  readValues,
} from "../../store/lead-search/dataset.ts";
import { CostAwareCache } from "../cost-aware-cache.ts";
import { countInTime, exact, type Total } from "../count.ts";
import { skipOf } from "../fields.ts";

/** A smaller total is not cached. */
const LARGE = 1_000;
/** The cache key of data that belongs to all workspaces. */
const EVERYBODYS = "";
const kept = new CostAwareCache<Total>(({ total }) => total >= LARGE);

/** The people whom the operator has imported. */
export const datasetSource: LeadSearchSource = {
  async browse(filters, place) {
    const skip = skipOf(place);
    const query = await queryFor(filters);
    const items = await readPeople(query, { skip, limit: place.pageSize });
    const count = (maxTimeMs: number) => countPeople(query, { maxTimeMs });
    return {
      items,
      ...(totalByPage(items, place) ?? (await totalOf(`people ${query.key}`, count, () => estimatePeople(filters)))),
    };
  },
  async companies(filters, place) {
    const skip = skipOf(place);
    const items = await readCompanies(filters, { skip, limit: place.pageSize });
    const count = (maxTimeMs: number) => countCompanies(filters, maxTimeMs);
    return {
      items,
      ...(totalByPage(items, place) ??
        (await totalOf(`companies ${JSON.stringify(filters)}`, count, estimateCompanies))),
    };
  },
  lookups: readValues,
  find: findPeople,
};

function totalOf(
  key: string,
  count: (maxTimeMs: number) => Promise<number>,
  estimate: () => Promise<number>,
): Promise<Total> {
  return kept.of(EVERYBODYS, key, () =>
    countInTime(count, estimate, (total, begunAt) => kept.keep(EVERYBODYS, key, total, begunAt)),
  );
}

/** The total, if this page is the last one and nothing must be counted; else null. */
function totalByPage(items: readonly unknown[], { page, pageSize }: Place): Total | null {
  if (items.length === pageSize || (items.length === 0 && page > 1)) return null;
  return exact((page - 1) * pageSize + items.length);
}
