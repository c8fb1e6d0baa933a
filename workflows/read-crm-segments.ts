import { proxyActivities } from "@temporalio/workflow";
import type { CrmSegmentActivities } from "../activities/crm/segments.ts";
import { CRM_SEGMENTS, type CrmConnectionIds, type CrmSegmentsOutcome } from "../domain/crm/contract.ts";

const { fetchCrmSegments } = proxyActivities<CrmSegmentActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: CRM_SEGMENTS.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Reads the segments of a CRM once, while a caller waits. */
export async function readCrmSegments(ids: CrmConnectionIds): Promise<CrmSegmentsOutcome> {
  return fetchCrmSegments(ids);
}
