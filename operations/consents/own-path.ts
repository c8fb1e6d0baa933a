const LONGEST = 2_000;
const HERE = "http://here.invalid";

/**
 * A path of ours to send a browser to, as browsers read it; null for another site, however it is written, and for what
 * is no path.
 */
export function ownPath(asked: unknown): string | null {
  if (typeof asked !== "string" || !asked.startsWith("/") || asked.length > LONGEST) return null;
  const url = URL.canParse(asked, HERE) ? new URL(asked, HERE) : null;
  // `/.//elsewhere` is a path here, whose own beginning is another site
  if (url?.origin !== HERE || url.pathname.startsWith("//")) return null;
  return `${url.pathname}${url.search}`;
}
