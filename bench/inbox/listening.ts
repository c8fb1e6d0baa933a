import { join } from "node:path";
import { type KeyRing, seal } from "../../domain/access/seal.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import { QUEUES, type Queue } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { Rig } from "../rig.ts";
import { Part, profiled } from "../system/processes.ts";
import type { WorkerOrders } from "../system/worker.ts";

export const PASSWORD = "listening";

/**
 * Stores connected mailboxes on one IMAP server. `more` sets further fields of each, such as another server for
 * sending.
 */
export async function storeInboxes(
  workspaceId: string,
  ring: KeyRing,
  users: readonly string[],
  imapPort: number,
  more: Partial<Mailbox> = {},
): Promise<Mailbox[]> {
  const stored: Mailbox[] = [];
  for (const email of users) {
    const _id = newId("mbx");
    const server = { host: "localhost", port: imapPort, security: "SSL_TLS" as const };
    const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
    const sealedPassword = seal(ring, place, PASSWORD);
    const fields = { _id, email, username: email, smtp: server, imap: server, sealedPassword, ...more };
    stored.push(await scoped(workspaceId).Mailbox.insert(fields));
  }
  return stored;
}

/** Starts a worker that trusts this certificate for the mail server. It works on all queues unless `queues` is set. */
export async function listeningWorker(
  { folder, mongod, temporal, keyRing }: Rig,
  certificate: string,
  queues: readonly Queue[] = QUEUES,
  warmupWaits?: WarmupWaits,
): Promise<Part> {
  const secretKey = keyRing.current.key.toString("base64");
  const codePath = join(folder, "workflows.js");
  const servers = { mongodbUri: mongod.uri, temporalAddress: temporal.address };
  const orders: WorkerOrders = {
    ...servers,
    secretKey,
    certificate,
    codePath,
    queues,
    ...(warmupWaits && { warmupWaits }),
  };
  return Part.start(new URL("../system/worker.ts", import.meta.url), orders, profiled());
}
