import { seal } from "../../domain/access/seal.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { nudge } from "../../store/outbox.ts";
import type { Sandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import type { World } from "../support/world.ts";

/** A connected mailbox of the sandbox, written as connecting it would: for tests without a Temporal to connect with. */
export async function mailboxIn(world: World, workspaceId: string, email: string, sandbox: Sandbox): Promise<string> {
  const _id = newId("mbx");
  const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
  await scoped(workspaceId).Mailbox.insert({
    _id,
    email,
    username: email,
    name: "Sender",
    saveToSent: false,
    dailySendLimit: 0,
    smtp: { host: "localhost", port: sandbox.smtpPort, security: "SSL_TLS" },
    imap: { host: "localhost", port: sandbox.imapPortOf(email), security: "SSL_TLS" },
    sealedPassword: seal(world.services.keyRing, place, sandbox.password),
  });
  return _id;
}

/**
 * Lets the worker watch a mailbox and waits for its first look: emails from before are history, later ones are news.
 */
export async function listened(workspaceId: string, mailboxId: string): Promise<void> {
  await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "start" });
  const hasLooked = async () => (await scoped(workspaceId).MailboxCursor.count({ mailboxId, folder: "INBOX" })) === 1;
  await until(hasLooked, { ...MAIL_DEADLINE, what: "the first look into the mailbox" });
}
