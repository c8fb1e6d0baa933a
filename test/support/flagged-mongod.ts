import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";
import { programEnv, readConfig } from "../../config.ts";
import { type Child, launch, whenReady } from "../../embedded/child.ts";
import { accepts, freePort } from "../../embedded/ports.ts";
import { findMongod } from "../../embedded/programs/mongod-program.ts";

/** Starts a mongod with these flags, with its data in a folder inside `folder`. */
export async function startFlaggedMongod(
  folder: string,
  flags: string[],
  home = join(folder, randomBytes(4).toString("hex")),
): Promise<{ port: number; child: Child }> {
  await mkdir(join(home, "mongod"), { recursive: true });
  const port = await freePort();
  const { path } = await findMongod(readConfig().MONGOD_BIN ?? undefined, programEnv(), () => {});
  const small = ["--bind_ip", "127.0.0.1", "--nounixsocket", "--wiredTigerCacheSizeGB", "0.25"];
  const args = [...flags, ...small, "--port", String(port), "--dbpath", join(home, "mongod")];
  const child = await launch({ name: "mongod", binary: path, args, home, port });
  await whenReady(child, "mongod", () => accepts(port));
  return { port, child };
}

/** Starts a replica set of one mongod that obeys `fail`. */
export async function startFailingMongod(folder: string): Promise<{
  uri: string;
  /** Makes commands fail until the next call; null makes none fail. */
  fail(data: Record<string, unknown> | null): Promise<void>;
  stop(): Promise<void>;
}> {
  const flags = ["--replSet", "rs0", "--setParameter", "enableTestCommands=1"];
  const { port, child } = await startFlaggedMongod(folder, flags);
  const client = await mongoose.mongo.MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  const admin = client.db("admin");
  await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host: `127.0.0.1:${port}` }] } });
  return {
    uri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`,
    async fail(data) {
      const mode = data === null ? "off" : "alwaysOn";
      await admin.command({ configureFailPoint: "failCommand", mode, ...(data !== null && { data }) });
    },
    async stop() {
      await client.close();
      await child.stop();
    },
  };
}
