/** Neither a separator nor blank edges, and no quote first. */
const PLAIN = /^(?![\s"])[^,;]*(?<!\s)$/u;
/** One tag and the separator after it: in quotes, where a quote is written twice, or as it stands. */
const NEXT = /\s*(?:"(?<quoted>(?:[^"]|"")*)"\s*(?=[,;]|$)|(?<plain>[^,;]*))(?:[,;]|$)/gu;

/** Tags as one text that `tagsIn` reads back: only what that would change stands in quotes. */
export function tagList(tags: readonly string[]): string {
  return tags.map((tag) => (PLAIN.test(tag) ? tag : `"${tag.replaceAll('"', '""')}"`)).join(", ");
}

/** The tags of a list that commas or semicolons part. */
export function tagsIn(text: string): string[] {
  const tags = [...text.matchAll(NEXT)].map(({ groups }) => groups?.["quoted"]?.replaceAll('""', '"') ?? groups?.["plain"]?.trim() ?? "");
  return tags.filter(Boolean);
}
