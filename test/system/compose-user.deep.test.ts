import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { z } from "zod";
import { type Child, launch, whenReady } from "../../embedded/child.ts";
import { startMongod } from "../../embedded/mongod.ts";
import { accepts } from "../../embedded/ports.ts";
import { findMongod } from "../../embedded/programs/mongod-program.ts";
import { keyAddresses } from "../../mongo/keyed-addresses.ts";

const during = { say: () => {}, ending: new AbortController().signal };
/** The user that docker-compose.yml makes for the service, on a MongoDB that asks everybody who they are. */
const { MongoClient } = mongoose.mongo;
const User = z.object({ database: z.string(), user: z.string(), roles: z.array(z.string()) });
const { PATH, HOME, XDG_CACHE_HOME } = process.env;
const found = { binary: process.env["MONGOD_BIN"], env: { PATH, HOME, XDG_CACHE_HOME }, log: () => {} };
const pwd = randomBytes(8).toString("hex");
let home: string;
let child: Child;
let uri: string;
let client: mongoose.mongo.MongoClient;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "outreach-user-"));
  await writeFile(join(home, "keyfile"), randomBytes(32).toString("hex"), { mode: 0o600 });
  const { database, user, roles } = User.parse(JSON.parse(await readFile("ops/mongo/user.json", "utf8")));
  const port = await makeUser(database, user, roles);
  const { path } = await findMongod(found.binary, found.env, found.log);
  const flags = [
    "--replSet",
    "rs0",
    "--keyFile",
    join(home, "keyfile"),
    "--bind_ip",
    "127.0.0.1",
    "--nounixsocket",
    "--port",
    String(port),
  ];
  child = await launch({
    name: "mongod",
    binary: path,
    args: [...flags, "--dbpath", join(home, "mongod")],
    home,
    port,
  });
  await whenReady(child, "mongod", () => accepts(port));
  uri = `mongodb://${user}:${pwd}@127.0.0.1:${port}/${database}?replicaSet=rs0`;
  client = await MongoClient.connect(uri);
}, 60_000);

afterAll(async () => {
  await client?.close();
  await child?.stop();
  await rm(home, { recursive: true, force: true });
});

/** Makes the user while the server still asks no one who they are. Returns its port. */
async function makeUser(database: string, user: string, roles: string[]): Promise<number> {
  const open = await startMongod({ dataDir: home, port: 0, ...found });
  const unknown = await MongoClient.connect(open.uri);
  await unknown.db(database).command({ createUser: user, pwd, roles });
  await unknown.close();
  await open.stop();
  return open.port;
}

test("the MongoDB user of docker-compose.yml has all rights that the service needs, and secrets can be read from files", async () => {
  await writeFile(join(home, "uri"), `${uri}\n`);
  await writeFile(join(home, "secret-key"), randomBytes(32).toString("base64"));
  const env = { PATH, MONGODB_URI_FILE: join(home, "uri"), SECRET_KEY_FILE: join(home, "secret-key") };
  const command = (file: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, ["--no-warnings", `api/cli/${file}.ts`, ...args], { env });
  const made = await command("workspace-create", "--name", "Acme", "--email", "owner@acme.test");
  expect(made.stdout).toMatch(/^wsp_\w+$/m);
  expect((await command("key-create")).stdout).not.toBe("");
  const collections = await client.db().listCollections({}, { nameOnly: true }).toArray();
  expect(collections.length).toBeGreaterThan(30);
});

test("the MongoDB user of docker-compose.yml may make the database refuse guards of an earlier version", async () => {
  const db = client.db();
  await db.collection<{ _id: string }>("guards").deleteMany({});
  await db.command({ collMod: "guards", validator: {} });
  await keyAddresses(db, () => Promise.reject(new Error("No key is needed")), during);
  await expect(db.collection<{ _id: string }>("guards").insertOne({ _id: `wsp_1:${"0".repeat(64)}` })).rejects.toThrow(
    /failed validation/,
  );
});

test("a MongoDB user that may only read and write gets the command that grants the missing role", async () => {
  const db = client.db();
  const forbidden = Object.create(db, {
    command: {
      value: () =>
        Promise.reject(new mongoose.mongo.MongoServerError({ code: 13, codeName: "Unauthorized", errmsg: "no" })),
    },
  });
  const refused = keyAddresses(forbidden, () => Promise.reject(new Error("No key is needed")), during);
  await expect(refused).rejects.toThrow(/needs the role dbAdmin .*grantRolesToUser\(/);
});

test("the MongoDB user of docker-compose.yml can neither read nor write other databases", async () => {
  for (const foreign of ["admin", "other"]) {
    await expect(client.db(foreign).collection("system.users").find().toArray()).rejects.toThrow(/not authorized/);
    await expect(client.db(foreign).collection("x").insertOne({})).rejects.toThrow(/not authorized/);
  }
});
