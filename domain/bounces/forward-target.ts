import { domainOf, organisationOf } from "../mail/message.ts";

/** The reason of a failure at an address to which the recipient's server forwards email. */
export const FORWARDED = "FORWARDED";

/** The recipient of a failed delivery, as a report names it. */
interface Failed {
  address: string | null;
  originalRecipient: string | null;
}

/** Domains of internal servers. An address there is another name of the same mailbox and not a forwarding target. */
const INTERNAL = /(?:^|\.)(?:onmicrosoft\.com|local|localdomain|localhost|lan|internal|intern|corp|home)$/;

/**
 * Whether a report is about exactly the address that an email was sent to (rules/mail 7.3). If the recipient forwards
 * email to another address, a failure there says nothing about the address that we know.
 */
export function isAboutAddress(to: string, { address, originalRecipient }: Failed): boolean {
  if (address === to) return true;
  if (originalRecipient !== to) return false;
  return address === null || isSameMailbox(to, address);
}

/** Whether an address is another form of the recipient's address, such as its name on an internal server. */
function isSameMailbox(to: string, address: string): boolean {
  if (localOf(to) !== localOf(address)) return false;
  const domain = domainOf(address);
  return !domain.includes(".") || INTERNAL.test(domain) || organisationOf(domain) === organisationOf(domainOf(to));
}

function localOf(address: string): string {
  return address.slice(0, address.lastIndexOf("@")).split("+")[0] ?? "";
}
