/**
 * Names, types and limits that the connection test and its workflow share. This file imports only error codes, because
 * it is part of the workflow bundle.
 */
import type { ConnectionErrorCode } from "./connection-error.ts";

export interface ConnectionTestIds {
  v: 1;
  workspaceId: string;
  testId: string;
}

export interface SideResult {
  ok: boolean;
  error: { code: ConnectionErrorCode; message: string } | null;
}

export interface ConnectionResult {
  smtp: SideResult;
  imap: SideResult;
}

/** The activity's limit is below the caller's deadline of 28 s, because a later result would reach no one. */
export const CONNECTION_TEST = { workflow: "testConnection", startToCloseTimeout: "27s" } as const;
