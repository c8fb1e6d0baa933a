import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { runningMongod, startMongod } from "../../embedded/mongod.ts";
import { isAlive } from "../../embedded/pid-file.ts";
import { accepts, freePort } from "../../embedded/ports.ts";
import { found, newFolder, until, useSetup } from "./embedded-setup.ts";

useSetup();

test("mongod keeps its data over a restart on another port, and a second mongod on the same data is refused", async () => {
  const dataDir = await newFolder();
  const first = await startMongod({ dataDir, port: 0, ...found });
  await inMongo(first.uri, (db) =>
    db.collection("kept").insertOne({ name: "kept" }, { writeConcern: { w: "majority", journal: true } }),
  );
  await expect(startMongod({ dataDir, port: 0, ...found })).rejects.toThrow(`is in use by process ${process.pid}`);
  expect(await runningMongod(dataDir)).toBe(first.uri);
  await first.stop();
  expect(await runningMongod(dataDir)).toBeNull();
  const second = await startMongod({ dataDir, port: 0, ...found });
  expect(second.port).not.toBe(first.port);
  expect(await inMongo(second.uri, (db) => db.collection("kept").countDocuments())).toBe(1);

  const sameFiles = await newFolder();
  await symlink(join(dataDir, "mongod"), join(sameFiles, "mongod"));
  await expect(startMongod({ dataDir: sameFiles, port: 0, ...found })).rejects.toThrow(/in use by another mongod/);
  await second.stop();
});

test("servers end when their parent is killed, and the next start continues with their data and port", async () => {
  const dataDir = await newFolder();
  const port = await freePort();
  const code = `
    import { startMongod } from ${JSON.stringify(join(import.meta.dirname, "../../embedded/mongod.ts"))};
    import { startTemporal } from ${JSON.stringify(join(import.meta.dirname, "../../embedded/temporal.ts"))};
    const { PATH, HOME, XDG_CACHE_HOME } = process.env;
    const found = { dataDir: process.argv[1], env: { PATH, HOME, XDG_CACHE_HOME }, log() {} };
    const mongod = await startMongod({ ...found, port: ${port} });
    const temporal = await startTemporal({ ...found, port: 0, pages: null });
    console.log(JSON.stringify([mongod.pid, temporal.pid]));
  `;
  const parent = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", code, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = await once(parent.stdout, "data");
  const pids: number[] = JSON.parse(String(printed));
  parent.kill("SIGKILL");
  await once(parent, "exit");
  const next = await startMongod({ dataDir, port, ...found });
  await until(() => pids.every((pid) => !isAlive(pid)));
  await next.stop();
  expect(await accepts(port)).toBe(false);
});

async function inMongo<T>(uri: string, use: (db: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(uri);
  try {
    return await use(client.db("test"));
  } finally {
    await client.close();
  }
}
