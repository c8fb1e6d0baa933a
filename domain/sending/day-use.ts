/** The owners for which a mailbox's emails of a day are counted: a campaign, or one of these two. */
export const WARMUP_OWNER = "warmup";
export const PERSON_OWNER = "none";

/**
 * Up to this many replies and other single emails of a day, a reply is sent although the mailbox's own limit is reached
 * (rules/sending 2.1).
 */
export const REPLY_RESERVE = 10;

/** The booked and sent emails of a mailbox on one UTC day, by owner. */
export interface UsedDay {
  taken: readonly { campaignId: string }[];
  sent: number;
  sentBy: Record<string, number>;
}

/** The owner for which an email is counted. Booking, claiming and undoing a claim all use this function. */
export function dayOwnerOf({ kind, campaignId }: { kind: string; campaignId: string | null }): string {
  if (kind === "WARMUP") return WARMUP_OWNER;
  return kind === "CAMPAIGN" && campaignId !== null ? campaignId : PERSON_OWNER;
}

/** How many campaign emails of the day have been claimed, of all campaigns together. */
export function campaignSentOn({ sent, sentBy }: Pick<UsedDay, "sent" | "sentBy">): number {
  return Math.max(0, sent - (sentBy[WARMUP_OWNER] ?? 0) - (sentBy[PERSON_OWNER] ?? 0));
}

/** How many emails of the day are booked or claimed: in total, for all campaigns, and for one campaign. */
export function usedOn(day: UsedDay, campaignId: string): { all: number; campaigns: number; ours: number } {
  const booked = day.taken.filter((slot) => slot.campaignId !== WARMUP_OWNER).length;
  const ours = day.taken.filter((slot) => slot.campaignId === campaignId).length;
  return {
    all: day.taken.length + day.sent,
    campaigns: booked + campaignSentOn(day),
    ours: ours + (day.sentBy[campaignId] ?? 0),
  };
}
