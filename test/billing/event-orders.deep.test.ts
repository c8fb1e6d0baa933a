import { tryOrders } from "./event-orders-model.ts";

tryOrders(40);
