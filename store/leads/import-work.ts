import { AddressSet } from "../../domain/leads/address-set.ts";
import type { Row } from "../../domain/leads/columns.ts";
import {
  addCounts,
  failedOutcomeOf,
  type ImportCounts,
  MAX_ERRORS,
  noCounts,
  type RowOutcome,
} from "../../domain/leads/import.ts";
import {
  type CellWarning,
  type Columns,
  isLeadRow,
  type LeadRow,
  type RowError,
  readRow,
} from "../../domain/leads/import-row.ts";
import { commitPage, dryRunPage, type ImportPage, type Origin } from "./import-page.ts";

/** The parameters of an import, without the rows. */
export interface Order extends Omit<ImportPage, "rows"> {
  action: "dryRun" | "commit";
  origin: Origin;
}

/** The totals so far. */
export interface Sums {
  counts: ImportCounts;
  /** The first 1,000 rows with errors. */
  errors: RowError[];
  /** The first 1,000 warnings; `warningCount` is the number of all. */
  warnings: CellWarning[];
  warningCount: number;
}

export function noSums(): Sums {
  return { counts: noCounts(), errors: [], warnings: [], warningCount: 0 };
}

interface ReadPage {
  rows: LeadRow[];
  wrong: RowError[];
  duplicates: RowOutcome[];
  /** The rows that are leads. */
  warnings: CellWarning[];
}

/** Reads rows into leads. Only the first valid row of an address is used; later ones are counted as duplicates. */
export class RowReader {
  readonly #columns: Columns;
  readonly #seen = new AddressSet();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** `firstRow` counts from 1. Reading a page again before `done` is called for it returns the same result. */
  read(rows: readonly Row[], firstRow: number): ReadPage {
    const page: ReadPage = { rows: [], wrong: [], duplicates: [], warnings: [] };
    const here = new Set<string>();
    for (const [index, cells] of rows.entries()) {
      const { read, warnings } = readRow(cells, firstRow + index, this.#columns);
      if (!isLeadRow(read)) page.wrong.push(read);
      else if (this.#seen.has(read.email) || here.has(read.email)) page.duplicates.push(duplicate(read));
      else {
        here.add(read.email);
        page.rows.push(read);
        page.warnings.push(...warnings);
      }
    }
    return page;
  }

  done({ rows }: ReadPage): void {
    for (const { email } of rows) this.#seen.add(email);
  }
}

/**
 * Processes one page and adds its results to the earlier totals. A commit is one transaction; repeating it changes
 * nothing. @throws LIST_NOT_FOUND
 */
export async function workPage(
  order: Order,
  page: ReadPage,
  before: Sums,
): Promise<{ sums: Sums; outcomes: RowOutcome[] }> {
  const { action, origin, ...where } = order;
  const importPage = { ...where, rows: page.rows };
  const done = await (action === "dryRun" ? dryRunPage(importPage) : commitPage(importPage, origin));
  const counts = { ...before.counts };
  addCounts(counts, done.counts);
  counts.invalid += page.wrong.length;
  counts.duplicateInFile += page.duplicates.length;
  const found = [...page.wrong, ...done.errors].toSorted(byRow);
  const errors = [...before.errors, ...found.slice(0, MAX_ERRORS - before.errors.length)];
  const outcomes = [...done.outcomes, ...page.wrong.map(failedOutcomeOf), ...page.duplicates].toSorted(byRow);
  const warnings = [...before.warnings, ...page.warnings.slice(0, MAX_ERRORS - before.warnings.length)];
  return { sums: { counts, errors, warnings, warningCount: before.warningCount + page.warnings.length }, outcomes };
}

/**
 * The summary that the API returns. `total` is the sum of the counts. `escapedQuotes` is a text of the file whose
 * quotes are escaped by backslashes; it adds one warning for the whole file.
 */
export function summaryOf({ counts, errors, warnings, warningCount }: Sums, escapedQuotes?: string) {
  const { created, updated, skipped, invalid, duplicateInFile } = counts;
  const inFile: Omit<CellWarning, "value"> = { row: 0, column: "", code: "ESCAPED_QUOTES", suggestion: null };
  const ofFile = escapedQuotes === undefined ? [] : [{ ...inFile, value: escapedQuotes }];
  const all = { warnings: [...ofFile, ...warnings].slice(0, MAX_ERRORS), warningCount: warningCount + ofFile.length };
  return { total: created + updated + skipped + invalid + duplicateInFile, ...counts, errors, ...all };
}

function duplicate({ row, email }: LeadRow): RowOutcome {
  return {
    row,
    email,
    status: "SKIPPED_DUPLICATE",
    code: "DUPLICATE_IN_FILE",
    message: "an earlier row has this address",
  };
}

function byRow(one: { row: number }, other: { row: number }): number {
  return one.row - other.row;
}
