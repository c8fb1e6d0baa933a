import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Base, counter, globalModel, instant, required } from "../../mongo/schema.ts";

/**
 * A host name that pointed to this deployment as a tracking domain when it was last checked, whichever workspace uses
 * it now. Sent emails contain the name permanently, so its certificate is renewed as long as the name points here
 * (rules/tracking 4.1). `_id` is the name.
 */
export interface TrackingName extends Base {
  expectedCname: string;
  checkedAt: Date;
  /** When a check first found that the name points elsewhere; null while it points here. */
  goneAt: Date | null;
  /** How many check results were written. Two results that are written at the same time conflict on this field. */
  settled: number;
}

/** How long a name that points elsewhere is still checked. */
const KEPT_SECONDS = 90 * DAY_SECONDS;

export const TrackingName = globalModel<TrackingName>(
  "TrackingName",
  "tracking_names",
  { expectedCname: required, checkedAt: { type: Date, required: true }, goneAt: instant, settled: counter },
  [{ fields: { goneAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
