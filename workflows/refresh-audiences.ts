import { proxyActivities } from "@temporalio/workflow";
import type { AudienceActivities } from "../activities/campaigns/audience.ts";

const { countLists, growCampaigns } = proxyActivities<AudienceActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "4h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
});

/** Every 15 minutes: the DYNAMIC lists are counted, then campaigns that refresh themselves take in the new members of their lists. */
export async function refreshAudiences(): Promise<{ lists: number; added: number }> {
  const lists = await countLists();
  const added = await growCampaigns();
  return { lists, added };
}
