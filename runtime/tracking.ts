import { type TrackingDoor, trackingDoorOf } from "../api/public/tracking.ts";
import type { Services } from "../operations/context.ts";
import { createTracker, type TrackerOptions } from "../operations/tracking/tracker.ts";
import { MOST_A_MINUTE } from "../operations/tracking/visit-limit.ts";
import type { Log } from "./log.ts";
import { countRequest, hitMetrics } from "./metrics.ts";

export interface Tracking {
  door: TrackingDoor;
  /** Stores the hits that wait in memory. */
  close(): Promise<void>;
}

/** The code that answers requests to the addresses in emails, in this process. */
export function openTracking(
  { signing, settings: { trustProxy } }: Services,
  log: Log,
  { mostAMinute = MOST_A_MINUTE }: Pick<TrackerOptions, "mostAMinute"> = {},
): Tracking {
  const onFlood = () =>
    log.warn({ mostAMinute }, "one IP address exceeds the limit of hits per minute; its further hits are not stored");
  const tracker = createTracker({ signing, metrics: hitMetrics, onFlood, mostAMinute });
  return { door: trackingDoorOf(tracker, { trustProxy, onAnswered: countRequest }), close: () => tracker.close() };
}
