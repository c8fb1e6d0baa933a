import { type Base, globalModel, instant, oneOf, text } from "../../mongo/schema.ts";

/**
 * Where a domain receives its email and whether it accepts any address, for the whole deployment. `_id` is the domain.
 */
export interface VerifiedDomain extends Base {
  kind: "HOST" | "NONE" | "NULL_MX" | null;
  exchange: string | null;
  /** When DNS was asked. */
  lookedUpAt: Date | null;
  /** Null while it is not known. A known value holds for thirty days. */
  isCatchAll: boolean | null;
  catchAllAt: Date | null;
  /** Hashes of addresses that its server accepted and that bounced later. */
  bounced: string[];
  /** What its server said before this instant is not believed (rules/verification 4). */
  distrustedAt: Date | null;
  expiresAt: Date;
}

export const VerifiedDomain = globalModel<VerifiedDomain>(
  "VerifiedDomain",
  "verified_domains",
  {
    kind: oneOf(["HOST", "NONE", "NULL_MX"]),
    exchange: text,
    lookedUpAt: instant,
    isCatchAll: { type: Boolean, default: null },
    catchAllAt: instant,
    bounced: { type: [String], required: true, default: [] },
    distrustedAt: instant,
    expiresAt: { type: Date, required: true },
  },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);
