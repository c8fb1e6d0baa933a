import ipaddr from "ipaddr.js";
import { invalid } from "../errors.ts";
import { hostNotAllowed, insideRefusal } from "./host-refusal.ts";

/**
 * One `host:port` pair of EGRESS_ALLOW. The rules about hosts and HTTPS do not apply to this pair. The host is spelt as
 * WHATWG spells it.
 */
export interface Allow {
  host: string;
  port: number | "*";
}

/**
 * The deployment's additions to the rules about hosts: the pairs that it allows, and its own host names, which no
 * caller may use.
 */
export interface PlaceRules {
  allow: readonly Allow[];
  ownHosts: readonly string[];
}

const MAIL_PORTS = [25, 465, 587, 2525, 143, 993];
const MAX_URL_LENGTH = 2048;
const LOCAL_SUFFIXES = ["localhost", "local", "internal", "home.arpa", "onion"];

const BLOCKED_V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;
const BLOCKED_V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const;
const V4 = BLOCKED_V4.map(([base, bits]) => [ipaddr.IPv4.parse(base), bits] as const);
const V6 = BLOCKED_V6.map(([base, bits]) => [ipaddr.IPv6.parse(base), bits] as const);
const GLOBAL_UNICAST = ipaddr.IPv6.parse("2000::");

/**
 * Reads EGRESS_ALLOW: comma-separated `host:port` pairs, where the port `*` means every port and IPv6 addresses are in
 * brackets. An empty text gives no pairs. Throws a TypeError that names a pair it cannot read, so that a misspelt
 * configuration stops the start.
 */
export function parseAllow(list: string): Allow[] {
  const pairs = list.split(",").map((pair) => pair.trim());
  return pairs.filter((pair) => pair !== "").map(parsePair);
}

/**
 * Whether the configuration exempts this host and port. The comparison is exact: allowing a name does not allow its
 * address.
 */
export function isAllowed(host: string, port: number, allow: readonly Allow[]): boolean {
  const canonical = canonicalHost(host);
  return allow.some((pair) => pair.host === canonical && (pair.port === "*" || pair.port === port));
}

/**
 * True for every address range of rules/webhooks 4.2, and for text that is not an address. An IPv4-mapped address
 * counts as its IPv4 address.
 */
export function isBlockedAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (address === undefined) return true;
  if (address instanceof ipaddr.IPv4) return V4.some(([base, bits]) => address.match(base, bits));
  return !address.match(GLOBAL_UNICAST, 3) || V6.some(([base, bits]) => address.match(base, bits));
}

/**
 * The one canonical spelling of an address, so that two addresses can be compared. An IPv4-mapped address becomes its
 * IPv4 address. Undefined for other text.
 */
export function canonicalAddress(ip: string): string | undefined {
  return parseAddress(ip)?.toString();
}

/** Whether the host of a URL or mail server, as WHATWG spells it, is an address rather than a name. */
export function isAddress(host: string): boolean {
  return parseAddress(host) !== undefined;
}

/**
 * The host as WHATWG parsing reads it: lower-case, with A-labels, without brackets and without a final dot;
 * `0177.0.0.1` and `2130706433` become the addresses they mean. Undefined when the text is not a host or has an empty
 * label.
 */
