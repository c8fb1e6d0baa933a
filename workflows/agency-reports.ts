import { proxyActivities } from "@temporalio/workflow";
import type { AgencyReportActivities } from "../activities/agency-reports.ts";

const { mailReports } = proxyActivities<AgencyReportActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "2h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "1m", maximumAttempts: 3 },
});

/** Every day, mails the agencies that have not been told of the last week how their clients did. */
export async function mailAgencyReports(): Promise<number> {
  return mailReports();
}
