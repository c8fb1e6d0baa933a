import { connect } from "../../models/connect.ts";
import { createLog } from "../../runtime/log.ts";
import { linkTemporal } from "../../temporal/link.ts";
import { startLoops } from "../../worker/loops.ts";
import type { WorkerOrders } from "./worker.ts";

/** A process with the loops of queue `engine` and no worker, to be paused and killed. */
const [, , argument = "{}"] = process.argv;
const orders: WorkerOrders = JSON.parse(argument);
await connect(orders.mongodbUri);
const link = linkTemporal({
  namespace: orders.namespace ?? "default",
  connection: { address: orders.temporalAddress },
});
const loops = await startLoops({ client: link.client, log: createLog("error") });
process.on("SIGTERM", () => void loops.stop().then(() => process.exit(0)));
process.stdout.write("ready\n");
