/** Replaces what names a person in texts about others. */
export interface Redactor {
  /** Whether the text contains an address or the full name of the person. */
  names(text: string): boolean;
  text<T extends string | null | undefined>(text: T): T;
  /** A copy of the value with the same replacement in each of its texts. Dates and bytes stay as they are. */
  deep<T>(value: T): T;
}

/** What replaces an address or a name. */
export const ERASED_TEXT = "[erased]";

/** A person as texts name them: addresses in lower case, and full names of at least two words. */
export interface NamedPerson {
  addresses: readonly string[];
  names: readonly string[];
}

/**
 * Finds the addresses and full names of a person, whatever the case. `ada@x.example` is not found in
 * `ada@x.example.com`. A first name alone is not replaced, because other people have it too.
 */
export function redactorOf({ addresses, names }: NamedPerson): Redactor {
  const written = addresses.flatMap((address) => [address, encodeURIComponent(address)]);
  const parts = [
    ...written.map(
      (address) => `(?<![\\p{L}\\p{N}._%+-])${escapePattern(address)}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`,
    ),
    ...names.map(
      (name) => `(?<![\\p{L}\\p{N}])${name.trim().split(/\s+/).map(escapePattern).join("\\s+")}(?![\\p{L}\\p{N}])`,
    ),
  ];
  const found = new RegExp(parts.length === 0 ? "(?!)" : parts.join("|"), "giu");
  const text = (value: string) => value.replace(found, ERASED_TEXT);
  const deep = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(deep);
    if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deep(inner)]));
  };
  return {
    names: (value) => value.search(found) >= 0,
    text: (value) => (typeof value === "string" ? text(value) : value) as typeof value, // the same type
    deep: (value) => deep(value) as typeof value, // the same shape
  };
}

/** A pattern for the database that finds each of these texts as a part, whatever the case. */
export function partPattern(texts: readonly string[]): RegExp {
  return new RegExp(texts.length === 0 ? "(?!)" : texts.map(escapePattern).join("|"), "i");
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
