import { proxyActivities } from "@temporalio/workflow";
import type { AudienceActivities } from "../activities/campaigns/audience.ts";

const { countLists, growCampaigns } = proxyActivities<AudienceActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: "4h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
});

/** Every 15 minutes, counts the members of DYNAMIC lists and then adds new members to campaigns that refresh their audience. */
export async function refreshAudiences(): Promise<{ lists: number; added: number }> {
  const lists = await countLists();
  const added = await growCampaigns();
  return { lists, added };
}
