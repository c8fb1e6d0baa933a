import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import type { Called } from "../api/query.ts";

/**
 * What the address says of the view: filters, page, the open row. Texts alone, so that every link reads as it looks.
 */
export type Raw = Readonly<Record<string, string>>;

/** What lists have in their address. */
export interface Paged {
  page: number;
}

export function readPaged(raw: Raw): Paged {
  const page = Number(raw["page"]);
  return { page: Number.isSafeInteger(page) && page > 0 ? page : 1 };
}

/** Entries that a page of a list shows. */
export const PAGE_SIZE = 50;

type Change<V> = Partial<Record<keyof V & string, string | number | null>>;

/**
 * The view that the address describes, and what changes it: a name that becomes null leaves the address. Another filter
 * begins at the first page again.
 */
export function useView<V>(
  read: (raw: Raw) => V,
): [view: V, change: (change: Change<V>, how?: { replaces?: boolean }) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (change: Change<V>, { replaces = false }: { replaces?: boolean } = {}) => {
      const known = Object.fromEntries(
        Object.entries(textsOf(search)).filter(([name]) => "page" in change || name !== "page"),
      );
      const next = new Map<string, unknown>(Object.entries({ ...known, ...change }));
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

/** A value of the address that is one of these; null when it is none. */
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
  /** The items are all there are, of which a table shows this page. */
  isWhole?: true;
}

/** A list that the service answers as a whole, of which a table shows a page after it has put all of it in order. */
export function pageOfWhole<T>(
  called: Called<readonly T[]>,
  page: number,
  isShown: (row: T) => boolean = () => true,
): Called<PageOf<T>> {
  const items = called.data?.filter(isShown);
  return { ...called, data: items && { items, total: items.length, page, pageSize: PAGE_SIZE, isWhole: true } };
}

/**
 * How a table is ordered, as the address says it: the name of a column, with `-` before it from the last to the first.
 */
export interface Ordering {
  sort: string;
  usual: string;
  /** The orders that the service knows. It knows all rows, so any of them may be asked for. */
  served: readonly string[];
  onSort: (sort: string) => void;
}

interface SortSettings {
  served?: readonly string[];
  usual?: string;
  /** What the address calls it. */
  name?: string;
}

/**
 * The order that the address names, and the one to ask the service for. Newest first unless something else is usual.
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

/** The name of the column that an order names. */
export function columnOf(sort: string): string {
  return sort.replace(/^-/, "");
}
