import type { LeadSearchSource } from "../../domain/lead-search/source.ts";
import {
  countCompanies,
  countPeople,
  type DatasetQuery,
  estimateCompanies,
  estimatePeople,
  findPeople,
  queryFor,
  readCompanies,
  readPeople,
  readValues,
} from "../../store/lead-search/dataset.ts";
import { CostAwareCache } from "../cost-aware-cache.ts";
import { countInTime, type Total } from "../count.ts";
import { skipOf } from "../fields.ts";

/** A total smaller than this is counted every time. */
const LARGE = 1_000;
/** The data set belongs to all workspaces. */
const EVERYBODYS = "";
const kept = new CostAwareCache<Total>(({ total }) => total >= LARGE);

/** The people whom an operator has imported. */
export const datasetSource: LeadSearchSource = {
  async browse(filters, place) {
    const skip = skipOf(place);
    const query = await queryFor(filters);
    const [items, total] = await Promise.all([
      readPeople(query, { skip, limit: place.pageSize }),
      totalOf(`people ${query.key}`, (maxTimeMs) => countPeople(query, { maxTimeMs }), countEstimate(query, filters)),
    ]);
    return { items, ...total };
  },
  async companies(filters, place) {
    const skip = skipOf(place);
    const [items, total] = await Promise.all([
      readCompanies(filters, { skip, limit: place.pageSize }),
      totalOf(`companies ${JSON.stringify(filters)}`, (maxTimeMs) => countCompanies(filters, maxTimeMs), estimateCompanies),
    ]);
    return { items, ...total };
  },
  lookups: readValues,
  find: findPeople,
};

function totalOf(key: string, count: (maxTimeMs: number) => Promise<number>, estimate: () => Promise<number>): Promise<Total> {
  return kept.of(EVERYBODYS, key, () => countInTime(count, estimate, (total, begunAt) => kept.keep(EVERYBODYS, key, total, begunAt)));
}

/** Everybody is known without counting. */
function countEstimate({ key: _ }: DatasetQuery, filters: Parameters<LeadSearchSource["browse"]>[0]): () => Promise<number> {
  return () => estimatePeople(filters);
}
