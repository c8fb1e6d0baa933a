import { isStuck, type SendingCode } from "../../../domain/campaigns/sending-status.ts";
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
  "get /campaigns/:campaignId/validate",
];

/** The statuses of a campaign that sends by itself, now or from its start on. */
const RUNNING: readonly Campaign["status"][] = ["ACTIVE", "SCHEDULED"];

export function isRunning(status: Campaign["status"]): boolean {
  return RUNNING.includes(status);
}

/** Whether the campaign was launched and has not ended, so that a change of it changes what is sent. */
export function hasBegun(status: Campaign["status"]): boolean {
  return isRunning(status) || status === "PAUSED";
}

type Sending = Pick<Campaign, "status"> & { sendingStatus?: { code: SendingCode } | null | undefined };

/** The colour of a campaign's sending status, as a CSS class. */
export function markOf(campaign: Sending): string {
  const { status, sendingStatus } = campaign;
  if (sendingStatus != null && isStuck(sendingStatus.code)) return "bad";
  if (status !== "ACTIVE") return "rests";
  return sendingStatus?.code === "HEALTHY" ? "good" : "waits";
}
