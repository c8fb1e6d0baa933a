import type { PoolShare, WarmupConfig, WarmupPreset, WarmupStatus } from "../../domain/warmup/enrolment.ts";
import { WARMUP_PRESETS, WARMUP_STATUSES } from "../../domain/warmup/enrolment.ts";
import { IS_INSTANT, instant, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** A mailbox in warmup. `_id` is the id of the mailbox. */
export interface WarmupEnrolment extends Owned {
  email: string;
  status: WarmupStatus;
  statusReason: string | null;
  preset: WarmupPreset;
  config: WarmupConfig;
  pools: PoolShare[];
  /** 1 on the first day; it rises at the end of each local day on which the warmup was active. */
  dayNumber: number;
  /** Today's target. */
  dailyLimit: number;
  /** The last local day that was closed. */
  closedDay: string | null;
  /**
   * The UTC day of a restore from a backup. The database has lost the record of what was sent earlier on that day, so
   * no more warmup email is planned for it.
   */
  restDay: string | null;
  /** When the mailbox first reached the number of days after which it counts as warm; null before. */
  warmSince: Date | null;
  startedAt: Date | null;
  pausedAt: Date | null;
  /** When a change made it necessary to plan the rest of today again; null once that has been done. */
  replanAt: Date | null;
  /**
   * When the workflow run of the mailbox acts next. A run that has not acted by then is started again. Null while the
   * run waits for a signal.
   */
  wakeAt: Date | null;
}

export const WarmupEnrolment = tenantModel<WarmupEnrolment>(
  "WarmupEnrolment",
  "warmup_enrolments",
  {
    email: required,
    status: oneOf(WARMUP_STATUSES, "ACTIVE"),
    statusReason: text,
    preset: oneOf(WARMUP_PRESETS, "COLD"),
    config: { type: Object, required: true },
    pools: { type: [Object], required: true },
    dayNumber: { type: Number, required: true, default: 1 },
    dailyLimit: { type: Number, required: true, default: 0 },
    closedDay: text,
    restDay: text,
    warmSince: instant,
    startedAt: instant,
    pausedAt: instant,
    replanAt: instant,
    wakeAt: instant,
  },
  [
    { fields: { workspaceId: 1, _id: -1 } },
    { fields: { workspaceId: 1, email: 1, _id: 1 } },
    { fields: { workspaceId: 1, status: 1, _id: -1 } },
    // The planner pages through the active enrolments of all workspaces in this index
    { fields: { status: 1, _id: 1 } },
    { fields: { wakeAt: 1 }, where: { wakeAt: IS_INSTANT } },
  ],
);
