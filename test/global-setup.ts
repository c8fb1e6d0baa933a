import { startServerHost } from "./server-host.ts";

/** The MongoDB that all test files share belongs to the parent process, which outlives every file. */
export default async function globalSetup(): Promise<void> {
  const host = await startServerHost();
  process.env["TEST_SERVER_HOST"] = host.url;
  Object.assign(globalThis, { testServerHost: host });
}
