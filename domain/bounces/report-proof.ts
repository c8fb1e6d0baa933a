import { isFreeMail } from "../mail/free-mail.ts";
import type { Address } from "../mail/inbound.ts";
import { domainOf } from "../mail/message.ts";
import { organisationOf } from "../mail/own-side.ts";

/** Where a mail was shown to come from, whatever it says of itself. */
export interface Provenance {
  /** The domain of its sender, proven by a signature or by the word of the mailbox's own server; null: nothing proves it. */
  domain: string | null;
  /** Made by the mailbox's own submission server. */
  isOwnServer: boolean;
}

export const NOTHING_PROVEN: Provenance = { domain: null, isOwnServer: false };

/** A report that points at mail of ours by an address alone. */
export interface Claim {
  from: Address | null;
  provenance: Provenance;
  /** The address that failed or complained; null when it names none that we wrote to. */
  about: string | null;
  /** Whom it is written to, and whose mail it says it is about. */
  to: readonly string[];
  mailbox: {
    email: string;
    /** Its mail servers. */
    hosts: readonly string[];
  };
}

/** Names under which one provider serves, writes and reports. */
const PROVIDERS: readonly (readonly string[])[] = [
  ["gmail.com", "googlemail.com", "google.com"],
  ["office365.com", "outlook.com", "microsoft.com"],
  ["icloud.com", "me.com", "mac.com"],
];
/** Names that nobody can have at a provider of free mail (RFC 2142). */
const RESERVED = /^(?:mailer-daemon|postmaster|abuse)$/;
/** Names under which systems write; a person of the domain speaks for nobody else's mailbox. */
const SYSTEM =
  /^(?:(?:mailer|mail)?[-._]?daemon|mdaemon|post[-._]?master|abuse|bounces?(?:[-+=].{1,200})?|(?:mail|e-?mail)[-._]?(?:delivery|system|server|admin)(?:[-._]?(?:system|subsystem|service))?|no[-._]?reply|do[-._]?not[-._]?reply|(?:abuse|spam)?[-._]?(?:feedback(?:[-._]?loop)?|fbl|arf|complaints?|reports?)|microsoftexchange[0-9a-f]{8,40}|admin(?:istrator)?|ndr|dsn|mta|mx|smtp)$/;

/**
 * Whether such a report may have an effect (mail.md 8.3): anybody can write an address. It must come from whom it speaks for, the
 * address's own domain, or from the provider through which the mail went; and it must be meant for this mailbox, since what another
 * one got may be sent on with its signature.
 */
export function isProvenReport({ from, provenance: { domain, isOwnServer }, about, to, mailbox }: Claim): boolean {
  if (from === null || !isSystem(from.address) || !to.includes(mailbox.email)) return false;
  if (isOwnServer) return true;
  if (domain === null) return false;
  const sender = organisationOf(domain);
  return (about !== null && organisationOf(domainOf(about)) === sender) || namesOfProvider(mailbox).includes(sender);
}

/** Those of its servers, of its address, and their other names. */
function namesOfProvider({ email, hosts }: Claim["mailbox"]): string[] {
  const own = [domainOf(email), ...hosts].map(organisationOf);
  return [...own, ...PROVIDERS.filter((names) => names.some((name) => own.includes(name))).flat()];
}

function isSystem(address: string): boolean {
  const local = address.slice(0, address.lastIndexOf("@"));
  return isFreeMail(domainOf(address)) ? RESERVED.test(local) : SYSTEM.test(local);
}
