import { proxyActivities } from "@temporalio/workflow";
import type { RollUpActivities } from "../activities/roll-ups.ts";

const { rollUpDays } = proxyActivities<RollUpActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "4h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
});

/** Every hour, counts what has happened in campaigns up to it, and the days that have changed since (rules/analytics 2). */
export async function countDays(): Promise<{ days: number }> {
  return { days: await rollUpDays() };
}
