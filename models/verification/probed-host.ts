import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Base, globalModel, instant, text } from "../../mongo/schema.ts";

/**
 * When a mail host may be probed again, by any worker and for any workspace. The worker that probes the host holds the
 * lease of this document (rules/verification 3.2). `_id` is the host.
 */
export interface ProbedHost extends Base {
  /** When the last probes ended, oldest first. At most as many as an hour allows. */
  asked: Date[];
  /** No worker probes the host before this instant. While a worker probes the host, the instant lies in the future. */
  freeAt: Date;
  leaseId: string | null;
  /** The host refused us and is not probed before this instant. */
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
