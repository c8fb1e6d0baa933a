import type { Endpoint, Out } from "../../api/call.ts";

export type Campaign = Out<"get /campaigns/:campaignId">;
export type Step = Out<"get /campaigns/:campaignId/sequence">["steps"][number];
/** An edit of the sequence or of the settings. */
export type Version = Out<"get /campaigns/:campaignId/versions">["items"][number];
/** The variants of an email step side by side. */
export type StepResults = Out<"get /campaigns/:campaignId/experiment">["steps"][number];

/** Endpoints to read again after a change of a campaign. */
export const RENEWS: readonly Endpoint[] = [
  "get /campaigns",
  "get /campaigns/:campaignId",
  "get /campaigns/:campaignId/recipients",
  "get /campaigns/:campaignId/recipients/:recipientId/explain",
];
