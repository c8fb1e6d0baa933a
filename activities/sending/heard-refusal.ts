import type { SmtpRefusal } from "../../domain/bounces/refusal.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { codeShown, type Trouble } from "../../domain/sending/smtp-trouble.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import type { Send } from "../../models/send.ts";
import type { HeardRefusal } from "../../store/mailboxes/refusals.ts";
import type { FindMailHosts } from "../mail-hosts.ts";
import { learnProviders } from "../mailboxes/learn-providers.ts";

/** A server's refusal, ready to be recorded: where only a comparison explains it, the providers to compare are known then. */
export async function heardRefusal(
  findHosts: FindMailHosts,
  { workspaceId, _id: mailboxId }: Mailbox,
  { to }: Send,
  trouble: Trouble,
  refusal: SmtpRefusal,
): Promise<Omit<HeardRefusal, "send">> {
  const isCompared = refusal.effect === "PUT_OFF" || (refusal.effect === "COOL_DOWN" && refusal.about === "sender");
  if (isCompared) await learnProviders(findHosts, { workspaceId, mailboxId }, domainOf(to));
  return { mailboxId, refusal, code: codeShown(trouble), isBeforeRecipient: trouble.stage === "MAIL" };
}
