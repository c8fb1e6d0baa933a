import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/** What the address says of the view: filters, page, the open row. Texts alone, so that every link reads as it looks. */
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
 * The view that the address describes, and what changes it: a name that becomes null leaves the address. Another filter begins at the
 * first page again.
 */
export function useView<V>(read: (raw: Raw) => V): [view: V, change: (change: Change<V>, how?: { replaces?: boolean }) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (change: Change<V>, { replaces = false }: { replaces?: boolean } = {}) => {
      const known = Object.fromEntries(Object.entries(textsOf(search)).filter(([name]) => "page" in change || name !== "page"));
      const next = new Map<string, unknown>(Object.entries({ ...known, ...change }));
      for (const [name, value] of next) if (value === null || value === "" || (name === "page" && value === 1)) next.delete(name);
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
