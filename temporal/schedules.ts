import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleSpec } from "@temporalio/client";

interface Timed {
  id: string;
  workflow: string;
  spec: ScheduleSpec;
  /** A start that was missed by more than this is skipped. */
  catchUp: string;
}

/**
 * The workflows that Temporal starts on a schedule, for all workspaces together (rules/sending 11.5). A few global
 * schedules process all workspaces in an activity.
 */
export const SCHEDULES: readonly Timed[] = [
  {
    id: "daily-dns",
    workflow: "dailyDnsChecks",
    spec: { calendars: [{ hour: 3, minute: 20 }], jitter: "10m" },
    catchUp: "1 day",
  },
  { id: "warmup-plan", workflow: "planWarmup", spec: { calendars: [{ hour: 0, minute: 5 }] }, catchUp: "20h" },
  { id: "day-counts", workflow: "countDays", spec: { calendars: [{ minute: 10, hour: "*" }] }, catchUp: "1h" },
  { id: "mailbox-health", workflow: "judgeMailboxes", spec: { calendars: [{ minute: 25, hour: "*" }] }, catchUp: "1h" },
  { id: "crm-sync", workflow: "syncCrm", spec: { intervals: [{ every: "10m" }] }, catchUp: "1m" },
  { id: "crm-write-back", workflow: "writeCrmBack", spec: { intervals: [{ every: "5m" }] }, catchUp: "1m" },
  {
    id: "agency-reports",
    workflow: "mailAgencyReports",
    spec: { calendars: [{ hour: 6, minute: 40 }] },
    catchUp: "20h",
  },
  { id: "audience-refresh", workflow: "refreshAudiences", spec: { intervals: [{ every: "15m" }] }, catchUp: "1m" },
];

const CALL_MS = 10_000;

/** Creates the missing schedules. After Temporal has lost its data, all of them are missing. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const { id, workflow, spec, catchUp } of SCHEDULES) {
    const created = client.withDeadline(Date.now() + CALL_MS, () =>
      client.schedule.create({
        scheduleId: id,
        spec,
        action: {
          type: "startWorkflow",
          workflowType: workflow,
          workflowId: `schedule/${id}`,
          taskQueue: "engine",
          args: [],
        },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: catchUp },
      }),
    );
    await created.catch((error) => {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
  }
}
