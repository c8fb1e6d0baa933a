import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import { providerKeyOf } from "../../domain/mailboxes/mail-exchange.ts";
import { isSelective, type RefusalBar, refusalBarOf } from "../../domain/mailboxes/refusal-evidence.ts";
import { MailDomain } from "../../models/deliverability/mail-domain.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";

/** Who receives the email of an address: its organisation, and the organisation's mail provider. */
export interface ReceivingPlace {
  organisation: string;
  provider: string;
}

/** The mail provider of a domain; null when it was not looked up yet or DNS did not answer. */
export async function loadProvider(domain: string): Promise<string | null> {
  const row = await MailDomain.findById(domain, { hosts: 1 }, sessionOption()).lean<MailDomain>();
  return row?.hosts ? providerKeyOf(domain, row.hosts) : null;
}

/** The receivers of addresses by domain, for these domains. */
export async function loadReceivingPlaces(domains: readonly string[]): Promise<Map<string, ReceivingPlace>> {
  const distinct = [...new Set(domains)];
  const rows = await MailDomain.find({ _id: trusted({ $in: distinct }) }, { hosts: 1 }, sessionOption()).lean<
    MailDomain[]
  >();
  const hosts = new Map(rows.map((one) => [one._id, one.hosts]));
  return new Map(
    distinct.map((domain) => [
      domain,
      { organisation: organisationOf(domain), provider: providerKeyOf(domain, hosts.get(domain) ?? null) },
    ]),
  );
}

/**
 * Why a mailbox must wait before it sends to an address, because of earlier refusals. Null when it need not wait. In
 * nearly all cases that is known without reading anything.
 */
export async function findRefusalBar(mailbox: Mailbox | null, email: string, now: number): Promise<RefusalBar | null> {
  if (mailbox === null || !isSelective(mailbox, now)) return null;
  const domain = domainOf(email);
  const place = (await loadReceivingPlaces([domain])).get(domain);
  return place === undefined ? null : refusalBarOf(mailbox, place, now);
}
