import { globSync, readFileSync } from "node:fs";
import { afterAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { freePort } from "../../embedded/ports.ts";
import { connect, disconnect } from "../../models/connect.ts";
import { readMongodbUri } from "../../mongo/uri.ts";
import { expectNone } from "../support/expect-none.ts";
import { sharedMongodb } from "../support/server-host.ts";

afterAll(() => disconnect());

test("the address of a replica set may name several servers, a login, options and no database", () => {
  expect(readMongodbUri("mongodb://ann:p%40ss@a.test:27017,b.test:27018/mail%2D1?replicaSet=rs0&tls=true")).toEqual({
    isSrv: false,
    servers: ["a.test:27017", "b.test:27018"],
    database: "mail-1",
    options: new URLSearchParams({ replicaSet: "rs0", tls: "true" }),
  });
  expect(readMongodbUri("mongodb+srv://ann:pass@cluster.example.test")).toMatchObject({
    isSrv: true,
    servers: ["cluster.example.test"],
    database: null,
  });
  expect(readMongodbUri("mongodb://a.test/?replicaSet=rs0").database).toBeNull();
  expect(readMongodbUri("mongodb://ann:p@ss@a.test/%E0%A4%A")).toMatchObject({
    servers: ["a.test"],
    database: "%E0%A4%A",
  });
});

test("the service connects to an address with several servers, of which one is away, and uses the database that it names", async () => {
  const server = new URL(await sharedMongodb());
  await connect(`mongodb://127.0.0.1:${await freePort()},${server.host}/test_several${server.search}`);
  expect(mongoose.connection.db?.databaseName).toBe("test_several");
});

test("connecting loads every model, so that whichever process prepares a database makes all collections and indexes", () => {
  const declared = globSync("models/**/*.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/(?:tenant|global)Model<\w+>\(\s*"(\w+)"/g)].map(([, name = ""]) => name),
  );
  expect(declared.length).toBeGreaterThan(100);
  const loaded = mongoose.modelNames();
  expectNone(
    declared.filter((name) => !loaded.includes(name)),
    "Import the model in models/connect.ts",
  );
});
