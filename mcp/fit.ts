import type { ToolRow } from "../operations/declaration.ts";
import { type Cut, shortenTo } from "./shorten.ts";

/** Characters of one result, errors included (rules/tools 4). */
export const MOST_CHARACTERS = 25_000;

/** Sizes that a page may shrink to, largest first. */
const SIZES = [200, 100, 50, 40, 25, 20, 16, 10, 8, 5, 4, 2, 1];
/** Characters for the fields that mark a shortened page. */
const MARKS = 120;

export interface Fitted {
  text: string;
  isTruncated: boolean;
}

/** How a tool lists rows outside a page, with the arguments of this call. */
export interface ToolListing {
  rows?: ToolRow["rows"];
  given?: Record<string, unknown>;
  /** The texts of which the value has only a part. */
  cuts?: readonly Cut[];
}

/**
 * Returns JSON of at most 25,000 characters. Rows are dropped whole: a page shrinks to a smaller page of the same list,
 * so that following `next` returns each entry once. A row that does not fit alone, and anything else, loses the ends of
 * its longest texts and lists, which `cut` lists. Ids, numbers and dates are never cut.
 */
export function fitText(value: unknown, listing: ToolListing = {}): Fitted {
  const whole = fitRows(value, listing);
  if (whole !== null) return whole;
  const { cuts } = listing;
  const text = (isPage(value) ? onlyRow(value) : null) ?? shortened(value, cuts) ?? lastResort(JSON.stringify(value));
  return { text, isTruncated: true };
}

/** The same without cutting any row; null when not even one row fits. */
export function fitRows(value: unknown, { rows, given = {} }: ToolListing = {}): Fitted | null {
  const whole = JSON.stringify((isPage(value) ? withNext(value) : withNextRows(value, rows, given)) ?? null);
  if (whole.length <= MOST_CHARACTERS) return { text: whole, isTruncated: false };
  const text = isPage(value) ? smallerPage(value) : rows === undefined ? null : fewerRows(value, rows, given);
  return text === null ? null : { text, isTruncated: true };
}

interface Page {
  items: unknown[];
  total: number;
  page: number;
  pageSize: number;
}

function isPage(value: unknown): value is Page {
  if (!isRecord(value)) return false;
  const { items, total, page, pageSize } = value;
  return Array.isArray(items) && [total, page, pageSize].every((one) => typeof one === "number");
}

/** The page with the place of the next one, so that following `next` ends only at the end of the list. */
function withNext(value: Page): Page {
  const { items, page, pageSize, total } = value;
  const hasMore = items.length > 0 && page * pageSize < total;
  return hasMore ? { ...value, ...{ next: { page: page + 1, pageSize } } } : value;
}

/** The largest smaller page that fits and starts at the same entry; null when not even one entry fits. */
function smallerPage(value: Page): string | null {
  const { items, page, pageSize } = value;
  const size = sizeOf({ ...value, items: [] }, items, (page - 1) * pageSize, pageSize - 1);
  return size === null ? null : JSON.stringify(pageOfSize(value, size, items.slice(0, size)));
}

/** The page of this size that starts at the same entry. */
function pageOfSize(value: Page, size: number, items: unknown[]) {
  const offset = (value.page - 1) * value.pageSize;
  const page = offset / size + 1;
  const hasMore = size < value.items.length || offset + size < value.total;
  const next = hasMore ? { next: { page: page + 1, pageSize: size } } : {};
  return { ...value, items, page, pageSize: size, truncated: true, ...next };
}

/** The largest page size of at most `most` that fits beside `rest`, and at which a page starts at `offset`. */
function sizeOf(rest: unknown, items: readonly unknown[], offset: number, most: number): number | null {
  const room = MOST_CHARACTERS - JSON.stringify(rest).length - MARKS;
  const ends: number[] = [];
  for (const item of items) ends.push((ends.at(-1) ?? 0) + JSON.stringify(item ?? null).length + 1);
  const lengthOf = (size: number) => ends[Math.min(size, ends.length) - 1] ?? 0;
  return SIZES.find((size) => size <= most && offset % size === 0 && lengthOf(size) <= room) ?? null;
}

/** The page with its first row alone, which is cut because it does not fit; its id stays whole. */
function onlyRow(value: Page): string | null {
  const { items, page, pageSize, total } = value;
  if (items.length === 0) return null;
  const at = (page - 1) * pageSize + 1;
  const next = at < total ? { next: { page: at + 1, pageSize: 1 } } : {};
  return shortened({ ...value, items: items.slice(0, 1), page: at, pageSize: 1, ...next });
}

/** The place of a list whose number of rows is an argument; null for other answers. */
function placeOf(value: unknown, rows: ToolRow["rows"], given: Record<string, unknown>) {
  const { limit, list = "" } = rows ?? {};
  const items: unknown = isRecord(value) ? value[list] : null;
  if (limit === undefined || !Array.isArray(items)) return null;
  const numberOf = (name: string, otherwise: number) => (given[name] === undefined ? otherwise : Number(given[name]));
  const [page, most] = [numberOf("page", 1), numberOf(limit.name, limit.default)];
  const offset = (page - 1) * most;
  /** Where the rows after the first `size` begin; nothing after the last page that can be read. */
  const nextAfter = (size: number) => {
    const following = offset / size + 2;
    return following > limit.lastPage ? {} : { next: { page: following, [limit.name]: size } };
  };
  return { items, most, offset, nextAfter };
}

/** A full list with the place of the next one. Its total is unknown, so the last one may be empty. */
function withNextRows(value: unknown, rows: ToolRow["rows"], given: Record<string, unknown>): unknown {
  const place = placeOf(value, rows, given);
  return isRecord(value) && place !== null && place.items.length === place.most
    ? { ...value, ...place.nextAfter(place.most) }
    : value;
}

/**
 * Drops whole rows from the end of a list that is no page: `next` names the arguments that read on, or the field of the
 * answer that says so is set.
 */
function fewerRows(value: unknown, rows: Rows, given: Record<string, unknown>): string | null {
  const { list, more } = rows;
  if (!isRecord(value)) return null;
  const place = placeOf(value, rows, given);
  if (place !== null) {
    const { items, offset, most, nextAfter } = place;
    const size = sizeOf({ ...value, [list]: [] }, items, offset, most - 1);
    if (size === null) return null;
    return JSON.stringify({ ...value, [list]: items.slice(0, size), truncated: true, ...nextAfter(size) });
  }
  const items: unknown = value[list];
  if (!Array.isArray(items)) return null;
  for (let kept = items.length - 1; kept >= 1; kept--) {
    const fewer = { ...value, [list]: items.slice(0, kept), ...(more !== undefined && { [more]: true }) };
    const text = JSON.stringify({ ...fewer, truncated: true });
    if (text.length <= MOST_CHARACTERS) return text;
  }
  return null;
}

type Rows = NonNullable<ToolRow["rows"]>;

function shortened(value: unknown, cuts: readonly Cut[] = []): string | null {
  if (!isRecord(value)) return null;
  const fits = (copy: object, cut: readonly Cut[]) => {
    const text = JSON.stringify({ ...copy, truncated: true, cut });
    return text.length <= MOST_CHARACTERS ? text : null;
  };
  return shortenTo(value, fits, cuts);
}

function lastResort(whole: string): string {
  const message = "The result is too long and could not be shortened in parts: request less";
  for (let length = 20_000; ; length = Math.floor(length / 2)) {
    const preview = whole.slice(0, length).toWellFormed();
    const text = JSON.stringify({ truncated: true, message, preview });
    if (text.length <= MOST_CHARACTERS) return text;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
