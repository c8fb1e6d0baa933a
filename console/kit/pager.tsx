import { words } from "../words/en.ts";
import { counted, formatCount } from "../words/format.ts";

interface PagerProps {
  /** The noun by which rows are counted, singular and plural. */
  nouns: readonly [one: string, many: string];
  total: number;
  totalIsExact?: boolean;
  page: number;
  pageSize: number;
  onPage: (page: number) => void;
}

/** Entries beyond this number cannot be reached by paging; the person must narrow the filter. */
const DEEPEST = 100_000;

export function Pager({ nouns, total, totalIsExact = true, page, pageSize, onPage }: PagerProps) {
  const pages = Math.max(1, Math.ceil(total / pageSize));
  const reachable = Math.min(pages, Math.floor(DEEPEST / pageSize) + 1);
  const first = total === 0 ? 0 : (page - 1) * pageSize + 1;
  const last = Math.min(total, page * pageSize);
  if (total <= pageSize && page === 1)
    return <p className="pager">{words.ofAll(counted(total, ...nouns), totalIsExact)}</p>;
  return (
    <nav className="pager" aria-label={words.pages}>
      <button type="button" aria-disabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        {words.previousPage}
      </button>
      <span>{words.range(formatCount(first), formatCount(last), formatCount(total), totalIsExact)}</span>
      <button type="button" aria-disabled={page >= reachable} onClick={() => page < reachable && onPage(page + 1)}>
        {words.nextPage}
      </button>
      {pages > reachable && page === reachable && <span>{words.narrow}</span>}
    </nav>
  );
}
