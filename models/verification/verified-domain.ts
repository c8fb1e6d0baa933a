import { type Base, globalModel, instant, oneOf, text } from "../../mongo/schema.ts";

/**
 * The mail host of a domain, and whether the domain accepts any address. All workspaces share the result. `_id` is the
 * domain.
 */
export interface VerifiedDomain extends Base {
  kind: "HOST" | "NONE" | "NULL_MX" | null;
  exchange: string | null;
  /** When DNS was asked. */
  lookedUpAt: Date | null;
  /** Null while it is not known. The result is valid for thirty days. */
  isCatchAll: boolean | null;
  catchAllAt: Date | null;
  /** Keyed hashes of addresses that the domain's server accepted and that bounced later. */
  bounced: string[];
  /** Answers that the server gave before this instant are not trusted (rules/verification 4). */
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
