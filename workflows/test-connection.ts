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

/** Tries a mailbox's two servers once, for a caller who waits. */
export async function testConnection(ids: ConnectionTestIds): Promise<ConnectionResult> {
  return tryServers(ids);
}

/** Tries the servers of many mailboxes once, for a caller who waits. */
export async function testConnections(ids: ConnectionBatchIds): Promise<ConnectionResult[]> {
  return tryMany(ids);
}
