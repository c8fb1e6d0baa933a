import type { MailReceiver } from "../../domain/deliverability/placement.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { providerOf } from "../../domain/mailboxes/mail-exchange.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { MailDomain } from "../../models/mail-domain.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { trusted } from "../../mongo/collection.ts";

/**
 * Who receives the mail of these mailboxes: the provider by whose consent one is connected, else the one whose hosts its domain names, as
 * far as that was looked up before. OTHER where nothing is known.
 */
export async function withReceivers<M extends Pick<Mailbox, "email" | "provider">>(
  mailboxes: readonly M[],
  providers: MailProviders,
): Promise<(M & { receiver: MailReceiver })[]> {
  const domains = [...new Set(mailboxes.map(({ email }) => domainOf(email)))];
  const found = await MailDomain.find({ _id: trusted({ $in: domains }) }).lean<MailDomain[]>();
  const hostsOf = new Map(found.map(({ _id, hosts }) => [_id, hosts ?? []]));
  return mailboxes.map((mailbox) => {
    const byHosts = providerOf(hostsOf.get(domainOf(mailbox.email)) ?? [], providers);
    const provider = mailbox.provider === "SMTP" ? byHosts : mailbox.provider;
    return { ...mailbox, receiver: provider === "PROVIDERA" || provider === "PROVIDERB" ? provider : "OTHER" };
  });
}
