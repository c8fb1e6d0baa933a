const LONGEST = 2_000;
const HERE = "http://here.invalid";

/**
 * A path of this service to which a browser may be redirected, as browsers parse it. Null for every form of a URL of
 * another site, and for a text that is not a path.
 */
export function ownPath(asked: unknown): string | null {
  if (typeof asked !== "string" || !asked.startsWith("/") || asked.length > LONGEST) return null;
  const url = URL.canParse(asked, HERE) ? new URL(asked, HERE) : null;
  // `/.//elsewhere` is a path of this service, but it normalizes to `//elsewhere`, which is another site
  if (url?.origin !== HERE || url.pathname.startsWith("//")) return null;
  return `${url.pathname}${url.search}`;
}
