import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy, type ScheduleSpec } from "@temporalio/client";

interface Daily {
  id: string;
  workflow: string;
  spec: ScheduleSpec;
}

/** What the engine starts by the clock, for every workspace at once (engine.md 2): a few global ones that fan out in an activity. */
const SCHEDULES: readonly Daily[] = [
  { id: "daily-dns", workflow: "dailyDnsChecks", spec: { calendars: [{ hour: 3, minute: 20 }], jitter: "10m" } },
];

const CALL_MS = 10_000;

/** Creates the schedules that are not there; after an engine that lost everything, all of them. */
export async function ensureSchedules(client: Client): Promise<void> {
  for (const { id, workflow, spec } of SCHEDULES) {
    const created = client.withDeadline(Date.now() + CALL_MS, () =>
      client.schedule.create({
        scheduleId: id,
        spec,
        action: { type: "startWorkflow", workflowType: workflow, workflowId: `schedule/${id}`, taskQueue: "engine", args: [] },
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: "1 day" },
      }),
    );
    await created.catch((error) => {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
  }
}
