import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { programEnv, readConfig } from "../../config.ts";
import type { SetupFinding } from "../../domain/readiness.ts";
import { type Child, launch, whenReady } from "../../embedded/child.ts";
import type { Mongod } from "../../embedded/mongod.ts";
import { accepts, freePort } from "../../embedded/ports.ts";
import { findMongod } from "../../embedded/programs/mongod-program.ts";
import { connect, disconnect, prepareDatabase } from "../../models/connect.ts";
import { checkMongodb } from "../../runtime/doctor/mongodb.ts";
import { startFailingMongod, startFlaggedMongod } from "../support/flagged-mongod.ts";
import { throwAwayMongod } from "../support/server-host.ts";

/** What doctor says of MongoDB servers that are set up wrongly, each a real one. */
const { MongoClient } = mongoose.mongo;
let folder: string;
const running: Child[] = [];
const sets: Mongod[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-doctor-"));
});
afterAll(async () => {
  await Promise.all([...running.map((child) => child.stop()), ...sets.map((set) => set.stop())]);
  await rm(folder, { recursive: true, force: true });
});

/** Starts a mongod with these flags. Returns its port. */
async function startServer(flags: string[], home?: string): Promise<number> {
  const { port, child } = await startFlaggedMongod(folder, flags, home);
  running.push(child);
  return port;
}

async function startSet(): Promise<Mongod> {
  const set = await throwAwayMongod(await mkdtemp(join(folder, "set-")));
  sets.push(set);
  return set;
}

async function checked(
  uri: string,
): Promise<(check: string) => Pick<SetupFinding, "status" | "found" | "advice"> | undefined> {
  const { findings } = await checkMongodb(uri);
  await disconnect();
  return (check) => findings.find((one) => one.check === check);
}

test("a standalone server fails as one, whether or not the address names a replica set, and so does a set that is not initiated", async () => {
  const alone = await startServer([]);
  for (const options of ["", "?replicaSet=rs0"]) {
    const of = await checked(`mongodb://127.0.0.1:${alone}/${options}`);
    expect([of("MongoDB")?.status, of("MongoDB replica set")]).toMatchObject([
      "OK",
      { status: "FAIL", found: "it is a standalone server, which has no transactions" },
    ]);
  }
  const scripting = await checked(`mongodb://127.0.0.1:${alone}/`);
  expect(scripting("MongoDB scripting")?.status).toBe("WARN");
  expect(scripting("MongoDB transactions")).toMatchObject({
    status: "WARN",
    found: "the server aborts them after 60 s, for which the transaction of a killed process blocks others",
  });
  const fresh = await startServer(["--replSet", "rs0"]);
  const of = await checked(`mongodb://127.0.0.1:${fresh}/?replicaSet=rs0`);
  expect(of("MongoDB replica set")).toMatchObject({ status: "FAIL", found: "it is not initiated" });
});

test("a replica set of another name fails, and one that is named with several servers is found through any of them", async () => {
  const { port } = await startSet();
  const other = await checked(`mongodb://127.0.0.1:${port}/?replicaSet=other`);
  expect(other("MongoDB replica set")).toMatchObject({ status: "FAIL", found: "it has another name than MONGODB_URI" });
  const both = await checked(`mongodb://127.0.0.1:${await freePort()},127.0.0.1:${port}/named?replicaSet=rs0`);
  expect(both("MongoDB")?.status).toBe("OK");
});

test("an unreachable server fails, and everything else about MongoDB is skipped", async () => {
  const { findings, isOpen } = await checkMongodb(`mongodb://127.0.0.1:${await freePort()}/?replicaSet=rs0`);
  await disconnect();
  expect([isOpen, findings[0]]).toMatchObject([
    false,
    { check: "MongoDB", status: "FAIL", found: "it does not answer" },
  ]);
  expect(new Set(findings.slice(1).map(({ status }) => status))).toEqual(new Set(["SKIPPED"]));
});

