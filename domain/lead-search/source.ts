import type { CompanyFilters, LookupKind, ProspectFilters } from "./filters.ts";
import type { Company, Contact, ProspectPerson, RevealField } from "./prospect.ts";

/** One page of search results. */
export interface FoundPage<T> {
  items: T[];
  total: number;
  totalIsExact: boolean;
}

export interface Place {
  page: number;
  pageSize: number;
}

export interface Lookup {
  value: string;
  label: string;
  count: number | null;
}

/** Where people are searched: the deployment's own data set, or a provider over HTTP. */
export interface LeadSearchSource {
  browse(filters: ProspectFilters, place: Place): Promise<FoundPage<ProspectPerson>>;
  companies(filters: CompanyFilters, place: Place): Promise<FoundPage<Company>>;
  lookups(kind: LookupKind, query: string | null, limit: number): Promise<Lookup[]>;
  /** Returns those of these people that exist. */
  find(prospectIds: readonly string[]): Promise<ProspectPerson[]>;
}

/**
 * A source whose reveals take time and cost money. The idempotency key `key` keeps a repeated request from costing
 * again.
 */
export interface LeadSearchProvider extends LeadSearchSource {
  /** People whom the source does not know are not in the answer. */
  reveal(prospectIds: readonly string[], fields: readonly RevealField[], key: string): Promise<Map<string, Contact>>;
}

/** How a provider over HTTP is reached. */
export interface LeadSearchAccess {
  url: string;
  /** The provider's API key; null if it needs none. */
  key: string | null;
}

const LEAD_SEARCH_TROUBLES = ["UNAVAILABLE", "RATE_LIMITED", "KEY_REFUSED", "REFUSED", "ANSWER_INVALID"] as const;
export type LeadSearchTroubleCode = (typeof LEAD_SEARCH_TROUBLES)[number];

/**
 * The error for a provider that did not answer as its contract requires. `retryAfterSeconds` is the wait that the
 * provider asked for.
 */
export class LeadSearchTrouble extends Error {
  readonly code: LeadSearchTroubleCode;
  readonly retryAfterSeconds: number | null;
  constructor(code: LeadSearchTroubleCode, options: ErrorOptions & { retryAfterSeconds?: number | null } = {}) {
    super(`Lead search: ${code}`, options);
    this.name = "LeadSearchTrouble";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
