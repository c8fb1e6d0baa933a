import type { Endpoint, Out } from "../../api/call.ts";
import { RENEWS } from "../mailboxes/reads.ts";

export type Enrolment = Out<"get /warmup/enrolments/:mailboxId">;

/** Endpoints to read again after a change of a warmup. */
export const WARMUP_RENEWS: readonly Endpoint[] = [
  ...RENEWS,
  "get /warmup/enrolments/:mailboxId",
  "get /warmup/enrolments/:mailboxId/heatmap",
];

/** CSS classes for the colour of a warmup's status. */
export const WARMUP_MARK: Record<Enrolment["status"], string> = {
  ACTIVE: "good",
  PAUSED: "rests",
  STOPPED: "rests",
  RECONNECT_REQUIRED: "bad",
  SUSPENDED: "bad",
};
