import { authenticate } from "mailauth";
import { parse } from "tldts";
import { isAddress, isBlockedAddress } from "../../domain/access/allowed-hosts.ts";
import { readBounce } from "../../domain/bounces/bounce.ts";
import { readComplaint } from "../../domain/bounces/complaint.ts";
import { NOTHING_PROVEN, type Provenance } from "../../domain/bounces/report-proof.ts";
import { type Authentication, statedAuthentication } from "../../domain/mail/authentication.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { isMadeHere, type OwnSide, ownSideOf } from "../../domain/mail/own-side.ts";
import type { MailServer } from "../../domain/mailboxes/server.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Egress } from "../net/egress.ts";
import { type Ask, isAbsent } from "../net/records.ts";
import { addressesOf } from "./headers.ts";

/** Milliseconds for the look-ups of one email. */
const LIMIT_MS = 2_000;
/** Octets. The signatures of a larger message are not checked. */
const MAX_SIGNED = 5 * 1024 * 1024;
/** Milliseconds for which answers of name servers are cached, including the answer that a record does not exist. */
const KEEP_MS = HOUR_MS;
const MOST_KEPT = 2_000;

/** The mailbox from which an email was read. */
interface ReadMailbox {
  email: string;
  smtp: MailServer;
  imap: MailServer;
}

/** What is known about the sender of an email. `provenance` is determined only for reports, such as bounces. */
export interface KnownSender {
  authentication: Authentication;
  provenance: Provenance;
}

export const UNKNOWN_SENDER: KnownSender = { authentication: "NONE", provenance: NOTHING_PROVEN };

/**
 * Determines what is known about an email's sender (rules/mail 7.3, 11.4). Never throws: a failed lookup counts as
 * NONE.
 */
export type Authenticate = (mailbox: ReadMailbox, message: Inbound, raw: Buffer) => Promise<KnownSender>;

/**
 * Uses the receiving server's Authentication-Results header if there is one, because that server saw the envelope.
 * Otherwise it checks the email's own signatures and the policy of the From domain by DNS, and queries each record at
 * most once an hour for the whole process. A report that may act for an address is always checked by DNS: a server that
 * adds no result leaves a forged header of the sender in place, so a header alone counts only while the name servers do
 * not answer.
 */
export function createAuthenticate(egress: Egress): Authenticate {
  const cache = new Map<string, { until: number; answer: Promise<unknown[]> }>();

  function withDnsCache(ask: Ask): Ask {
    return (name, type) => {
      const key = `${type} ${name.toLowerCase()}`;
      const cached = cache.get(key);
      if (cached !== undefined && cached.until > Date.now()) return cached.answer;
      for (const first of cache.size < MOST_KEPT ? [] : cache.keys().take(1)) cache.delete(first);
      const answer = ask(name, type);
      cache.set(key, { until: Date.now() + KEEP_MS, answer });
      answer.catch((error: unknown) => {
        if (!isAbsent(error)) cache.delete(key);
      });
      return answer;
    };
  }

  /** Null when the sender's domain cannot be looked up. */
  async function lookedUp(from: string, raw: Buffer): Promise<Authentication | null> {
    if (parse(from).isIcann !== true) return null; // names that are not in the public DNS
    if (raw.length > MAX_SIGNED) return "NONE";
    // The policy is queried separately first: the sender chooses the other names that are queried, and their servers
    // may never answer
    if (!(await egress.records(LIMIT_MS, (ask) => isAnswered(withDnsCache(ask), `_dmarc.${from}`)))) return null;
    return egress.records(LIMIT_MS, (ask) => judgeAuthentication(withDnsCache(ask), raw)).catch(() => "NONE" as const);
  }

  async function provenanceOf(
    mailbox: ReadMailbox,
    message: Inbound,
    side: OwnSide,
    isAuthentic: boolean,
  ): Promise<Provenance> {
    const isOneSender = message.headers.get("from")?.length === 1 && addressesOf(message.headers, "from").length === 1;
    const domain = isAuthentic && isOneSender ? domainOf(message.from?.address ?? "") : null;
    return { domain, isOwnServer: isMadeHere(side, await addressesOfHost(mailbox.smtp.host)) };
  }

  async function addressesOfHost(host: string): Promise<string[]> {
    if (isAddress(host)) return [host];
    const answers = await egress.records(LIMIT_MS, (ask) =>
      Promise.all(["A", "AAAA"].map((type) => withDnsCache(ask)(host, type).catch(() => []))),
    );
    return answers.flat().filter((answer) => typeof answer === "string");
  }

  return async (mailbox, message, raw) => {
    const side = ownSideOf(message.trace, [mailbox.imap.host, mailbox.smtp.host, domainOf(mailbox.email)]);
    const stated = statedAuthentication(message, side);
    const isReport = readComplaint(message) !== null || readBounce(message) !== null;
    if (stated !== null && !isReport) return { authentication: stated, provenance: NOTHING_PROVEN };
    const found = await lookedUp(domainOf(message.from?.address ?? ""), raw);
    const authentication = stated ?? found ?? "NONE";
    if (!isReport) return { authentication, provenance: NOTHING_PROVEN };
    const isAuthentic = authentication === "PASS" && (found ?? "PASS") === "PASS";
    return { authentication, provenance: await provenanceOf(mailbox, message, side, isAuthentic) };
  };
}

/** Whether a name server answers a query for a name; the answer that the name does not exist counts. */
async function isAnswered(ask: Ask, name: string): Promise<boolean> {
  return ask(name, "TXT").then(
    () => true,
    (error: unknown) => isAbsent(error),
  );
}

/**
 * Checks the email's own signatures. FAIL requires a DMARC policy other than `none` and a sender with a known address,
 * because an internal relay proves nothing.
 */
async function judgeAuthentication(ask: Ask, raw: Buffer): Promise<Authentication> {
  const resolver = async (name: string, type: string) => (await ask(name, type)) as string[][]; // as node:dns gives them
  const { dkim, spf, dmarc } = await authenticate(raw, {
    trustReceived: true,
    resolver,
    disableArc: true,
    disableBimi: true,
  });
  // When a signature covers only part of the body, anyone may have written the rest
  if (dkim.results.some(({ status }) => status.result === "pass" && status.underSized !== undefined)) return "NONE";
  if (dmarc !== false && dmarc.status.result === "pass") return "PASS";
  if (
    dkim.results.some(
      ({ status }) => status.result === "pass" && status.aligned !== undefined && status.aligned !== false,
    )
  )
    return "PASS";
  const isDemanded = dmarc !== false && dmarc.status.result === "fail" && dmarc.policy !== "none";
  const ip = spf === false ? "" : (spf["client-ip"] ?? "");
  return isDemanded && ip !== "" && !isBlockedAddress(ip) ? "FAIL" : "NONE";
}
