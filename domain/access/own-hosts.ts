/** A request as a browser describes it to a server that asks nobody for a key. */
export interface Asked {
  method: string;
  /** The request's one Host. */
  host: string | undefined;
  origin: string | undefined;
  /** `Sec-Fetch-Site`, `-Mode` and `-Dest`: which page asked, and what for. Only browsers say it. */
  site: string | undefined;
  mode: string | undefined;
  dest: string | undefined;
  /** Where the connection came in. */
  address: string | undefined;
}

export interface OwnRules {
  /** Host names of this installation, lower-cased, without ports. */
  names: ReadonlySet<string>;
  /** Whether anything but reading is served. */
  writes: boolean;
}

export interface Refused {
  status: 403 | 405 | 421;
  message: string;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** The loopback names, those that are given, and the hosts of these addresses. */
export function ownNames(names: readonly string[], urls: readonly string[] = []): ReadonlySet<string> {
  return new Set([...LOOPBACK, ...[...names, ...urls.map((url) => new URL(url).hostname)].map((name) => name.toLowerCase())]);
}

/**
 * Why a server without a login of its own must not answer; null when it may. A stranger's page reaches it in two ways: it points its
 * own name at this machine, which its Host gives away, or it asks across sites, which the browser says.
 */
export function refusalOf(asked: Asked, { names, writes }: OwnRules): Refused | null {
  if (!isOwn(asked, names)) return { status: 421, message: "No name of this installation: ALLOWED_HOSTS may add it" };
  if (isForeign(asked)) return { status: 403, message: "Asked for by a page of another site" };
  if (isReading(asked.method)) return null;
  if (!writes) return { status: 405, message: "Nothing can be changed here" };
  if (!isSameOrigin(asked) && asked.site !== "same-origin") return { status: 403, message: "Only its own pages may change something" };
  return null;
}

/** An address is ours where the connection came in by it; a name only when it is known, on whatever port. */
function isOwn({ host = "", address }: Asked, names: ReadonlySet<string>): boolean {
  const name = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i.exec(host)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const here = address?.replace(/^::ffff:/, "");
  return names.has(name) || name === here || name === `[${here}]`;
}

function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/** To follow a link from elsewhere is no harm; to be read, written or framed by elsewhere is. */
function isForeign(asked: Asked): boolean {
  const { method, origin, site, mode, dest } = asked;
  if (origin !== undefined && !isSameOrigin(asked)) return true;
  if (site === undefined || site === "same-origin" || site === "none") return false;
  return !(isReading(method) && mode === "navigate" && dest === "document");
}

function isSameOrigin({ origin, host }: Asked): boolean {
  return origin !== undefined && URL.parse(origin)?.host === host?.toLowerCase();
}
