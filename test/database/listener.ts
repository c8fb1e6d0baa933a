import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { imapActivities } from "../../activities/inbox/watch-mailbox.ts";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { keyRing } from "../../domain/access/seal.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { connect } from "../../models/connect.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { createLog } from "../../runtime/log.ts";
import type { WorkerOrders } from "../system/worker.ts";

/**
 * A process that only listens to mailboxes, to be killed: every mailbox is watched again as soon as a watch ends.
 * Temporal would wait half a minute after each kill.
 */
const [, , argument = "{}"] = process.argv;
const orders: WorkerOrders = JSON.parse(argument);
const log = createLog("error");
await connect(orders.mongodbUri);
const ring = keyRing(orders.secretKey, []);
const egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], extraCa: orders.certificate });
const logins = createLogins({ egress, keyRing: ring, providers: NO_PROVIDERS, log });
const { activities } = imapActivities({ egress, logins, signing: await loadSigningKeys(ring), log });
// One that rests after too many bounces is read on
const listened: Mailbox["status"][] = ["CONNECTED", "COOLING_DOWN"];
// Other test files have mailboxes in the database too, whose servers are gone
const { workspaceId = "" } = orders;
const mailboxes = await scoped(workspaceId).Mailbox.find({ status: trusted({ $in: listened }) });
await Promise.all(mailboxes.map(({ _id }) => listenTo(_id)));

async function listenTo(mailboxId: string): Promise<void> {
  for (;;) {
    const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger("ERROR") });
    await environment
      .run(activities.watchMailbox, { v: 1 as const, workspaceId, mailboxId })
      .catch((err) => log.error({ err }, "a watch"));
  }
}
