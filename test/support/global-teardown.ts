import type { ServerHost } from "./server-host.ts";

export default async function globalTeardown(): Promise<void> {
  const { testServerHost } = globalThis as unknown as { testServerHost: ServerHost }; // set by global-setup.ts
  await testServerHost.stop();
}
