import { type Base, globalModel, required } from "../../mongo/schema.ts";

/**
 * A browser in which a person once entered the right password. `_id` is the SHA-256 of a cookie that grants no access
 * (rules/access 2.4).
 */
export interface KnownBrowser extends Base {
  userId: string;
  expiresAt: Date;
}

export const KnownBrowser = globalModel<KnownBrowser>(
  "KnownBrowser",
  "known_browsers",
  { userId: required, expiresAt: { type: Date, required: true } },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }, { fields: { userId: 1 } }],
);
