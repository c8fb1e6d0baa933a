import diagnostics from "node:diagnostics_channel";
import { Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { failOnClosedConnections } from "../../mongo/closed-connections.ts";
import { sharedMongodb } from "../support/server-host.ts";

const SOCKETS = "net.client.socket";
const sockets: Socket[] = [];
const note = (message: unknown) => {
  if (typeof message === "object" && message !== null && "socket" in message && message.socket instanceof Socket)
    sockets.push(message.socket);
};
let connection: mongoose.Connection;

beforeAll(async () => {
  failOnClosedConnections();
  diagnostics.subscribe(SOCKETS, note);
  connection = await mongoose
    .createConnection(await sharedMongodb(), { maxPoolSize: 1, monitorCommands: true })
    .asPromise();
});
afterAll(async () => {
  diagnostics.unsubscribe(SOCKETS, note);
  await connection.close();
});

test("a command whose connection closes before the command is written is sent again", async () => {
  const asked: string[] = [];
  connection.getClient().on("commandStarted", ({ commandName }) => {
    if (commandName !== "find") return;
    asked.push(commandName);
    // After the driver has looked whether the connection still stands
    if (asked.length === 1) for (const socket of sockets) socket.destroy();
  });
  expect(await connection.db?.collection("closed_connections").findOne({})).toBeNull();
  expect(asked).toEqual(["find", "find"]);
});
