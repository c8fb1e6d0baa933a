/**
 * The most characters of a link's target as the author wrote it. A link with a longer target stays unchanged
 * (rules/tracking 1.3).
 */
const MOST_TARGET = 2_048;

/**
 * The authority of a URL, up to the first character that ends it. A backslash ends it too. What follows a backslash is
 * not read, because programs disagree on its meaning.
 */
const AUTHORITY = /^(https?:\/\/)([^/?#\\]+)(?:[/?#]|$)/i;
const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

/**
 * The target of a link if we may redirect to it: http or https, without userinfo and control characters, and not too
 * long (rules/tracking 1.3). Otherwise null. White space around the target is ignored, as in browsers.
 */
export function readTarget(href: string): string | null {
  const url = href.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, "");
  const authority = AUTHORITY.exec(url)?.[2];
  if (authority === undefined || authority.includes("@") || url.length > MOST_TARGET) return null;
  if (CONTROL.test(url) || !url.isWellFormed()) return null;
  return URL.canParse(url) ? url : null;
}

/**
 * The target in the form for a header field: non-ASCII characters are encoded as in browsers, and all other characters
 * stay unchanged. Takes the result of `readTarget`.
 */
export function locationOf(target: string): string {
  const [, scheme = "", authority = ""] = AUTHORITY.exec(target) ?? [];
  const rest = target.slice(scheme.length + authority.length);
  return scheme + asciiHost(target, authority) + rest.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** The host in A-labels. A host that already has A-labels stays unchanged. */
function asciiHost(target: string, authority: string): string {
  return /^[\x21-\x7e]*$/.test(authority) ? authority : new URL(target).host;
}

/**
 * The hosts of a campaign's conversion domains, in lower case and in A-labels. Text that is not a host is left out.
 */
export function conversionHostsOf(domains: readonly string[]): string[] {
  return domains.flatMap((domain) => {
    const name = domain
      .trim()
      .replace(/^https?:\/\//i, "")
      .replace(/^\*\./, "");
    const url = `http://${name}`;
    return URL.canParse(url) ? bareHost(url) : [];
  });
}

/** Whether a target is on one of the hosts or under it. `hosts` as `conversionHostsOf` gives them. */
export function leadsTo(hosts: readonly string[], target: string): boolean {
  const [host = ""] = hosts.length === 0 ? [] : bareHost(target);
  return host !== "" && hosts.some((one) => host === one || host.endsWith(`.${one}`));
}

function bareHost(url: string): string[] {
  const host = new URL(url).hostname.replace(/\.$/, "");
  return host === "" ? [] : [host];
}

/**
 * The target with `svc` in its query. An existing `svc` is replaced; the rest of the query and the fragment stay
 * unchanged.
 */
export function withCid(target: string, cid: string): string {
  const [, path = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(target) ?? [];
  const own = `svc=${cid}`;
  const parts = (query ?? "").split("&");
  const first = parts.findIndex(isCid);
  const newParts = parts.flatMap((part, at) => (at === first ? own : isCid(part) ? [] : part));
  const newQuery = first >= 0 ? newParts.join("&") : query ? `${query}&${own}` : own;
  return `${path}?${newQuery}${fragment}`;
}

/** The target without `svc` in its query; the rest stays unchanged. */
export function withoutCid(target: string): string {
  const [, path = "", query, fragment = ""] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(target) ?? [];
  const otherParts = (query ?? "").split("&").filter((part) => !isCid(part));
  return query === undefined || otherParts.length === 0
    ? `${path}${fragment}`
    : `${path}?${otherParts.join("&")}${fragment}`;
}

/** Whether a part of a query is named `svc`, also with encoded letters. */
function isCid(part: string): boolean {
  return new URLSearchParams(part).has("svc");
}
