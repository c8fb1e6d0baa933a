import { proxyActivities } from "@temporalio/workflow";
import type { ConnectionActivities } from "../activities/connection.ts";
import { CONNECTION_TEST, type ConnectionResult, type ConnectionTestIds } from "../domain/connection-test.ts";

const { tryServers } = proxyActivities<ConnectionActivities>({
  taskQueue: "imap",
  startToCloseTimeout: CONNECTION_TEST.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Tries a mailbox's two servers once, for a caller who waits. */
export async function testConnection(ids: ConnectionTestIds): Promise<ConnectionResult> {
  return tryServers(ids);
}
