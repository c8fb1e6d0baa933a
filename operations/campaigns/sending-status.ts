import pLimit from "p-limit";
import { activeCode, breakdownOf, restingBreakdown, restingCode } from "../../domain/campaigns/sending-status.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { restFactsOf } from "../../domain/mailboxes/rest-facts.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { NEVER } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { whenInTime } from "../../mongo/unfit.ts";
import { countOpen } from "../../store/campaigns/audience-check.ts";
import { loadSequence } from "../../store/campaigns/load.ts";
import { loadCampaignMailboxes } from "../../store/campaigns/mailboxes-of-campaign.ts";
import { findNextSend } from "../../store/campaigns/next-send.ts";
import { loadSendingFacts } from "../../store/campaigns/sending-facts.ts";

export type SendingStatus = Awaited<ReturnType<typeof sendingStatusOf>>;

const atOnce = pLimit(8);

/** The sending status of each campaign of a page, in their order; null where it could not be read in time. */
export function sendingStatusesOf(campaigns: readonly Campaign[]): Promise<(SendingStatus | null)[]> {
  return Promise.all(campaigns.map((campaign) => atOnce(() => whenInTime(sendingStatusOf(campaign)))));
}

/** Why a campaign sends or does not, since when, and when it sends next (rules/campaigns 4.4). */
export async function sendingStatusOf(campaign: Campaign) {
  const { workspaceId, _id: campaignId, statusChangedAt, status, pauseReason } = campaign;
  const now = Date.now();
  const sent = { campaignId, lastSentAt: trusted({ $gt: NEVER }) };
  const [last] = await scoped(workspaceId).Recipient.find(sent, {
    sort: { lastSentAt: -1 },
    limit: 1,
    select: { lastSentAt: 1 },
  });
  const lastSentAt = last?.lastSentAt ?? null;
  const restingReason = restingCode(status, pauseReason);
  if (restingReason !== null && status !== "SCHEDULED")
    return resultOf(restingReason, null, restingBreakdown(restingReason, await countOpen(campaign)), []);
  const settings = settingsOf(campaign.settings);
  const [sequence, mailboxes] = await Promise.all([
    loadSequence(workspaceId, campaignId),
    loadCampaignMailboxes(workspaceId, settings),
  ]);
  const sources = { campaign, settings, sequence, mailboxes };
  const nextSendAt = await findNextSend(sources, now);
  if (restingReason !== null)
    return resultOf(restingReason, nextSendAt, restingBreakdown(restingReason, await countOpen(campaign)), mailboxes);
  const facts = await loadSendingFacts(sources, nextSendAt, now);
  return resultOf(activeCode(facts), nextSendAt, breakdownOf(facts), mailboxes);

  function resultOf(
    code: ReturnType<typeof activeCode>,
    nextSendAt: number | null,
    breakdown: ReturnType<typeof breakdownOf>,
    mailboxes: readonly Mailbox[],
  ) {
    // An active campaign has been delayed since its last email
    const isHeld = status === "ACTIVE" && code !== "HEALTHY" && lastSentAt !== null && lastSentAt > statusChangedAt;
    const since = isHeld ? lastSentAt : statusChangedAt;
    const restingMailboxes = restingAmong(mailboxes, now);
    return { code, since, nextSendAt: dateOf(nextSendAt), lastHealthySendAt: lastSentAt, breakdown, restingMailboxes };
  }
}

/** The most mailboxes that the status lists. */
const MOST_NAMED = 100;

/**
 * The mailboxes that send nothing now, or nothing to a provider's customers, with the reason and the time of the next
 * attempt.
 */
function restingAmong(mailboxes: readonly Mailbox[], now: number) {
  const restingMailboxes = mailboxes.flatMap((mailbox) =>
    restFactsOf(mailbox, now).map((fact) => ({ mailboxId: mailbox._id, status: mailbox.status, ...fact })),
  );
  return restingMailboxes.slice(0, MOST_NAMED);
}

function dateOf(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
