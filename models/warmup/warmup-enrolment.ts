import type { PoolShare, WarmupConfig, WarmupPreset, WarmupStatus } from "../../domain/warmup/enrolment.ts";
import { WARMUP_PRESETS, WARMUP_STATUSES } from "../../domain/warmup/enrolment.ts";
import { IS_INSTANT, instant, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** A mailbox that warms up. `_id` is the id of the mailbox. */
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
  /** The local day that was closed last. */
  closedDay: string | null;
  /**
   * The UTC day of a restore from a backup. The database has lost what was sent on it before, so no more is planned.
   */
  restDay: string | null;
  /** When it first reached the number of days that makes a mailbox warm; null before. */
  warmSince: Date | null;
  startedAt: Date | null;
  pausedAt: Date | null;
  /** Since then the rest of today is still to be planned; null once it has been. */
  replanAt: Date | null;
  /** When its run acts next. A run that has not acted by then is started again. Null while it waits for a signal. */
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
    // The planner pages through all that are active, whatever their workspace
    { fields: { status: 1, _id: 1 } },
    { fields: { wakeAt: 1 }, where: { wakeAt: IS_INSTANT } },
  ],
);
