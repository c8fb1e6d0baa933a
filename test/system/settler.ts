import { connect } from "../../models/connect.ts";
import { createLog } from "../../runtime/log.ts";
import { startSettler } from "../../worker/settler.ts";
import type { WorkerOrders } from "./worker.ts";

/**
 * The settling of hits alone in a process of its own, to be killed: it comes back in a second, a whole worker in
 * several.
 */
const [, , argument = "{}"] = process.argv;
const orders: WorkerOrders = JSON.parse(argument);
await connect(orders.mongodbUri);
startSettler({ scanners: [], relays: [] }, createLog("error"));
