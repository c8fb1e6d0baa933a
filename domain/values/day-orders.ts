import { type DayOrder, dayOrderIn } from "./date.ts";

/** What only can tell an order, found faster than by reading it. */
const NUMBERS = /^\s*\d{1,2}[/-]\d/;

/**
 * The order of days and months in each column of a file, gathered row by row: which columns are dates is known only
 * later.
 */
export class DayOrders {
  readonly #told: Set<DayOrder>[] = [];

  see(cells: readonly string[]): void {
    for (const [place, cell] of cells.entries()) {
      if (!NUMBERS.test(cell)) continue;
      const order = dayOrderIn(cell);
      if (order === null) continue;
      this.#told[place] ??= new Set();
      this.#told[place].add(order);
    }
  }

  /** By the names of the columns; without those that tell nothing, or both. */
  of(columns: readonly string[]): [column: string, order: DayOrder][] {
    return columns.flatMap((column, place): [string, DayOrder][] => {
      const [order, other] = this.#told[place] ?? [];
      return order === undefined || other !== undefined ? [] : [[column, order]];
    });
  }
}
