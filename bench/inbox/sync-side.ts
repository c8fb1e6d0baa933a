import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { ImapFlow } from "imapflow";
import mongoose from "mongoose";
import { imapActivities } from "../../activities/inbox/watch-mailbox.ts";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { keyRing } from "../../domain/access/seal.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { connect } from "../../models/connect.ts";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { createLog } from "../../runtime/log.ts";
import { until } from "../../test/fakes/wait.ts";
import { answer } from "../system/processes.ts";

export interface SyncSideOrders {
  mongodbUri: string;
  secretKey: string;
  certificate: string;
  workspaceId: string;
  /**
   * Mailboxes to read one after another. The last one is measured; the others before it warm up compilers and caches.
   */
  mailboxes: Pick<Mailbox, "_id" | "email">[];
  password: string;
  port: number;
}

const BATCH = 500;

/** One side of the comparison, in its own process: our sync, or a plain fetch with insertMany. */
const orders: SyncSideOrders = JSON.parse(process.argv[2] ?? "{}");
await connect(orders.mongodbUri);
answer({ ours: () => lastOf(ours), bare: () => lastOf(bare) }, () => mongoose.disconnect());

async function lastOf(side: (mailbox: SyncSideOrders["mailboxes"][number]) => Promise<number>): Promise<number> {
  let elapsed = 0;
  for (const mailbox of orders.mailboxes) elapsed = await side(mailbox);
  return elapsed;
}

/** Milliseconds until our sync has stored all emails of the last days. */
async function ours({ _id: mailboxId }: Pick<Mailbox, "_id">): Promise<number> {
  const log = createLog("error");
  const ring = keyRing(orders.secretKey, []);
  const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], extraCa: orders.certificate });
  const logins = createLogins({ egress, keyRing: ring, providers: NO_PROVIDERS, log });
  const { activities } = imapActivities({ egress, logins, signing: await loadSigningKeys(ring), log });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger("ERROR") });
  const started = performance.now();
  const { workspaceId } = orders;
  const running = environment.run(activities.watchMailbox, { v: 1 as const, workspaceId, mailboxId }).catch(() => {});
  const isDone = async () => {
    const cursors = await MailboxCursor.find({ workspaceId, mailboxId }).lean<MailboxCursor[]>();
    return cursors.length === 4 && cursors.every(({ history }) => history === null);
  };
  await until(isDone, { deadlineMs: 300_000, what: "the first sync", longestMs: 25 });
  const elapsed = performance.now() - started;
  environment.cancel();
  await running;
  return elapsed;
}

async function bare({ email: user }: Pick<Mailbox, "email">): Promise<number> {
  const collection = mongoose.connection.collection("bare_mails");
  const started = performance.now();
  const client = new ImapFlow({
    host: "localhost",
    port: orders.port,
    secure: true,
    tls: { ca: orders.certificate },
    auth: { user, pass: orders.password },
    logger: false,
  });
  await client.connect();
  const { exists } = await client.mailboxOpen("INBOX", { readOnly: true });
  for (let first = 1; first <= exists; first += BATCH) {
    const query = { uid: true, size: true, internalDate: true, source: true };
    const mails = await client.fetchAll(`${first}:${first + BATCH - 1}`, query, { uid: true });
    await collection.insertMany(
      mails.map(({ uid, size, internalDate, source }) => ({ uid, size, internalDate, source })),
    );
  }
  const elapsed = performance.now() - started;
  await client.logout();
  return elapsed;
}
