import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Called } from "../api/query.ts";

/**
 * The page's state in the URL, such as filters, page number and open row. All values are strings, without any encoding.
 */
export type Raw = Readonly<Record<string, string>>;

/** The fields that every list has in its address. */
export interface Paged {
  page: number;
}

export function readPaged(raw: Raw): Paged {
  const page = Number(raw["page"]);
  return { page: Number.isSafeInteger(page) && page > 0 ? page : 1 };
}

/** Entries of a page of a list. */
export const PAGE_SIZE = 50;

type Change<V> = Partial<Record<keyof V & string, string | number | null>>;

/**
 * Returns the state in the URL and a function that changes it. A value of null removes the name. A change without
 * `page` goes back to the first page.
 */
export function useView<V>(
  read: (raw: Raw) => V,
): [view: V, change: (change: Change<V>, how?: { replaces?: boolean }) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (change: Change<V>, { replaces = false }: { replaces?: boolean } = {}) => {
      const fields = Object.fromEntries(
        Object.entries(textsOf(search)).filter(([name]) => "page" in change || name !== "page"),
      );
      const next = new Map<string, unknown>(Object.entries({ ...fields, ...change }));
      for (const [name, value] of next)
        if (value === null || value === "" || (name === "page" && value === 1)) next.delete(name);
      void navigate({ to: ".", search: Object.fromEntries(next), replace: replaces, resetScroll: false });
    },
    [search, navigate],
  );
  return [read(textsOf(search)), change];
}

function textsOf(search: Record<string, unknown>): Raw {
  return Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
}

/** Returns `value` if it is one of `values`, otherwise null. */
export function oneOf<const T extends string>(values: readonly T[], value: string | undefined): T | null {
  return values.find((one) => one === value) ?? null;
}

/** The answer of every paged endpoint. */
export interface PageOf<T> {
  items: readonly T[];
  total: number;
  totalIsExact?: boolean;
  page: number;
  pageSize: number;
  /** True if `items` is the whole list, of which the table shows one page. */
  isWhole?: true;
}

/** For a list that the server returns as a whole: the table sorts all of it and shows one page. */
export function pageOfWhole<T>(
  called: Called<readonly T[]>,
  page: number,
  isShown: (row: T) => boolean = () => true,
): Called<PageOf<T>> {
  const items = called.data?.filter(isShown);
  return { ...called, data: items && { items, total: items.length, page, pageSize: PAGE_SIZE, isWhole: true } };
}

/** The sort order of a table in the URL: a column's name, with `-` before it for descending order. */
export interface Ordering {
  sort: string;
  usual: string;
  /** The fields by which the server can sort. It has all rows, also those on other pages. */
  served: readonly string[];
  onSort: (sort: string) => void;
}

interface SortSettings {
  served?: readonly string[];
  usual?: string;
  /** The name of the parameter in the URL. */
  name?: string;
}

/**
 * Returns the sort order in the URL, and in `asked` the order to request from the server. The default is newest first
 * unless `usual` is set.
 */
export function useSort({
  served = [],
  usual = "-createdAt",
  name = "sort",
}: SortSettings): Ordering & { asked: string } {
  const [raw, change] = useView(readAll);
  const sort = raw[name] ?? usual;
  const asked = served.includes(columnOf(sort)) ? sort : usual;
  return { sort, usual, served, asked, onSort: (next) => change({ [name]: next === usual ? null : next }) };
}

function readAll(raw: Raw): Raw {
  return raw;
}

/** The column's name in a sort order. */
export function columnOf(sort: string): string {
  return sort.replace(/^-/, "");
}
