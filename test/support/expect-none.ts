import { inspect } from "node:util";

const MOST_SHOWN = 20;

/**
 * Fails unless the list is empty, and says what to do about each item: `advice` names the file to change and what to
 * write there.
 */
export function expectNone(found: readonly unknown[], advice: string): void {
  if (found.length === 0) return;
  const shown = found
    .slice(0, MOST_SHOWN)
    .map((one) => `  ${typeof one === "string" ? one : inspect(one, { breakLength: Number.POSITIVE_INFINITY })}`);
  const more = found.length > MOST_SHOWN ? [`  … and ${found.length - MOST_SHOWN} more`] : [];
  throw new Error([advice, ...shown, ...more].join("\n"));
}

/** Fails unless both lists have the same items, and says which are missing and which are too many, with what to do. */
export function expectSame(
  found: readonly string[],
  wanted: readonly string[],
  { missing, extra }: { missing: string; extra: string },
): void {
  expectNone(
    wanted.filter((one) => !found.includes(one)),
    missing,
  );
  expectNone(
    found.filter((one) => !wanted.includes(one)),
    extra,
  );
}
