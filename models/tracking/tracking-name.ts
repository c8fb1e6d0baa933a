import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Base, counter, globalModel, instant, required } from "../../mongo/schema.ts";

/**
 * A name that pointed here as a tracking domain when it was last checked, regardless of who has it now. Emails that
 * were sent contain it permanently, so its certificate is renewed while it points here (rules/tracking 4.1). `_id` is
 * the name.
 */
export interface TrackingName extends Base {
  expectedCname: string;
  checkedAt: Date;
  /** When it was first found to point elsewhere; null while it points here. */
  goneAt: Date | null;
  /** How many checks had their result written. Two that are written at once conflict here. */
  settled: number;
}

/** How long a name that points elsewhere is checked again. */
const KEPT_SECONDS = 90 * DAY_SECONDS;

export const TrackingName = globalModel<TrackingName>(
  "TrackingName",
  "tracking_names",
  { expectedCname: required, checkedAt: { type: Date, required: true }, goneAt: instant, settled: counter },
  [{ fields: { goneAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
