import { connect } from "../../models/connect.ts";
import { createLog } from "../../runtime/log.ts";
import { startSettler } from "../../worker/settler.ts";
import type { WorkerOrders } from "./worker.ts";

/**
 * A process that only settles hits, to be killed: it comes back in a second, a whole worker takes several.
 */
const [, , argument = "{}"] = process.argv;
const orders: WorkerOrders = JSON.parse(argument);
await connect(orders.mongodbUri);
startSettler({ scanners: [], relays: [] }, createLog("error"));
