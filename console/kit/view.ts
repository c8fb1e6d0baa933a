import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Called } from "../api/query.ts";

/**
 * The state of the view in the address: filters, page, the open row. All values are texts, so that every link reads as
 * it looks.
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
 * The view in the address, and the function that changes it: a name that becomes null is removed. A new filter starts
 * at the first page.
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

/** A value of the address, if it is one of these; else null. */
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
  /** The items are the whole list, and a table shows one page of it. */
  isWhole?: true;
}

/** A list that the service answers as a whole: the table sorts all of it and then shows one page. */
export function pageOfWhole<T>(
  called: Called<readonly T[]>,
  page: number,
  isShown: (row: T) => boolean = () => true,
): Called<PageOf<T>> {
  const items = called.data?.filter(isShown);
  return { ...called, data: items && { items, total: items.length, page, pageSize: PAGE_SIZE, isWhole: true } };
}

/** The order of a table in the address: the name of a column, with `-` before it for descending order. */
export interface Ordering {
  sort: string;
  usual: string;
  /** The orders that the service offers. It has all rows, so it can sort by any of them. */
  served: readonly string[];
  onSort: (sort: string) => void;
}

interface SortSettings {
  served?: readonly string[];
  usual?: string;
  /** The column's name in the address. */
  name?: string;
}

/**
 * The order in the address, and the order to request from the service. The default is newest first, unless the list
 * sets another.
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

/** The name of the column in an order. */
export function columnOf(sort: string): string {
  return sort.replace(/^-/, "");
}
