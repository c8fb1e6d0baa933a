import { type Fact, FIGURES, type Figure, type MailPlace } from "../campaigns/figures.ts";
import { sumOfDecimals } from "../decimals.ts";
import { HOUR_MS } from "../time/durations.ts";
import { dayAt, wallAt, weekdayOf } from "../time/zone.ts";

/**
 * The counts of analytics (rules/analytics 1): all counts of campaigns, in which `contacted` is the number of people
 * who were sent the email of a step, and in addition people who were sent their first email (`reached`), complaints,
 * meetings and conversions.
 */
export const COUNTS = [...FIGURES, "reached", "complained", "meetings", "conversions"] as const;
export type Count = Figure | "reached" | "complained" | "meetings" | "conversions";
export type Counts = Partial<Record<Count, number>>;

/** Revenue from one person. `amount` is a decimal as text, `currency` ISO 4217, `at` epoch ms. */
export interface Earning extends MailPlace {
  at: number;
  currency: string;
  amount: string;
}

export interface Happenings {
  facts: readonly Fact<Count>[];
  earnings: readonly Earning[];
}

/** The dimensions of a count: `day` since 1970-01-01, `weekday` 1 (Monday) to 7 and `hour` 0 to 23, all in one zone. */
interface Dimensions {
  campaignId: string;
  stepId: string | null;
  variantId: string | null;
  mailboxId: string | null;
  day: number;
  weekday: number;
  hour: number;
}
export type Dimension = keyof Dimensions;

/** The counts of one combination of dimensions; or its revenue, if it has a currency. */
export interface CountCell extends Partial<Dimensions> {
  currency: string | null;
  amount: string | null;
  counts: Counts;
}

/** Counts events and revenue by the given dimensions in a time zone. Events without an instant are left out. */
export function cellsOf({ facts, earnings }: Happenings, dimensions: readonly Dimension[], zone: string): CountCell[] {
  const cells = new Map<string, CountCell>();
  for (const { figure, at, count, ...place } of facts) {
    if (at !== null)
      addTo(cells, {
        ...placeIn(place, at, zone, dimensions),
        currency: null,
        amount: null,
        counts: { [figure]: count },
      });
  }
  for (const { at, currency, amount, ...place } of earnings)
    addTo(cells, { ...placeIn(place, at, zone, dimensions), currency, amount, counts: {} });
  return [...cells.values()];
}

/** Adds up the cells that have the same combination of dimensions. */
export function mergedCells(cells: Iterable<CountCell>): CountCell[] {
  const merged = new Map<string, CountCell>();
  for (const cell of cells) addTo(merged, cell);
  return [...merged.values()];
}

function placeIn(place: MailPlace, at: number, zone: string, dimensions: readonly Dimension[]): Partial<Dimensions> {
  const day = dayAt(zone, at);
  const hour = Math.floor((wallAt(zone, at) / HOUR_MS) % 24);
  const all: Dimensions = { ...place, day, weekday: weekdayOf(day), hour };
  return Object.fromEntries(dimensions.map((dimension) => [dimension, all[dimension]]));
}

function addTo(cells: Map<string, CountCell>, { currency, amount, counts, ...place }: CountCell): void {
  const key = JSON.stringify([Object.entries(place).sort(([one], [other]) => (one < other ? -1 : 1)), currency]);
  const cell = cells.get(key);
  if (cell === undefined) {
    cells.set(key, { ...place, currency, amount, counts: { ...counts } });
    return;
  }
  for (const [name, count] of Object.entries(counts) as [Count, number][])
    cell.counts[name] = (cell.counts[name] ?? 0) + count; // its keys
  if (amount !== null) cell.amount = sumOfDecimals(cell.amount ?? "0", amount);
}
