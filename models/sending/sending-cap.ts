import { counter, mixed, number, type Owned, tenantModel, text } from "../../mongo/schema.ts";

/** What a workspace may do only so often on a UTC day (rules/access 8). */
export type Capped = "EMAILS" | "CONNECTION_TESTS" | "IMPORTED_ROWS";

/** The document of a limit. That of emails has the id of the workspace, as in earlier versions. */
export function capIdOf(workspaceId: string, what: Capped): string {
  return what === "EMAILS" ? workspaceId : `${workspaceId}:${what}`;
}

/** Who sets such a limit. */
export const CAP_SOURCES = ["OPERATOR", "RATES", "NEW"] as const;
export type CapSource = (typeof CAP_SOURCES)[number];

/**
 * How many emails a workspace may send on a UTC day, warmup emails not counted, or how many connections it may test or
 * rows it may import. Only workspaces with a limit have one. `_id` comes from `capIdOf`.
 */
export interface SendingCap extends Owned {
  /** The limit of each source; absent where the source sets none. */
  by: Partial<Record<CapSource, { most: number; reason: string }>>;
  /** The lowest of them; null where only the limit of a new workspace counts, which is never stored for tests and rows. */
  most: number | null;
  /** The UTC day that `sent` counts. */
  day: string | null;
  /** Emails, tests or rows of that day. */
  sent: number;
}

export const SendingCap = tenantModel<SendingCap>("SendingCap", "sending_caps", {
  by: mixed,
  most: number,
  day: text,
  sent: counter,
});