test("a write that no majority confirms fails", async () => {
  const { uri, fail, stop } = await startFailingMongod(folder);
  expect((await checked(uri))("MongoDB writes")?.status).toBe("OK");
  const writeConcernError = { code: 64, errmsg: "waiting for replication timed out" };
  await fail({ failCommands: ["update"], writeConcernError });
  const of = await checked(uri);
  expect(of("MongoDB writes")).toMatchObject({
    status: "FAIL",
    found: "no majority of the members confirmed a write within 4 s",
  });
  await stop();
});

test("a user without the rights of readWrite fails by name, a wrong password fails, and the user of Compose passes", async () => {
  const home = join(folder, "closed");
  await mkdir(home);
  const open = await throwAwayMongod(home);
  const admin = await MongoClient.connect(open.uri);
  const pwd = randomBytes(8).toString("hex");
  await admin.db("outreach").command({ createUser: "reader", pwd, roles: ["read"] });
  await admin.db("outreach").command({ createUser: "outreach", pwd, roles: ["readWrite"] });
  await admin.close();
  await open.stop();
  await writeFile(join(home, "keyfile"), randomBytes(32).toString("hex"), { mode: 0o600 });
  const { path } = await findMongod(readConfig().MONGOD_BIN ?? undefined, programEnv(), () => {});
  const flags = ["--replSet", "rs0", "--keyFile", join(home, "keyfile"), "--bind_ip", "127.0.0.1", "--nounixsocket"];
  const args = [...flags, "--noscripting", "--port", String(open.port), "--dbpath", join(home, "mongod")];
  const child = await launch({ name: "mongod", binary: path, args, home, port: open.port });
  running.push(child);
  await whenReady(child, "mongod", () => accepts(open.port));
  const uriOf = (login: string) => `mongodb://${login}127.0.0.1:${open.port}/outreach?replicaSet=rs0`;

  const reader = await checked(uriOf(`reader:${pwd}@`));
  expect(reader("MongoDB user")).toMatchObject({
    status: "FAIL",
    found: "it lacks the rights insert, update, remove, createCollection, createIndex, dropIndex",
  });
  expect(reader("MongoDB writes")).toMatchObject({ status: "FAIL", found: "the user may not write" });
  const anonymous = await checked(uriOf(""));
  expect(anonymous("MongoDB user")?.status).toBe("FAIL");
  const wrong = await checked(uriOf("outreach:wrong@"));
  expect(wrong("MongoDB")).toMatchObject({
    status: "FAIL",
    found: "it refuses the login of MONGODB_URI",
  });
  const right = await checked(uriOf(`outreach:${pwd}@`));
  expect(["MongoDB user", "MongoDB writes", "MongoDB scripting"].map((check) => right(check)?.status)).toEqual([
    "OK",
    "OK",
    "OK",
  ]);
  expect(right("MongoDB transactions")).toMatchObject({
    status: "SKIPPED",
    found: "the user may not see after how many seconds the server aborts them",
  });
});

test("a missing index is a WARN with its name, a database of a newer version fails, and the checks change no document", async () => {
  const { uri } = await startSet();
  await connect(uri);
  await prepareDatabase(() => Promise.reject(new Error("No key is needed")));
  await disconnect();
  const client = await MongoClient.connect(uri);
  const db = client.db("outreach");
  expect((await checked(uri))("MongoDB indexes")).toMatchObject({ status: "OK", found: "all are present" });
  await db.collection("leads").dropIndex("workspaceId_1_email_1");
  const before = await stateOf(db);
  expect((await checked(uri))("MongoDB indexes")).toMatchObject({
    status: "WARN",
    found: "leads.workspaceId_1_email_1 missing or different from this version",
  });
  expect(await stateOf(db)).toEqual(before);
  await db.collection<{ _id: number }>("migrations").insertOne({ _id: 9_999 });
  expect((await checked(uri))("MongoDB indexes")).toMatchObject({
    status: "FAIL",
    found: expect.stringContaining("A newer version of the program has migrated the database to 9999"),
  });
  await client.close();
});

/** The documents of every collection by their hash, and the indexes by their names. */
async function stateOf(db: mongoose.mongo.Db) {
  const { collections } = await db.command({ dbHash: 1 });
  const names = Object.keys(collections);
  const indexes = await Promise.all(
    names.map(async (name) => (await db.collection(name).listIndexes().toArray()).map((index) => index.name)),
  );
  return { collections, indexes };
}
