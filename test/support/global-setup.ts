import { programEnv, readConfig } from "../../config.ts";
import { findMongod } from "../../embedded/programs/mongod-program.ts";
import { findTemporal } from "../../embedded/programs/temporal-program.ts";
import { findTestServer } from "../../embedded/temporal-test-server.ts";
import { startServerHost } from "./server-host.ts";

/** The MongoDB that all test files share belongs to the parent process, which outlives every file. */
export default async function globalSetup(): Promise<void> {
  await findPrograms();
  const host = await startServerHost();
  process.env["TEST_SERVER_HOST"] = host.url;
  Object.assign(globalThis, { testServerHost: host });
}

/**
 * On a new machine the servers take minutes to build, longer than a test waits. A server that is not available
 * fails the tests that need it.
 */
async function findPrograms(): Promise<void> {
  const { MONGOD_BIN, TEMPORAL_BIN, TEMPORAL_TEST_SERVER } = readConfig();
  const env = programEnv();
  const binary = TEMPORAL_BIN ?? undefined;
  const log = (line: string) => console.log(line);
  await Promise.allSettled([
    findMongod(MONGOD_BIN ?? undefined, env, log),
    findTemporal({ binary, env, log }),
    findTemporal({ binary, env, log, withPages: true }),
    findTestServer(TEMPORAL_TEST_SERVER ?? undefined, env, log),
  ]);
}
