import type { DNSResolver } from "mailauth";
import { spf } from "mailauth/lib/spf/index.js";
import type { SpfFacts } from "../../domain/deliverability/spf.ts";
import { SPF_LIMITS } from "../../domain/deliverability/spf.ts";
import type { Ask } from "../net/records.ts";
import { textsOf } from "./answers.ts";

/**
 * An address of the documentation range (RFC 5737). No domain sends from it, so only the term `all` of a record matches
 * it.
 */
const NOBODYS_ADDRESS = "192.0.2.1";
/**
 * Lookups are counted up to this number, although receivers stop at ten, so that the finding can say how many there
 * are.
 */
const MOST_COUNTED = 25;

/**
 * Evaluates the whole SPF record of a domain (RFC 7208). Null when a name server did not answer. Rejects as `textsOf`
 * does.
 */
export async function readSpf(ask: Ask, domain: string): Promise<SpfFacts | null> {
  const records = (await textsOf(ask, domain)).filter((text) => /^v=spf1(?:\s|$)/i.test(text.trim()));
  const read: string[] = [];
  const recordingAsk: Ask = (name, type) => {
    if (type === "TXT") read.push(name.toLowerCase());
    return ask(name, type);
  };
  const whole = await evaluate(recordingAsk, domain);
  if (whole === null) return null;
  const [record = ""] = records;
  const costs = whole.lookups > SPF_LIMITS.lookups && records.length === 1 ? await costsOf(ask, record) : [];
  return { records, ...whole, costs, read: [...new Set(read)] };
}

type Evaluated = Pick<SpfFacts, "result" | "error" | "lookups" | "voids" | "isCounted">;

async function evaluate(ask: Ask, domain: string): Promise<Evaluated | null> {
  const { status, lookups } = await spf({
    sender: `postmaster@${domain}`,
    ip: NOBODYS_ADDRESS,
    helo: domain,
    resolver: ask as DNSResolver, // the library's types differ from node:dns, whose answers it accepts
    maxResolveCount: MOST_COUNTED,
    maxVoidCount: MOST_COUNTED,
  });
  const { result } = status;
  const [count, voids] = [lookups?.count ?? 0, lookups?.void ?? 0];
  const isCounted = count <= MOST_COUNTED;
  switch (result) {
    case "pass":
    case "neutral":
    case "softfail":
    case "fail":
    case "none":
      return { result, error: null, lookups: count, voids, isCounted };
    case "permerror":
      return { result, error: errorIn(String(status.comment ?? "")), lookups: count, voids, isCounted };
    default:
      return null;
  }
}

/** The reason in the library's comment, without its introduction. */
function errorIn(comment: string): string {
  return comment.replace(/^.*during lookup of \S+:\s*/, "").slice(0, 200);
}

/**
 * How many DNS lookups each term of a record needs, including those of the records it includes. A lookup without an
 * answer counts as one.
 */
async function costsOf(ask: Ask, record: string): Promise<SpfFacts["costs"]> {
  const terms = record
    .split(/\s+/)
    .filter((term) => /^[+?~-]?(?:include:|a\b|mx\b|ptr\b|exists:)|^redirect=/i.test(term));
  const costs = terms.map(async (term) => {
    const [, target] = /^(?:[+?~-]?include:|redirect=)([^%]+)$/i.exec(term) ?? [];
    if (target === undefined) return { term, lookups: 1 };
    const inner = await evaluate(ask, target).catch(() => null);
    return { term, lookups: 1 + (inner?.lookups ?? 0) };
  });
  return (await Promise.all(costs)).sort((a, b) => b.lookups - a.lookups);
}