export function canonicalHost(host: string): string | undefined {
  if (host === "" || /[\s/?#@\\]/.test(host)) return undefined;
  const bare = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const url = URL.parse(`http://${bare}:1/`); // the appended port makes a host that carries its own port fail to parse
  if (url === null) return undefined;
  const name = hostOf(url);
  return name.split(".").includes("") ? undefined : name; // WHATWG accepts "." and "a..b" as hosts
}

/**
 * Checks the URL of a subscriber (rules/webhooks 4.1, at create and PATCH) and returns it normalised; callers store its
 * `href`. Throws VALIDATION_FAILED when its form is wrong and HOST_NOT_ALLOWED when its host or port is refused.
 */
export function checkWebhookUrl(text: string, rules: PlaceRules): URL {
  if (text.length > MAX_URL_LENGTH) throw invalid("url", `A URL has at most ${MAX_URL_LENGTH} characters`, "TOO_LONG");
  const url = URL.parse(text);
  if (url === null) throw invalid("url", "This is not a URL");
  if (url.protocol !== "https:" && !isExempt(url, rules))
    throw invalid("url", "The URL must start with https://, unless EGRESS_ALLOW names its host and port");
  if (url.username !== "" || url.password !== "")
    throw invalid("url", "The URL must not carry a user name or password");
  if (url.href.includes("#")) throw invalid("url", "The URL must not carry a fragment");
  if (url.href.length > MAX_URL_LENGTH)
    throw invalid("url", `A URL has at most ${MAX_URL_LENGTH} characters`, "TOO_LONG");
  checkUrlPlace(url, rules);
  return url;
}

/** Checks only the host and port of a URL. Call it again before every request. Throws HOST_NOT_ALLOWED. */
export function checkUrlPlace(url: URL, rules: PlaceRules): void {
  if (isExempt(url, rules)) return;
  const [host, port] = [hostOf(url), portOf(url)];
  if (url.protocol !== "https:")
    throw hostNotAllowed(host, port, { reason: "NOT_HTTPS", why: "is not reached over HTTPS" });
  if (port !== 443 && port < 1024)
    throw hostNotAllowed(host, port, { reason: "PORT", why: "has a port that is neither 443 nor 1024 or higher" });
  if (isAddress(host))
    throw hostNotAllowed(host, port, {
      reason: "ADDRESS_NOT_NAME",
      why: "is an IP address: a URL needs a host name",
    });
  checkName(host, port, rules);
}

/**
 * Checks the host and port of a mail server (rules/security 4.2) and returns the host in the form in which to connect
 * to it. Throws VALIDATION_FAILED for text that is not a host, and HOST_NOT_ALLOWED for a port, name or address that
 * the rules refuse.
 */
export function checkMailHost(host: string, port: number, rules: PlaceRules): string {
  const canonical = canonicalHost(host);
  if (canonical === undefined) throw invalid("host", "This is not a host name");
  if (isAllowed(canonical, port, rules.allow)) return canonical;
  if (!MAIL_PORTS.includes(port)) {
    throw hostNotAllowed(canonical, port, {
      reason: "PORT",
      why: `has no mail port: ${MAIL_PORTS.join(", ")}`,
    });
  }
  if (!isAddress(canonical)) checkName(canonical, port, rules);
  else if (isBlockedAddress(canonical)) throw hostNotAllowed(canonical, port, insideRefusal(canonical));
  return canonical;
}

/**
 * Parses an IP address; undefined for other text. The text is normalised first, because ipaddr.js reads `::8.8.8.8` as
 * a mapped address and `1.2.3` as 1.2.0.3.
 */
function parseAddress(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  const url = ip.includes(":") ? URL.parse(`http://[${ip}]/`) : null;
  return url === null ? undefined : ipaddr.process(hostOf(url));
}

function isExempt(url: URL, rules: PlaceRules): boolean {
  return (url.protocol === "https:" || url.protocol === "http:") && isAllowed(hostOf(url), portOf(url), rules.allow);
}

/**
 * Whether a name, as WHATWG spells it, can only mean a host inside the local network, because no one can register it in
 * the public DNS.
 */
export function isLocalName(host: string): boolean {
  return LOCAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

function checkName(host: string, port: number, rules: PlaceRules): void {
  const isOwn = rules.ownHosts.some((own) => canonicalHost(own) === host);
  if (isOwn) throw hostNotAllowed(host, port, { reason: "OWN_NAME", why: "is this service's own name" });
  if (isLocalName(host))
    throw hostNotAllowed(host, port, { reason: "LOCAL_NAME", why: "is a name of a local network" });
  if (!host.includes("."))
    throw hostNotAllowed(host, port, {
      reason: "SHORT_NAME",
      why: "is not a full name: it needs a dot, as in mail.example.com",
    });
}

/** The host of a parsed URL without brackets and without the dot that ends an absolute name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.+$/, "");
}

function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "http:" ? 80 : 443;
}

function parsePair(pair: string): Allow {
  const colon = pair.lastIndexOf(":");
  const host = canonicalHost(pair.slice(0, colon));
  const port = pair.slice(colon + 1);
  const isPort = port === "*" || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
  if (colon < 1 || host === undefined || !isPort) throw new TypeError(`Not a host:port pair: ${pair}`);
  return { host, port: port === "*" ? "*" : Number(port) };
}
