/** What a connection test and its workflow agree on. Imports nothing but codes: it is part of the workflow bundle. */
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

/** Its answer comes within the deadline of the caller, 28 s, or never matters. */
export const CONNECTION_TEST = { workflow: "testConnection", startToCloseTimeout: "27s" } as const;
