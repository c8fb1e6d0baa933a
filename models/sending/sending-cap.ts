import { counter, mixed, number, type Owned, tenantModel, text } from "../../mongo/schema.ts";

/** Who limits how many emails a workspace may send on a UTC day (rules/access 8). */
export const CAP_SOURCES = ["OPERATOR", "RATES", "NEW"] as const;
export type CapSource = (typeof CAP_SOURCES)[number];

/**
 * How many emails a workspace may send on a UTC day, warmup emails not counted. `_id` is the workspace. Only workspaces
 * with a limit have one.
 */
export interface SendingCap extends Owned {
  /** The limit of each source; absent where the source sets none. */
  by: Partial<Record<CapSource, { most: number; reason: string }>>;
  /** The lowest of them. */
  most: number;
  /** The UTC day that `sent` counts. */
  day: string | null;
  sent: number;
}

export const SendingCap = tenantModel<SendingCap>("SendingCap", "sending_caps", {
  by: mixed,
  most: number,
  day: text,
  sent: counter,
});
