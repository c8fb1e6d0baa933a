import type { SmtpRefusal } from "../../domain/bounces/refusal.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { providerKeyOf } from "../../domain/mailboxes/mail-exchange.ts";
import { codeShown, type Trouble } from "../../domain/sending/smtp-trouble.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { type HeardRefusal, loadEvidence } from "../../store/mailboxes/refusals.ts";
import type { FindMailHosts } from "../mail-hosts.ts";

/** Milliseconds for all lookups together: a name server that hangs must not delay a refusal. */
const LIMIT_MS = 5_000;

/**
 * Looks up the mailbox providers of the organisations that a mailbox contacted last, and stores them as evidence. Some
 * refusals can be explained only by comparing providers. This runs before such a refusal is recorded, because the
 * transaction that records it must not wait for a name server.
 */
export async function learnProviders(
  find: FindMailHosts,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
  domain: string | null = null,
): Promise<void> {
  const rows = (await loadEvidence(workspaceId, mailboxId, new Date())).filter(({ provider }) => provider === null);
  const domains = [...rows.map((row) => row.domain), ...(domain === null ? [] : [domain])];
  if (domains.length === 0) return;
  const { hosts } = await find(domains, LIMIT_MS);
  for (const row of rows) {
    const domainHosts = hosts.get(row.domain) ?? null;
    if (domainHosts === null) continue;
    const provider = providerKeyOf(row.domain, domainHosts);
    await scoped(workspaceId).RefusalEvidence.updateOne({ _id: row._id }, { $set: { provider } });
  }
}

/**
 * Prepares a server's refusal for recording. If the refusal can be explained only by comparing providers, these are
 * looked up here.
 */
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
