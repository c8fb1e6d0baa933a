import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Base, globalModel, instant, text } from "../../mongo/schema.ts";

/**
 * When a mail host may be asked again, for all workers and workspaces: whoever asks holds this document
 * (rules/verification 3.2). `_id` is the host.
 */
export interface ProbedHost extends Base {
  /** The ends of its last questions, oldest first, at most as many as an hour may have. */
  asked: Date[];
  /** No one asks before this instant. While someone asks it lies ahead. */
  freeAt: Date;
  leaseId: string | null;
  /** It refused us; until then it is left alone. */
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
