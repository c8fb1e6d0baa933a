import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programEnv, readConfig } from "../config.ts";
import { type Mongod, startMongod } from "../embedded/mongod.ts";

export interface ServerHost {
  url: string;
  stop(): Promise<void>;
}

/** Answers with the address of the MongoDB that all test files share; the first question starts it. */
export async function startServerHost(): Promise<ServerHost> {
  const dataDir = await mkdtemp(join(tmpdir(), "outreach-test-"));
  let mongod: Promise<Mongod> | undefined;
  const server = createServer((_req, res) => {
    res.setHeader("Connection", "close"); // the next file asks much later
    mongod ??= throwAwayMongod(dataDir);
    mongod.then(
      ({ uri }) => res.end(uri),
      (err) => res.writeHead(500).end(String(err)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      await (await mongod?.catch(() => undefined))?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A MongoDB of a test's own, to be killed. */
export function throwAwayMongod(dataDir: string, port = 0): Promise<Mongod> {
  const { MONGOD_BIN } = readConfig();
  return startMongod({ dataDir, port, binary: MONGOD_BIN ?? undefined, env: programEnv(), log: () => {} });
}
