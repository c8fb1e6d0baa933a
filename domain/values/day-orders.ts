import { type DayOrder, dayOrderIn } from "./date.ts";

/** Only a text that begins like this can show an order of day and month. The test is faster than reading the date. */
const NUMBERS = /^\s*\d{1,2}[/-]\d/;

/**
 * The order of days and months in each column of a file. It is collected for all columns, because it becomes known only
 * later which columns contain dates.
 */
export class DayOrders {
  readonly #orders: Set<DayOrder>[] = [];

  see(cells: readonly string[]): void {
    for (const [place, cell] of cells.entries()) {
      if (!NUMBERS.test(cell)) continue;
      const order = dayOrderIn(cell);
      if (order === null) continue;
      this.#orders[place] ??= new Set();
      this.#orders[place].add(order);
    }
  }

  /** The orders by column name. Columns whose cells show no order, or both orders, are left out. */
  of(columns: readonly string[]): [column: string, order: DayOrder][] {
    return columns.flatMap((column, place): [string, DayOrder][] => {
      const [order, other] = this.#orders[place] ?? [];
      return order === undefined || other !== undefined ? [] : [[column, order]];
    });
  }
}
