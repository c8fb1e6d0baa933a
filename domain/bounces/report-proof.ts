import { isFreeMail } from "../mail/free-mail.ts";
import type { Address } from "../mail/inbound.ts";
import { domainOf } from "../mail/message.ts";
import { organisationOf } from "../mail/own-side.ts";

/** The proven origin of an email, whatever its From header says. */
export interface Provenance {
  /**
   * The domain of the sender, proven by a DKIM signature or by the authentication results of the mailbox's own server;
   * null when nothing proves it.
   */
  domain: string | null;
  /** Whether the mailbox's own submission server wrote the email. */
  isOwnServer: boolean;
}

export const NOTHING_PROVEN: Provenance = { domain: null, isOwnServer: false };

/** A report that identifies one of our emails only by an address. */
export interface Claim {
  from: Address | null;
  provenance: Provenance;
  /** The address that failed or complained; null when the report names no address that we wrote to. */
  about: string | null;
  /** The addresses that the report is sent to, and the mailbox whose email it claims to be about. */
  to: readonly string[];
  mailbox: {
    email: string;
    /** The host names of the mailbox's mail servers. */
    hosts: readonly string[];
  };
}

/** Domains under which one provider receives mail, sends mail and sends reports. */
const PROVIDERS: readonly (readonly string[])[] = [
  ["gmail.com", "googlemail.com", "google.com"],
  ["office365.com", "outlook.com", "microsoft.com"],
  ["icloud.com", "me.com", "mac.com"],
];
/** Local parts that no customer of a free-mail provider can have (RFC 2142). */
const RESERVED = /^(?:mailer-daemon|postmaster|abuse)$/;
/** Local parts that automatic systems use. A report from a person's address at the same domain does not count. */
const SYSTEM =
  /^(?:(?:mailer|mail)?[-._]?daemon|mdaemon|post[-._]?master|abuse|bounces?(?:[-+=].{1,200})?|(?:mail|e-?mail)[-._]?(?:delivery|system|server|admin)(?:[-._]?(?:system|subsystem|service))?|no[-._]?reply|do[-._]?not[-._]?reply|(?:abuse|spam)?[-._]?(?:feedback(?:[-._]?loop)?|fbl|arf|complaints?|reports?)|microsoftexchange[0-9a-f]{8,40}|admin(?:istrator)?|ndr|dsn|mta|mx|smtp)$/;

/**
 * Whether a report that only names an address may have an effect (rules/mail 7.3). Anyone can write an address, so the
 * report must come from the domain of that address, or from the provider through which the email was sent. It must also
 * be addressed to this mailbox, because a report to another mailbox can be forwarded together with its valid signature.
 */
export function isProvenReport({ from, provenance: { domain, isOwnServer }, about, to, mailbox }: Claim): boolean {
  if (from === null || !isSystem(from.address) || !to.includes(mailbox.email)) return false;
  if (isOwnServer) return true;
  if (domain === null) return false;
  const sender = organisationOf(domain);
  return (about !== null && organisationOf(domainOf(about)) === sender) || namesOfProvider(mailbox).includes(sender);
}

/** The organisations of the mailbox's address and servers, and the other names of the same provider. */
function namesOfProvider({ email, hosts }: Claim["mailbox"]): string[] {
  const own = [domainOf(email), ...hosts].map(organisationOf);
  return [...own, ...PROVIDERS.filter((names) => names.some((name) => own.includes(name))).flat()];
}

function isSystem(address: string): boolean {
  const local = address.slice(0, address.lastIndexOf("@"));
  return isFreeMail(domainOf(address)) ? RESERVED.test(local) : SYSTEM.test(local);
}
