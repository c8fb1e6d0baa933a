import type { SetupFinding } from "../../domain/readiness.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import type { ClockReading } from "../../mongo/diagnosis.ts";
import { fail, ok, warn } from "./finding.ts";

/** Milliseconds by which the clocks of two machines may differ. Minimum gaps between emails are of this size. */
const WARN_MS = 2 * SECOND_MS;
/** From here on, a worker that polls can count as ended, and signed requests can count as too old. */
const FAIL_MS = 30 * SECOND_MS;
const ADVICE = "Synchronise the clocks of all machines, for example with chrony or systemd-timesyncd";

/** Compares the clock of a server with that of this machine. The time of the question does not count as a difference. */
export function judgeClock(
  check: string,
  { beforeMs, serverMs, afterMs }: ClockReading,
  agreed = "its clock agrees with the clock of this machine",
): SetupFinding {
  const aheadMs = serverMs > afterMs ? serverMs - afterMs : serverMs < beforeMs ? serverMs - beforeMs : 0;
  const byMs = Math.abs(aheadMs);
  if (byMs < WARN_MS) return ok(check, agreed);
  const found = `its clock is ${Math.round(byMs / SECOND_MS)} s ${aheadMs > 0 ? "ahead of" : "behind"} the clock of this machine`;
  return byMs < FAIL_MS ? warn(check, found, ADVICE) : fail(check, found, ADVICE);
}
