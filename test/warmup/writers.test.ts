import { tryOrders } from "./writers-model.ts";

tryOrders(1);
