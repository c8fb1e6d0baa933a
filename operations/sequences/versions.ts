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
  "A version of the campaign, as its history lists them",
);

const Change = z.object({
  stepId: nullable(stepId).describe("The step that differs; null for the mode or a setting"),
  variantId: nullable(variantId).describe("The variant that differs; null for the step itself"),
  field: z
    .string()
    .describe(
      "What differs: `step` or `variant` for one that was added (`before` is null) or removed (`after` is null), `order`, another field of the step or variant, `mode`, or `settings.` and the name of a setting",
    ),
  before: z.unknown().describe("The old value; null also for the bodies of emails"),
  after: z.unknown().describe("The new value; null also for the bodies of emails"),
});

const versionFields = {
  version: count.describe("The version of the campaign that this edit made"),
  at: time.describe("When it was made"),
  action: z
    .enum(EDIT_ACTIONS)
    .describe(
      "What was done. SNAPSHOT: the state before the first edit that was recorded; UPDATE_SETTINGS left the sequence as it was",
    ),
  by: nullable(
    z.object({
      kind: z.enum(PRINCIPAL_KINDS).describe("API_KEY, OAUTH for a connector, or CONSOLE for a person"),
      id: z.string().describe("The id of the key, of the connector's grant, or of the person"),
      name: z.string().describe("Its name at that time"),
    }),
  ).describe("Who did it; null for a SNAPSHOT"),
  revertedTo: nullable(count).describe("The version whose sequence a REVERT restored; null otherwise"),
  changes: z.array(Change).describe("What differs from the version before"),
};

const Version = record(versionFields).meta({
  id: "CampaignVersion",
  description: "An edit of a campaign's sequence or settings",
});

export const list = operation({
  summary: `List who changed what, newest first; these are the edits of a campaign's sequence and settings, and the newest ${MOST_VERSIONS} are kept`,
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
    steps: z.array(Step).describe("The steps as they were, in order"),
  }).meta({
    id: "CampaignVersionInFull",
    description: "The edit that made the sequence of a version, and that sequence",
  }),
  run: ({ workspaceId }, { campaignId, version }) => loadVersion(workspaceId, campaignId, version),
});

/**
 * The edit that made the sequence of a version, with the sequence.
 * @throws AppError CAMPAIGN_NOT_FOUND, VERSION_NOT_FOUND {kept}
 */
export async function loadVersion(workspaceId: string, campaignId: string, version: number) {
  const { version: current } = await loadCampaign(workspaceId, campaignId);
  const found = version > current ? null : await findSequenceAt(workspaceId, campaignId, version);
  const [mode, steps]: [SequenceMode | null, StoredStep[] | null] = [found?.mode ?? null, found?.steps ?? null];
  if (found === null || mode === null || steps === null) {
    throw new AppError("VERSION_NOT_FOUND", "No sequence of this version is kept", {
      currentVersion: current,
      kept: MOST_VERSIONS,
    });
  }
  return { ...found, mode, steps };
}
