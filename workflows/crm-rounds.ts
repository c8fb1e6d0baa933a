import { proxyActivities } from "@temporalio/workflow";
import type { CrmRoundActivities } from "../activities/crm/rounds.ts";
import { CRM_ROUND } from "../domain/crm/contract.ts";

const { keepCrmLists, writeCrmBack: write } = proxyActivities<CrmRoundActivities>({ ...CRM_ROUND, taskQueue: "jobs" });

/** Begins the imports of lists that are kept in step with a segment of a CRM and have not been read for an hour. */
export async function syncCrm(): Promise<number> {
  return keepCrmLists();
}

/** Tells each CRM that wants to hear it what has happened to its contacts. */
export async function writeCrmBack(): Promise<number> {
  return write();
}
