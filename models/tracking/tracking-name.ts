import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Base, counter, globalModel, instant, required } from "../../mongo/schema.ts";

/**
 * A name that led here as a tracking domain when it was last checked, whoever has it now. Emails that were sent carry
 * it for good, so its certificate lives on while it leads here (rules/tracking 4.1). `_id` is the name.
 */
export interface TrackingName extends Base {
  expectedCname: string;
  checkedAt: Date;
  /** When it was first found to lead elsewhere; null while it leads here. */
  goneAt: Date | null;
  /** Checks whose result was written: two that are written at once conflict here. */
  settled: number;
}

/** How long a name that leads elsewhere is asked again. */
const KEPT_SECONDS = 90 * DAY_SECONDS;

export const TrackingName = globalModel<TrackingName>(
  "TrackingName",
  "tracking_names",
  { expectedCname: required, checkedAt: { type: Date, required: true }, goneAt: instant, settled: counter },
  [{ fields: { goneAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
