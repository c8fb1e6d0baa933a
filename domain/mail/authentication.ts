import type { Inbound } from "./inbound.ts";
import { domainOf } from "./message.ts";
import { type OwnSide, organisationOf } from "./own-side.ts";

/** The result of SPF, DKIM and DMARC for the From address. NONE: no result is known. */
export type Authentication = "PASS" | "FAIL" | "NONE";

/**
 * The result that the mailbox's own server stated in Authentication-Results (RFC 8601). Only the topmost field counts,
 * and only if it is above the fields of any other server and has one of the mailbox's own server names. Anything else
 * may come from the sender. Null when no such field exists.
 */
export function statedAuthentication({ trace, from }: Inbound, { fields, names }: OwnSide): Authentication | null {
  const topmost = trace.find(({ name }) => name === "authentication-results");
  if (topmost === undefined || !fields.includes(topmost)) return null;
  const stated = withoutComments(topmost.value);
  const [first = "", ...rest] = stated.split(";");
  const server = first.trim().split(/\s+/, 1)[0] ?? "";
  // Exchange Online states no server name at all
  const isUnnamed = server.includes("=");
  const isOwn = isUnnamed ? names.has("outlook.com") : names.has(organisationOf(server));
  if (!isOwn) return null;
  return verdictOf(isUnnamed ? stated.split(";") : rest, from?.address ?? "");
}

/**
 * The DMARC result if the field has one (RFC 7489). Otherwise PASS if a DKIM signature or an SPF check of the From
 * domain's organisation passed, and FAIL if SPF failed and no DKIM signature passed.
 */
function verdictOf(results: readonly string[], from: string): Authentication {
  const own = organisationOf(domainOf(from));
  const found = results.flatMap((each) => {
    const [, method = "", result = ""] = /^\s*(dmarc|dkim|spf)\s*=\s*([a-z]+)/i.exec(each) ?? [];
    if (method === "") return [];
    const [, name = ""] =
      /(?:header\.d|header\.i|smtp\.mailfrom|smtp\.mail|header\.from)\s*=\s*"?([^\s;"]+)/i.exec(each) ?? [];
    const isAligned = own !== "" && organisationOf(domainOf(name)) === own;
    return [{ method: method.toLowerCase(), result: result.toLowerCase(), isAligned }];
  });
  const dmarc = found.flatMap(({ method, result }) => (method === "dmarc" ? [result] : []));
  if (dmarc.includes("fail")) return "FAIL";
  if (dmarc.length > 0 && dmarc.every((result) => result === "pass" || result === "bestguesspass")) return "PASS";
  const rest = found.filter(({ method }) => method !== "dmarc");
  if (rest.some(({ result, isAligned }) => result === "pass" && isAligned)) return "PASS";
  const isRefused = rest.some(({ method, result }) => method === "spf" && result === "fail");
  return isRefused && !rest.some(({ method, result }) => method === "dkim" && result === "pass") ? "FAIL" : "NONE";
}

/** Removes comments and quoted texts, nested ones too, because a sender can put semicolons and results into them. */
function withoutComments(value: string): string {
  let text = value
    .slice(0, 10_000)
    .replace(/"(?:[^"\\]|\\.){0,1000}"/g, (quoted) => (/[;\s()=]/.test(quoted) ? " " : quoted));
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\([^()]*\)/g, " ");
  }
  return text;
}
