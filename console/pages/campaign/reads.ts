import type { Endpoint, Out } from "../../api/call.ts";

export type Campaign = Out<"get /campaigns/:campaignId">;

/** What has to be read anew when something about a campaign was changed. */
export const RENEWS: readonly Endpoint[] = [
  "get /campaigns",
  "get /campaigns/:campaignId",
  "get /campaigns/:campaignId/recipients",
  "get /campaigns/:campaignId/recipients/:recipientId/explain",
];
