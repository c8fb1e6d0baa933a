import { proxyActivities } from "@temporalio/workflow";
import type { HealthActivities } from "../activities/mailboxes/health.ts";

const activities = proxyActivities<HealthActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "55m",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 10 },
});

/** Every hour, judges the mailboxes that have new facts or whose review is due (rules/health 2.1). */
export async function judgeMailboxes(): Promise<{ changes: number }> {
  return { changes: await activities.judgeMailboxes() };
}
