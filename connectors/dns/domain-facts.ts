import { parsePolicy, validateMx } from "mailauth/lib/mta-sts.js";
import { type BlockList, questionOf } from "../../domain/deliverability/block-lists.ts";
import { type DkimKey, judgeDkim } from "../../domain/deliverability/dkim.ts";
import { judgeDmarc } from "../../domain/deliverability/dmarc.ts";
import type { Finding } from "../../domain/deliverability/finding.ts";
import { mailHostOf } from "../../domain/deliverability/mail-hosts.ts";
import { judgeMx, type MxFacts } from "../../domain/deliverability/mx.ts";
import { judgeBimi, judgeMtaSts, judgeTlsRpt, type StsPolicy } from "../../domain/deliverability/policies.ts";
import { judgePtr, type PtrFacts } from "../../domain/deliverability/ptr.ts";
import type { DomainReport, SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import { judgeSpf } from "../../domain/deliverability/spf.ts";
import type { Egress, EgressResponse } from "../net/egress.ts";
import type { Ask } from "../net/records.ts";
import { orUnanswered, recordsOf, resolveAddresses, textsOf } from "./answers.ts";
import { askBlockLists } from "./block-lists.ts";
import { readDmarc } from "./dmarc.ts";
import { readKeys } from "./keys.ts";
import { readMx } from "./mx.ts";
import { readSpf } from "./spf.ts";

type Net = Pick<Egress, "records" | "request">;

/** Milliseconds for each group of DNS queries, and for fetching an MTA-STS policy. */
const GROUP_MS = 3_000;
const POLICY_MS = 5_000;
const MOST_ADDRESSES = 4;

/**
 * Checks everything about a domain and judges it (rules/deliverability 1, 2). Never rejects because of a name server or
 * a block list: a query without an answer is UNKNOWN. Each group of queries has its own time limit, so a group that
 * hangs does not affect the others.
 */
export async function inspectDomain(
  net: Net,
  of: Omit<SendingDomain, "mailboxIds" | "usesTls">,
  lists: readonly BlockList[],
): Promise<DomainReport> {
  const { domain, servers } = of;
  const queryInTime = <T>(work: (ask: Ask) => Promise<T>) => orUnanswered(() => net.records(GROUP_MS, work));
  const [mx, spf, keys, dmarc, policies, addresses] = await Promise.all([
    queryInTime((ask) => readMx(ask, domain)),
    queryInTime((ask) => readSpf(ask, domain)),
    net.records(GROUP_MS, (ask) => readKeys(ask, domain, of.selectors)),
    queryInTime((ask) => readDmarc(ask, domain)),
    net.records(GROUP_MS, (ask) => readPolicies(ask, domain)),
    inspectAddresses(net, of, lists),
  ]);
  const sts = (policies.sts ?? []).length > 0 ? await fetchPolicy(net, domain, mx) : null;
  const spfFinding = judgeSpf(domain, spf, servers);
  const isAligned = canPass(spfFinding, keys);
  const policy = dmarc === null || dmarc.record === null ? null : dmarc.policy;
  return {
    findings: [
      judgeMx(domain, mx, servers),
      spfFinding,
      judgeDkim(domain, keys, servers),
      judgeDmarc(domain, dmarc, isAligned, of.organisation),
      judgePtr(addresses.ptr),
      judgeMtaSts(domain, { records: policies.sts }, sts),
      judgeTlsRpt(domain, { records: policies.tlsRpt }),
      judgeBimi(domain, { records: policies.bimi }, policy),
    ],
    listings: addresses.listings,
    isAligned,
  };
}

/**
 * Whether email of the domain can pass DMARC, by SPF or by a usable DKIM key that its email was seen to use. Both are
 * aligned, because the envelope and the signatures use this domain. Null when neither is proven and one of them is
 * unknown.
 */
function canPass(spf: Finding, keys: readonly DkimKey[]): boolean | null {
  if (spf.verdict === "PASS" || spf.reason === "SPF_OPEN") return true;
  if (keys.some(({ isSeen, state, isTest }) => isSeen && state === "USABLE" && !isTest)) return true;
  return spf.verdict === "UNKNOWN" || keys.some(({ isSeen, state }) => isSeen && state === "UNKNOWN") ? null : false;
}

/**
 * The PTR names of the sending servers' addresses, and the results of block lists for these addresses and the domain.
 */
async function inspectAddresses(
  net: Net,
  { domain, servers }: Pick<SendingDomain, "domain" | "servers">,
  lists: readonly BlockList[],
) {
  const own = servers.filter((server) => mailHostOf(server) === null);
  const ptr = await orUnanswered(() => net.records(GROUP_MS, (ask) => readPtr(ask, own)));
  const addresses = [...new Set((ptr ?? []).map(({ address }) => address))];
  const listings = await net.records(GROUP_MS, (ask) => askBlockLists(ask, lists, { domain, addresses }));
  return { ptr, listings };
}

async function readPolicies(ask: Ask, domain: string) {
  const texts = (name: string) => orUnanswered(() => textsOf(ask, name));
  const [sts, tlsRpt, bimi] = await Promise.all([
    texts(`_mta-sts.${domain}`),
    texts(`_smtp._tls.${domain}`),
    texts(`default._bimi.${domain}`),
  ]);
  return { sts: sts?.filter((text) => /^v=STSv1\b/i.test(text)) ?? null, tlsRpt, bimi };
}

/** The PTR names of the sending servers' addresses. A server that is given as an IP address is not resolved. */
async function readPtr(ask: Ask, servers: readonly string[]): Promise<PtrFacts[]> {
  const facts = await Promise.all(
    servers.slice(0, MOST_ADDRESSES).map(async (server) => {
      const addresses = /^[\d.]+$|:/.test(server) ? [server] : await resolveAddresses(ask, server);
      return Promise.all(addresses.slice(0, MOST_ADDRESSES).map((address) => ptrOf(ask, server, address)));
    }),
  );
  return facts.flat();
}

async function ptrOf(ask: Ask, server: string, address: string): Promise<PtrFacts> {
  const names = await orUnanswered(async () => (await recordsOf(ask, reverseNameOf(address), "PTR")).map(String));
  if (names === null) return { server, address, names, isConfirmed: false };
  const back = await Promise.all(
    names.slice(0, MOST_ADDRESSES).map((name) => orUnanswered(() => resolveAddresses(ask, name))),
  );
  if (back.includes(null) && !back.some((addresses) => addresses?.includes(address)))
    return { server, address, names: null, isConfirmed: false };
  return { server, address, names, isConfirmed: back.some((addresses) => addresses?.includes(address)) };
}

function reverseNameOf(address: string): string {
  const zone = address.includes(":") ? "ip6.arpa" : "in-addr.arpa";
  return questionOf({ zone, of: "ADDRESS" }, address) ?? address;
}

async function fetchPolicy(net: Net, domain: string, mx: MxFacts | null): Promise<StsPolicy | string | null> {
  const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
  try {
    const response = await net.request(url, { method: "GET", timeoutMs: POLICY_MS, maxBodyBytes: MOST_POLICY_BYTES });
    return policyIn(response, mx?.exchanges.map(({ exchange }) => exchange) ?? []);
  } catch {
    return null; // for any error, the policy was not read
  }
}

/** RFC 8461 3.3 advises 64 KiB. */
const MOST_POLICY_BYTES = 64 * 1_024;

/**
 * Parses an MTA-STS policy file and compares it with the domain's MX hosts. Returns a text with the reason if it cannot
 * be used.
 */
export function policyIn(
  { statusCode, bodyExcerpt, isBodyComplete }: EgressResponse,
  exchanges: readonly string[],
): StsPolicy | string {
  if (statusCode !== 200) return `its URL returns status ${statusCode}`;
  if (!isBodyComplete) return "it is too long or incomplete";
  try {
    const policy = parsePolicy(bodyExcerpt.toString("utf8"), { strict: true });
    const unnamed = exchanges.filter((exchange) => !validateMx(exchange, policy).valid);
    return { mode: policy.mode === "enforce" || policy.mode === "testing" ? policy.mode : "none", unnamed };
  } catch {
    return "it is not valid";
  }
}
