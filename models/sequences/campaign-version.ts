import type { SequenceChange } from "../../domain/sequences/changes.ts";
import { SEQUENCE_MODES, type SequenceMode, type Step } from "../../domain/sequences/sequence.ts";
import { instant, mixed, number, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

/** SNAPSHOT: the campaign as it was before its first recorded edit. */
export const EDIT_ACTIONS = ["SNAPSHOT", "SET_MODE", "REPLACE_STEPS", "REORDER", "REVERT", "UPDATE_SETTINGS"] as const;
export type EditAction = (typeof EDIT_ACTIONS)[number];

/** A campaign after an edit of its sequence or settings. A version is never changed (rules/campaigns 2.6). */
export interface CampaignVersion extends Owned {
  campaignId: string;
  version: number;
  at: Date;
  action: EditAction;
  /** Who edited; null for a SNAPSHOT. */
  by: { kind: "API_KEY" | "OAUTH" | "CONSOLE"; id: string; name: string } | null;
  /** The version that a REVERT restored. */
  revertedTo: number | null;
  changes: SequenceChange[];
  /** The sequence as it was then; null for an edit of the settings. */
  mode: SequenceMode | null;
  steps: Step[] | null;
}

export const CampaignVersion = tenantModel<CampaignVersion>(
  "CampaignVersion",
  "campaign_versions",
  {
    campaignId: required,
    version: { type: Number, required: true },
    at: instant,
    action: oneOf(EDIT_ACTIONS, "SNAPSHOT"),
    by: mixed,
    revertedTo: number,
    changes: { type: [Object], required: true, default: [] },
    mode: oneOf(SEQUENCE_MODES),
    steps: mixed,
  },
  [{ fields: { workspaceId: 1, campaignId: 1, version: -1 }, unique: true }],
);
