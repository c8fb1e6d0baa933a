import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Base, globalModel, instant, text } from "../../mongo/schema.ts";

/**
 * When a mail host may be asked again, for all workers and workspaces. The worker that asks holds this document
 * (rules/verification 3.2). `_id` is the host.
 */
export interface ProbedHost extends Base {
  /** When its last questions ended, oldest first, at most as many as an hour allows. */
  asked: Date[];
  /** No worker asks before this instant. While one asks, it lies in the future. */
  freeAt: Date;
  leaseId: string | null;
  /** The host refused us and is left alone until then. */
  stoppedUntil: Date | null;
}

export const ProbedHost = globalModel<ProbedHost>(
  "ProbedHost",
  "probed_hosts",
  {
    asked: { type: [Date], required: true, default: [] },
    freeAt: { type: Date, required: true },
    leaseId: text,
    stoppedUntil: instant,
  },
  [{ fields: { updatedAt: 1 }, expireAfterSeconds: 30 * DAY_SECONDS }],
);
