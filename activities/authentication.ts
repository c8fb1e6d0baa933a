import { authenticate } from "mailauth";
import { parse } from "tldts";
import { type Authentication, statedAuthentication } from "../domain/authentication.ts";
import type { Inbound } from "../domain/inbound.ts";
import { domainOf } from "../domain/message.ts";
import { isBlockedAddress } from "../domain/places.ts";
import type { Egress } from "../egress/connect.ts";
import type { Ask } from "../egress/records.ts";
import type { Mailbox } from "../models/mailbox.ts";

/** Of one mail. */
const LIMIT_MS = 2_000;
/** Beyond it a body is not hashed. */
const MAX_SIGNED = 5 * 1024 * 1024;
/** Answers of name servers, of found and missing records alike. */
const KEEP_MS = 60 * 60_000;
const MOST_KEPT = 2_000;

/** Answers what is known of a mail's sender (mail.md 12). Never throws: what could not be asked is NONE. */
export type Authenticate = (mailbox: Mailbox, message: Inbound, raw: Buffer) => Promise<Authentication>;

/**
 * The receiving server's word where it left one: it saw the envelope. Else the mail's own signatures and the policy of the From
 * domain are looked up, each record once an hour for the whole process.
 */
export function createAuthenticate(egress: Egress): Authenticate {
  const kept = new Map<string, { until: number; answer: Promise<unknown[]> }>();

  function remembered(ask: Ask): Ask {
    return (name, type) => {
      const key = `${type} ${name.toLowerCase()}`;
      const known = kept.get(key);
      if (known !== undefined && known.until > Date.now()) return known.answer;
      for (const first of kept.size < MOST_KEPT ? [] : kept.keys().take(1)) kept.delete(first);
      const answer = ask(name, type);
      kept.set(key, { until: Date.now() + KEEP_MS, answer });
      answer.catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOTFOUND" && error.code !== "ENODATA") kept.delete(key);
      });
      return answer;
    };
  }

  return async (mailbox, message, raw) => {
    const stated = statedAuthentication(message, [mailbox.imap.host, domainOf(mailbox.email)]);
    if (stated !== null) return stated;
    const from = domainOf(message.from?.address ?? "");
    if (parse(from).isIcann !== true || raw.length > MAX_SIGNED) return "NONE"; // names that the public DNS does not have
    return egress.records(LIMIT_MS, (ask) => judged(remembered(ask), raw)).catch(() => "NONE" as const);
  };
}

/** FAIL needs a policy that asks for it and a sender whose address is known: a relay of our own side proves nothing. */
async function judged(ask: Ask, raw: Buffer): Promise<Authentication> {
  const resolver = async (name: string, type: string) => (await ask(name, type)) as string[][]; // as node:dns gives them
  const { dkim, spf, dmarc } = await authenticate(raw, { trustReceived: true, resolver, disableArc: true, disableBimi: true });
  if (dmarc !== false && dmarc.status.result === "pass") return "PASS";
  if (dkim.results.some(({ status }) => status.result === "pass" && status.aligned !== undefined && status.aligned !== false))
    return "PASS";
  const isDemanded = dmarc !== false && dmarc.status.result === "fail" && dmarc.policy !== "none";
  const ip = spf === false ? "" : (spf["client-ip"] ?? "");
  return isDemanded && ip !== "" && !isBlockedAddress(ip) ? "FAIL" : "NONE";
}
