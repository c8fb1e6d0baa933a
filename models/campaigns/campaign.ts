import type { UnsettledEdit } from "../../domain/sequences/edit.ts";
import {
  CAMPAIGN_STATUSES,
  CAMPAIGN_TYPES,
  type CampaignStatus,
  type CampaignType,
  COMPLETED_REASONS,
  type CompletedReason,
  PAUSE_REASONS,
  type PauseReason,
} from "../../domain/states.ts";
import { counter, instant, mixed, type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

export interface Campaign extends Owned {
  name: string;
  description: string | null;
  goal: string | null;
  type: CampaignType;
  clientId: string | null;
  status: CampaignStatus;
  pauseReason: PauseReason | null;
  completedReason: CompletedReason | null;
  statusChangedAt: Date;
  version: number;
  sequenceId: string;
  audienceListIds: string[];
  recipientCount: number;
  launchedAt: Date | null;
  completedAt: Date | null;
  archivedAt: Date | null;
  /**
   * Only the settings that were changed. The defaults are added when the settings are read
   * (domain/campaigns/settings.ts).
   */
  settings: Record<string, unknown>;
  /** Counts how often the gates were closed or opened. Workflows call this number the epoch. */
  fence: number;
  /**
   * Automatic pauses do not happen before this instant, because resuming by hand overrides the guards for a day
   * (rules/campaigns 5.1).
   */
  guardOverrideUntil: Date | null;
  /**
   * Since when none of the campaign's mailboxes can send. It is recorded while the campaign is active (rules/campaigns
   * 5.3).
   */
  unsendableSince: Date | null;
  /** When the campaign's limits, gaps or hours last changed; null once the booked emails have been reviewed. */
  freedAt: Date | null;
  /**
   * The work that an edit of the sequence still requires for waiting recipients; null once it is done. Absent in
   * campaigns of earlier versions.
   */
  unsettled?: UnsettledEdit | null;
}

export const Campaign = tenantModel<Campaign>(
  "Campaign",
  "campaigns",
  {
    name: required,
    description: text,
    goal: text,
    type: oneOf(CAMPAIGN_TYPES, "SEQUENCE"),
    clientId: text,
    status: oneOf(CAMPAIGN_STATUSES, "DRAFT"),
    pauseReason: oneOf(PAUSE_REASONS),
    completedReason: oneOf(COMPLETED_REASONS),
    statusChangedAt: { type: Date, required: true },
    version: { type: Number, required: true, default: 1 },
    sequenceId: required,
    audienceListIds: texts,
    recipientCount: counter,
    launchedAt: instant,
    completedAt: instant,
    archivedAt: instant,
    settings: mixed,
    fence: counter,
    guardOverrideUntil: instant,
    unsendableSince: instant,
    freedAt: instant,
    unsettled: mixed,
  },
  // The name is the last key of the list's indexes, so that a search for a part of it reads only index keys
  [
    { fields: { workspaceId: 1, _id: -1, name: 1 } },
    { fields: { workspaceId: 1, status: 1, _id: -1, name: 1 } },
    { fields: { status: 1 } },
    { fields: { "settings.autoRefreshAudience": 1, _id: 1 }, where: { "settings.autoRefreshAudience": true } },
  ],
);
