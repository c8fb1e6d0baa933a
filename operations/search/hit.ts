/** What a search looks through, in the order of its results. */
export const HIT_KINDS = ["CAMPAIGN", "LEAD", "LIST", "MAILBOX", "THREAD", "TEMPLATE"] as const;
export type SearchedKind = (typeof HIT_KINDS)[number];

/** One match of a search. */
export interface SearchHit {
  kind: SearchedKind;
  id: string;
  title: string;
  detail: string | null;
  state: string | null;
}
