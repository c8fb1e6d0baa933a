import { type Base, globalModel, instant, number, required } from "../../mongo/schema.ts";

/**
 * How often a name did something in the window that ends at `expire`, counted by all processes together
 * (`mongo/rate-limit.ts`).
 */
export interface RateCount extends Base {
  key: string;
  points: number;
  expire: Date | null;
}

/**
 * Its index exists before the first count. Otherwise two first counts at the same moment would become two documents,
 * and no limit would hold any more.
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
