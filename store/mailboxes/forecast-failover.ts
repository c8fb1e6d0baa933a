import { maySendCampaigns } from "../../domain/mailboxes/band.ts";
import { formatInstant } from "../../domain/recipients/explain.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { loadCampaignMailboxes } from "../campaigns/mailboxes-of-campaign.ts";
import type { Forecast } from "../recipients/forecast-result.ts";
import type { Situation } from "../recipients/recipient-state.ts";

/**
 * Notes whether another mailbox takes over from one that is lost or whose band is shut since an instant (epoch milliseconds, or null where
 * it is neither), before that one comes back (rules/sending 4.3).
 */
export async function noteFailover(
  prospect: Forecast,
  { recipient, campaign, settings }: Situation,
  since: number | null,
): Promise<boolean> {
  if (since === null || settings.mailboxFailover !== "REASSIGN" || campaign.status !== "ACTIVE") return false;
  const isHeld = recipient.awaitedMailboxId !== null;
  const isLost = recipient.status === "PAUSED";
  if (!isHeld && !isLost) return false;
  const afterHours = settings.mailboxFailoverAfterHours;
  const at = Math.max(prospect.now, since + afterHours * HOUR_MS);
  // A band may be over before that
  if (isHeld && at >= prospect.at) return false;
  const others = await loadCampaignMailboxes(campaign.workspaceId, settings);
  if (!others.some((other) => maySendCampaigns(other) && other._id !== recipient.mailboxId)) return false;
  if (isHeld) prospect.at = at;
  prospect.waitUntil(at);
  prospect.isEarliest = true;
  prospect.note("REASSIGNED", { at: formatInstant(prospect.at), afterHours });
  prospect.happens("REASSIGNED");
  return true;
}
