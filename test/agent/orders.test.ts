import { playOrders } from "./orders-model.ts";

playOrders(8);
