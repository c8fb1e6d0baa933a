/** The parts of a request that show where it comes from, for a server that requires no key. */
export interface BrowserRequest {
  method: string;
  /** The single Host header of the request. */
  host: string | undefined;
  origin: string | undefined;
  /** `Sec-Fetch-Site`, `-Mode` and `-Dest`: which page made the request and for what. Only browsers send them. */
  site: string | undefined;
  mode: string | undefined;
  dest: string | undefined;
  /** The local address at which the connection arrived. */
  address: string | undefined;
}

export interface OwnRules {
  /** Host names of this deployment, lower-case and without ports. */
  names: ReadonlySet<string>;
  /** Whether the server accepts requests that change something. */
  writes: boolean;
}

export interface HostRefusal {
  status: 403 | 405 | 421;
  message: string;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** The loopback names, the given names and the hosts of the given URLs. */
export function ownNames(names: readonly string[], urls: readonly string[] = []): ReadonlySet<string> {
  return new Set([
    ...LOOPBACK,
    ...[...names, ...urls.map((url) => new URL(url).hostname)].map((name) => name.toLowerCase()),
  ]);
}

/**
 * Why a server that has no login must refuse a request; null when it may answer. A stranger's page can reach the server
 * in two ways. It can point its own host name at this machine, which the Host header reveals, or it can make a
 * cross-site request, which the browser reveals.
 */
export function hostRefusalOf(request: BrowserRequest, { names, writes }: OwnRules): HostRefusal | null {
  if (!isOwn(request, names))
    return { status: 421, message: "This host name does not belong to the deployment; ALLOWED_HOSTS can add it" };
  if (isForeign(request)) return { status: 403, message: "The request comes from a page of another site" };
  if (isReading(request.method)) return null;
  if (!writes) return { status: 405, message: "Nothing can be changed here" };
  if (!isSameOrigin(request) && request.site !== "same-origin")
    return { status: 403, message: "Only pages of this service can make changes" };
  return null;
}

/**
 * An IP address is our own when the connection arrived at it. A name is our own only when it is a known name, on any
 * port.
 */
function isOwn({ host = "", address }: BrowserRequest, names: ReadonlySet<string>): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const here = address?.replace(/^::ffff:/, "");
  return names.has(name) || name === here || name === `[${here}]`;
}

function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Whether another site made the request in a harmful way: to read, to write, or to show the page in a frame. Following
 * a link from another site is harmless.
 */
function isForeign(request: BrowserRequest): boolean {
  const { method, origin, site, mode, dest } = request;
  if (origin !== undefined && !isSameOrigin(request)) return true;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return !(isReading(method) && mode === "navigate" && dest === "document");
}

function isSameOrigin({ origin, host }: BrowserRequest): boolean {
  return origin !== undefined && URL.parse(origin)?.host === host?.toLowerCase();
}
