import { proxyActivities } from "@temporalio/workflow";
import type { AgencyReportActivities } from "../activities/agency-reports.ts";
import type { AudienceActivities } from "../activities/campaigns/audience.ts";
import type { CrmRoundActivities } from "../activities/crm/rounds.ts";
import type { HealthActivities } from "../activities/mailboxes/health.ts";
import type { RollUpActivities } from "../activities/roll-ups.ts";
import { CRM_ROUND } from "../domain/crm/contract.ts";

// Each workflow here is started by a schedule

const { countLists, growCampaigns } = proxyActivities<AudienceActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "4h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
});

/**
 * Every 15 minutes, counts the members of DYNAMIC lists and then adds new members to campaigns that refresh their
 * audience.
 */
export async function refreshAudiences(): Promise<{ lists: number; added: number }> {
  const lists = await countLists();
  const added = await growCampaigns();
  return { lists, added };
}

const { rollUpDays } = proxyActivities<RollUpActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "4h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
});

/**
 * Every hour, counts what happened in campaigns since the last count, and recounts the days that have changed
 * (rules/analytics 2).
 */
export async function countDays(): Promise<{ days: number }> {
  return { days: await rollUpDays() };
}

const { judgeMailboxes: judgeDueMailboxes } = proxyActivities<HealthActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "55m",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 10 },
});

/** Every hour, judges the mailboxes that have new data or whose review is due (rules/health 2.1). */
export async function judgeMailboxes(): Promise<{ changes: number }> {
  return { changes: await judgeDueMailboxes() };
}

const { keepCrmLists, writeCrmBack: reportToCrms } = proxyActivities<CrmRoundActivities>({
  ...CRM_ROUND,
  taskQueue: "jobs",
});

/** Starts the imports of lists that follow a CRM segment and were last read an hour or longer ago. */
export async function syncCrm(): Promise<number> {
  return keepCrmLists();
}

/** Reports events of contacts to each CRM that is set up to receive them. */
export async function writeCrmBack(): Promise<number> {
  return reportToCrms();
}

const { mailReports } = proxyActivities<AgencyReportActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "2h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "1m", maximumAttempts: 3 },
});

/** Every day, sends the weekly client report to the agencies that have not received it yet. */
export async function mailAgencyReports(): Promise<number> {
  return mailReports();
}
