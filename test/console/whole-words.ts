import type { FrameLocator, Locator, Page } from "playwright-core";

/**
 * By default a text or name finds every element that contains it, in any case: "Ada" finds the row of
 * `owner-1f3ada09@acme.test` too, and whether a random id holds those letters is luck. Here a text is found as it is
 * written and as whole words.
 */
export function findWholeWords(page: Page): void {
  for (const one of [page, page.locator("body"), page.frameLocator("iframe")]) change(Object.getPrototypeOf(one));
}

type Finder = Pick<Page | Locator | FrameLocator, "getByRole" | "getByText" | "getByLabel">;

const changed = new WeakSet<object>();

function change(prototype: Finder): void {
  if (changed.has(prototype)) return;
  changed.add(prototype);
  const { getByRole, getByText, getByLabel } = prototype;
  prototype.getByRole = function (this: Finder, role, options = {}) {
    const { name, exact } = options;
    return getByRole.call(
      this,
      role,
      exact || typeof name !== "string" ? options : { ...options, name: wholeWords(name) },
    );
  };
  prototype.getByText = function (this: Finder, text, options) {
    return getByText.call(this, options?.exact || typeof text !== "string" ? text : wholeWords(text), options);
  };
  prototype.getByLabel = function (this: Finder, text, options) {
    return getByLabel.call(this, options?.exact || typeof text !== "string" ? text : wholeWords(text), options);
  };
}

/**
 * Spaces of any kind between words are one, as the browser shows them. A text that ends with a sign, such as `key_`,
 * may continue.
 */
function wholeWords(text: string): RegExp {
  const trimmed = text.trim();
  const words = trimmed.split(/\s+/).map(RegExp.escape).join("\\s+");
  const before = /^[\p{L}\p{N}]/u.test(trimmed) ? "(?<![\\p{L}\\p{N}])" : "";
  const after = /[\p{L}\p{N}]$/u.test(trimmed) ? "(?![\\p{L}\\p{N}])" : "";
  return new RegExp(before + words + after, "u");
}
