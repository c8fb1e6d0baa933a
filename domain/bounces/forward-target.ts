import { domainOf, organisationOf } from "../mail/message.ts";

/** The recipient of a failed delivery, as a report names it. */
interface Failed {
  address: string | null;
  originalRecipient: string | null;
}

/** Domains that servers use for their own mailboxes. No forwarder leads there. */
const INTERNAL = /(?:^|\.)(?:onmicrosoft\.com|local|localdomain|localhost|lan|internal|intern|corp|home)$/;

/**
 * Whether a report is about exactly the address that an email was sent to (rules/mail 7.3). An address to which the
 * recipient's side forwards is a different one: a fault of it says nothing about the address that we know.
 */
export function isAboutAddress(to: string, { address, originalRecipient }: Failed): boolean {
  if (address === to) return true;
  if (originalRecipient !== to) return false;
  return address === null || isSameMailbox(to, address);
}

/** Whether an address is another way to write the recipient's, such as the name of its mailbox on an inner server. */
function isSameMailbox(to: string, address: string): boolean {
  if (localOf(to) !== localOf(address)) return false;
  const domain = domainOf(address);
  return !domain.includes(".") || INTERNAL.test(domain) || organisationOf(domain) === organisationOf(domainOf(to));
}

function localOf(address: string): string {
  return address.slice(0, address.lastIndexOf("@")).split("+")[0] ?? "";
}
