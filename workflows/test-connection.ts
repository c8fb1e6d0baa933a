import { proxyActivities } from "@temporalio/workflow";
import type { ConnectionActivities } from "../activities/mailboxes/connection.ts";
import { CONNECTION_TEST, type ConnectionResult, type ConnectionTestIds } from "../domain/mailboxes/connection-test.ts";
import { BULK_TEST, type ConnectionBatchIds } from "../domain/mailboxes/import.ts";

const { tryServers } = proxyActivities<ConnectionActivities>({
  taskQueue: "imap",
  startToCloseTimeout: CONNECTION_TEST.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

const { tryMany } = proxyActivities<ConnectionActivities>({
  taskQueue: "imap",
  startToCloseTimeout: BULK_TEST.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Tests a mailbox's two servers once, while a caller waits. */
export async function testConnection(ids: ConnectionTestIds): Promise<ConnectionResult> {
  return tryServers(ids);
}

/** Tests the servers of many mailboxes once, while a caller waits. */
export async function testConnections(ids: ConnectionBatchIds): Promise<ConnectionResult[]> {
  return tryMany(ids);
}
