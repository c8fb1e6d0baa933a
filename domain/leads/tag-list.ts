/** A tag that needs no quotes: no separator, no white space at its edges and no quote at its start. */
const PLAIN = /^(?![\s"])[^,;]*(?<!\s)$/u;
/** One tag and the separator after it. The tag stands in quotes, where a quote is written twice, or as it is. */
const NEXT = /\s*(?:"(?<quoted>(?:[^"]|"")*)"\s*(?=[,;]|$)|(?<plain>[^,;]*))(?:[,;]|$)/gu;

/** Writes tags as one text that `tagsIn` reads back. Only tags that would otherwise change are quoted. */
export function tagList(tags: readonly string[]): string {
  return tags.map((tag) => (PLAIN.test(tag) ? tag : `"${tag.replaceAll('"', '""')}"`)).join(", ");
}

/** The tags of a list that is separated by commas or semicolons. */
export function tagsIn(text: string): string[] {
  const tags = [...text.matchAll(NEXT)].map(({ groups }) => groups?.["quoted"]?.replaceAll('""', '"') ?? groups?.["plain"]?.trim() ?? "");
  return tags.filter(Boolean);
}
