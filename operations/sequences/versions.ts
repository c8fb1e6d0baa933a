import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { SEQUENCE_MODES, type SequenceMode, type Step as StoredStep } from "../../domain/sequences/sequence.ts";
import { scoped } from "../../models/scoped.ts";
import { EDIT_ACTIONS } from "../../models/sequences/campaign-version.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { findSequenceAt, MOST_VERSIONS } from "../../store/sequences/versions.ts";
import { campaignId } from "../campaigns/find.ts";
import { Step } from "../campaigns/record.ts";
import { PRINCIPAL_KINDS } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, pageFrom, pageOf, paging, record, time, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";

const { stepId, variantId } = describedIds;

const count = z.number().int();
const BY = sorting({ version: "version" }, "-version");

export const versionNumber = wholeNumber(1, Number.MAX_SAFE_INTEGER).describe(
  "A version of the campaign, from its history",
);

const Change = z.object({
  stepId: nullable(stepId).describe("The changed step; null for the mode or a setting"),
  variantId: nullable(variantId).describe("The changed variant; null for the step itself"),
  field: z
    .string()
    .describe(
      "What changed: `step` or `variant` for one that was added (`before` is null) or removed (`after` is null), `order`, another field of the step or variant, `mode`, or `settings.` and the name of a setting",
    ),
  before: z.unknown().describe("The old value; null also for the bodies of emails"),
  after: z.unknown().describe("The new value; null also for the bodies of emails"),
});

const versionFields = {
  version: count.describe("The version of the campaign that this edit made"),
  at: time.describe("When the edit was made"),
  action: z
    .enum(EDIT_ACTIONS)
    .describe(
      "The kind of edit. SNAPSHOT: the state before the first recorded edit; UPDATE_SETTINGS did not change the sequence",
    ),
  by: nullable(
    z.object({
      kind: z.enum(PRINCIPAL_KINDS).describe("API_KEY, OAUTH for a connector, or CONSOLE for a person"),
      id: z.string().describe("The id of the key, of the connector's grant, or of the person"),
      name: z.string().describe("The name of that key, connector or person then"),
    }),
  ).describe("Who made the edit; null for a SNAPSHOT"),
  revertedTo: nullable(count).describe("The version whose sequence a REVERT restored; null otherwise"),
  changes: z.array(Change).describe("The changes since the previous version"),
};

const Version = record(versionFields).meta({
  id: "CampaignVersion",
  description: "An edit of a campaign's sequence or settings",
});

export const list = operation({
  summary: `List the edits of a campaign's sequence and settings, with their authors, newest first; the newest ${MOST_VERSIONS} are kept`,
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId, ...paging, sort: BY.sort }),
  output: pageOf(Version),
  async run({ workspaceId }, { campaignId, sort, ...page }) {
    await loadCampaign(workspaceId, campaignId);
    return pageFrom(scoped(workspaceId).CampaignVersion, { campaignId }, page, {
      sort: BY.orderOf(sort),
      select: { steps: 0 },
    });
  },
});

export const get = operation({
  summary: "Read the sequence of an earlier version",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND", "VERSION_NOT_FOUND"],
  input: z.strictObject({ campaignId, version: versionNumber }),
  output: record({
    ...versionFields,
    mode: z.enum(SEQUENCE_MODES).describe("DEFAULT is linear, VISUAL has branches"),
    steps: z.array(Step).describe("The steps of that version, in order"),
  }).meta({
    id: "CampaignVersionInFull",
    description: "A version's edit, with its sequence",
  }),
  run: ({ workspaceId }, { campaignId, version }) => loadVersion(workspaceId, campaignId, version),
});

/**
 * The edit that created a version of the sequence, with that sequence.
 * @throws AppError CAMPAIGN_NOT_FOUND, VERSION_NOT_FOUND {kept}
 */
export async function loadVersion(workspaceId: string, campaignId: string, version: number) {
  const { version: current } = await loadCampaign(workspaceId, campaignId);
  const found = version > current ? null : await findSequenceAt(workspaceId, campaignId, version);
  const [mode, steps]: [SequenceMode | null, StoredStep[] | null] = [found?.mode ?? null, found?.steps ?? null];
  if (found === null || mode === null || steps === null) {
    throw new AppError("VERSION_NOT_FOUND", "The sequence of this version is not kept", {
      currentVersion: current,
      kept: MOST_VERSIONS,
    });
  }
  return { ...found, mode, steps };
}
