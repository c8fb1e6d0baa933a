import { LEAD_FIELD, importWords as says } from "../../words/en/leads/import.ts";
import type { ColumnMapping, FileColumn } from "./reads.ts";

const EMAIL = "email";
const TAGS = "tags";
const CUSTOM = "customFields.";

/** The name of a field for people. */
export function fieldName(field: string, custom: readonly { key: string; label: string }[]): string {
  const known: Readonly<Record<string, string>> = LEAD_FIELD;
  const own = known[field];
  if (own !== undefined) return own;
  const key = field.slice(CUSTOM.length);
  return custom.find((one) => one.key === key)?.label ?? says.custom(key);
}

export function customField(key: string): string {
  return `${CUSTOM}${key}`;
}

export type Fault = "NO_EMAIL" | { twiceWith: string };

/** What is wrong with the mapping, by column. Only tags may come from several columns. */
export function faultsOf(columns: readonly FileColumn[], mapping: ColumnMapping): ReadonlyMap<string, Fault> {
  const faults = new Map<string, Fault>();
  const usedBy = new Map<string, string>();
  for (const { name } of columns) {
    const field = mapping.get(name) ?? "";
    if (field === "" || field === TAGS) continue;
    const before = usedBy.get(field);
    if (before !== undefined) faults.set(name, { twiceWith: before });
    else usedBy.set(field, name);
  }
  const [first] = columns;
  if (!usedBy.has(EMAIL) && first !== undefined) faults.set(first.name, faults.get(first.name) ?? "NO_EMAIL");
  return faults;
}
