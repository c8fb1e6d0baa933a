import { run as spellCheck } from "@zootools/email-spell-checker";
import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import freeDomains from "free-email-domains";
import { isRoleAddress } from "../leads/address-cell.ts";
import { isFreeMail } from "../mail/free-mail.ts";
import { domainOf, normalizeAddress, organisationOf } from "../mail/message.ts";

/** What an address tells without any question to anybody. */
export interface AddressChecks {
  isDisposable: boolean;
  isRole: boolean;
  isFreeMail: boolean;
  suggestion: string | null;
}

const DISPOSABLE = disposableEmailBlocklistSet();
const FREE = new Set(freeDomains);

/** Checks an address by lists that are kept in packages. `email` is in its stored form. */
export function checkAddress(email: string): AddressChecks {
  const domain = domainOf(email);
  return { ...checkDomain(domain), isRole: isRoleAddress(email), suggestion: suggestionOf(email, domain) };
}

function checkDomain(domain: string): Pick<AddressChecks, "isDisposable" | "isFreeMail"> {
  const organisation = organisationOf(domain);
  return {
    isDisposable: DISPOSABLE.has(domain) || DISPOSABLE.has(organisation),
    isFreeMail: FREE.has(domain) || isFreeMail(domain),
  };
}

/** Hints of a domain, which the addresses of one page mostly share. */
const hints = new Map<string, string | null>();
const MOST_HINTS = 10_000;

function suggestionOf(email: string, domain: string): string | null {
  let meant = hints.get(domain);
  if (meant === undefined) {
    // A known domain is meant as it is: the checker would "correct" mail.com to gmail.com
    meant = isFreeMail(domain) ? null : hintFor(domain);
    if (hints.size >= MOST_HINTS) hints.clear();
    hints.set(domain, meant);
  }
  return meant === null ? null : `${email.slice(0, email.lastIndexOf("@"))}@${meant}`;
}

/** Only a well-known free mail service is ever meant: firms have names that look like those of others. */
function hintFor(domain: string): string | null {
  const suggested = spellCheck({ email: `somebody@${domain}` })?.domain.toLowerCase() ?? null;
  return suggested !== null && suggested !== domain && isFreeMail(suggested) ? suggested : null;
}

/** The address in its stored form; null when it is none. */
export function readAddress(text: string): string | null {
  return normalizeAddress(text)?.address ?? null;
}
