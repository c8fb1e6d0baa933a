import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import freeDomains from "free-email-domains";
import { isFreeMail } from "../mail/free-mail.ts";
import { domainOf, organisationOf } from "../mail/message.ts";
import { isRoleAddress } from "../values/address.ts";
import { meantDomain } from "../values/address-typo.ts";

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

function suggestionOf(email: string, domain: string): string | null {
  const meant = meantDomain(domain);
  return meant === null ? null : `${email.slice(0, email.lastIndexOf("@"))}@${meant}`;
}
