/** What one mailbox can send on a day. Limits are as configured: 0 and null mean no limit. */
export interface MailboxCapacity {
  dailySendLimit: number | null;
  /** The provider's own limit (rules/sending 2.4). */
  providerLimit?: number | null;
  /** How many emails of the day are used up by other campaigns, replies and earlier sends. */
  reservedElsewhere?: number;
  /**
   * The most emails that all campaigns together may send from the mailbox. It depends on the mailbox's health band and
   * leaves capacity for warmup. Absent means no limit; 0 means no email.
   */
  campaignRoom?: number;
  /** How many emails of `reservedElsewhere` belong to other campaigns. */
  campaignsElsewhere?: number;
  /** The seconds of the day that are both in the campaign's sending window and in the mailbox's workday. */
  openSeconds: number;
  /** Null means the campaign's gap. */
  minGapSeconds?: number | null;
  maxGapSeconds?: number | null;
}

export interface CampaignVolume {
  dailyLimit: number | null;
  /** The result of `rampLimit` for today. */
  ramp: number | null;
  /** 0 means no limit. */
  perMailboxDailyLimit: number | null;
  minGapSeconds: number;
  maxGapSeconds: number;
}

/**
 * The emails that a campaign can send on one day (rules/campaigns 4.3). For example, 5 mailboxes, 2 h and a gap of 9 to
 * 14 min give 50.
 */
export function dailyCapacity(campaign: CampaignVolume, mailboxes: readonly MailboxCapacity[]): number {
  const sum = mailboxes.reduce((total, mailbox) => total + mailboxCapacity(campaign, mailbox), 0);
  return Math.min(limitOrInfinity(campaign.dailyLimit), limitOrInfinity(campaign.ramp), sum);
}

function mailboxCapacity(campaign: CampaignVolume, mailbox: MailboxCapacity): number {
  const limit =
    Math.min(limitOrInfinity(mailbox.dailySendLimit), limitOrInfinity(mailbox.providerLimit)) -
    (mailbox.reservedElsewhere ?? 0);
  const ofCampaigns = (mailbox.campaignRoom ?? Number.POSITIVE_INFINITY) - (mailbox.campaignsElsewhere ?? 0);
  const headroom = Math.min(limit, ofCampaigns);
  const min = mailbox.minGapSeconds ?? campaign.minGapSeconds;
  const max = mailbox.maxGapSeconds ?? campaign.maxGapSeconds;
  // without a gap a mailbox sends at most one email a second, and the sum stays finite
  const byGap =
    mailbox.openSeconds === 0 ? 0 : Math.max(1, Math.floor(mailbox.openSeconds / Math.max(1, (min + max) / 2)));
  return Math.max(0, Math.min(limitOrInfinity(campaign.perMailboxDailyLimit), headroom, byGap));
}

function limitOrInfinity(limit: number | null | undefined): number {
  return limit ? limit : Number.POSITIVE_INFINITY;
}
