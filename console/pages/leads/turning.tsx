import { leadWords as says } from "../../words/en/leads/lead.ts";
import { words } from "../../words/en.ts";
import { DEEPEST, ENTRIES } from "./reads.ts";

interface TurningProps {
  page: number;
  /** Entries on this page. */
  count: number;
  onPage: (page: number) => void;
}

/** The buttons to page through a list without a total. If the page is full, there may be an earlier one. */
export function Turning({ page, count, onPage }: TurningProps) {
  const isFull = count >= ENTRIES;
  if (page === 1 && !isFull) return null;
  const mayGoBack = isFull && page < DEEPEST;
  return (
    <nav className="pager" aria-label={words.pages}>
      <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        {says.later}
      </button>
      <button type="button" aria-disabled={!mayGoBack} onClick={() => mayGoBack && onPage(page + 1)}>
        {says.earlier}
      </button>
      {isFull && page >= DEEPEST && <span>{says.kept}</span>}
    </nav>
  );
}
