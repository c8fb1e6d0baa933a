import { seal } from "../domain/seal.ts";
import { newId } from "../models/ids.ts";
import { scoped } from "../models/scoped.ts";
import type { Sandbox } from "./fakes/sandbox.ts";
import type { World } from "./world.ts";

/** A connected mailbox of the sandbox, written as connecting it would: for tests that have no engine to connect with. */
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
