import { type Base, globalModel, instant, number, required } from "../../mongo/schema.ts";

/**
 * How often something was done under one key in the window that ends at `expire`. All processes add to the same count
 * (`mongo/rate-limit.ts`).
 */
export interface RateCount extends Base {
  key: string;
  points: number;
  expire: Date | null;
}

/**
 * The unique index must exist before the first count. Otherwise two first counts at the same moment would create two
 * documents, and the limit would no longer hold.
 */
export const RateCount = globalModel<RateCount>(
  "RateCount",
  "rate_limits",
  { key: required, points: number, expire: instant },
  [
    { fields: { key: 1 }, unique: true },
    { fields: { expire: 1 }, expireAfterSeconds: 0 },
  ],
);
