import { join } from "node:path";
import { type KeyRing, seal } from "../domain/access/seal.ts";
import { QUEUES, type Queue } from "../domain/workflow-contract.ts";
import type { Mailbox } from "../models/mailbox.ts";
import { scoped } from "../models/scoped.ts";
import { newId } from "../mongo/ids.ts";
import { Part } from "./processes.ts";
import type { Rig } from "./rig.ts";
import type { WorkerOrders } from "./worker.ts";

export const PASSWORD = "listening";

/** Connected mailboxes that are all on one IMAP server. */
export async function storeInboxes(workspaceId: string, ring: KeyRing, users: readonly string[], imapPort: number): Promise<Mailbox[]> {
  const stored: Mailbox[] = [];
  for (const email of users) {
    const _id = newId("mbx");
    const server = { host: "localhost", port: imapPort, security: "SSL_TLS" as const };
    const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
    const sealedPassword = seal(ring, place, PASSWORD);
    stored.push(await scoped(workspaceId).Mailbox.insert({ _id, email, username: email, smtp: server, imap: server, sealedPassword }));
  }
  return stored;
}

/** A worker that trusts this certificate for the mailboxes' server. It works on every queue unless some are named. */
export async function listeningWorker(
  { folder, mongod, temporal, keyRing }: Rig,
  certificate: string,
  queues: readonly Queue[] = QUEUES,
): Promise<Part> {
  const secretKey = keyRing.current.key.toString("base64");
  const codePath = join(folder, "workflows.js");
  const orders: WorkerOrders = { mongodbUri: mongod.uri, temporalAddress: temporal.address, secretKey, certificate, codePath, queues };
  return Part.start("./worker.ts", orders);
}
