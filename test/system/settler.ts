import { connect } from "../../models/connect.ts";
import { startLeases } from "../../mongo/leases.ts";
import { createLog } from "../../runtime/log.ts";
import { startSettler } from "../../worker/settler.ts";
import type { WorkerOrders } from "./worker.ts";

/**
 * A process that only settles hits, to be killed: it comes back in a second, a whole worker takes several.
 */
const [, , argument = "{}"] = process.argv;
const orders: WorkerOrders = JSON.parse(argument);
await connect(orders.mongodbUri);
const leases = await startLeases({ sizes: { settler: 1 }, onFault: (error) => console.error(error) });
startSettler({ scanners: [], relays: [] }, createLog("error"), leases.of("settler"));
