import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { readBy } from "../../domain/issues.ts";
import { refuseBranches, refuseCycles } from "../../domain/sequences/branches.ts";
import { sequenceErrors } from "../../domain/sequences/check.ts";
import { leadsElsewhere, reorderSteps } from "../../domain/sequences/edit.ts";
import { stepsFrom, stepsInput } from "../../domain/sequences/input.ts";
import { MAX_STEPS, SEQUENCE_MODES, type Step, type Variant } from "../../domain/sequences/sequence.ts";
import type { Campaign as CampaignDocument } from "../../models/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence as SequenceDocument } from "../../models/sequence.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { countFinishedReachable } from "../../store/campaigns/finished-recipients.ts";
import { touchGates } from "../../store/campaigns/gates.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { nudge } from "../../store/outbox.ts";
import { rerouteWaiters } from "../../store/recipients/reroute-waiters.ts";
import { takeUploads } from "../../store/sending/uploads.ts";
import { choice } from "../choice.ts";
import { freeForm } from "../fields.ts";
import { operation } from "../operation.ts";
import { hasBegun } from "../sending/causes.ts";
import { shownAs } from "../shown-as.ts";
import { campaignId, expectedVersion, loadEditable } from "./find.ts";
import { withVersion } from "./full.ts";
import { EditedSequence, Sequence } from "./record.ts";
import { refuseMissingCampaigns, withDestinations } from "./step-places.ts";

export const get = operation({
  summary: "Read a campaign's sequence with its steps and variants",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId }),
  output: Sequence,
  async run({ workspaceId }, { campaignId }) {
    const campaign = await loadCampaign(workspaceId, campaignId);
    return withVersion(await loadSequence(workspaceId, campaignId), campaign);
  },
});

const setMode = operation({
  summary: "Choose between a linear sequence and one with branches; back to a linear one only while there are none",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_NOT_VALID", "INVALID_STATE_TRANSITION", "SEQUENCE_NOT_LINEAR", "VERSION_CONFLICT"],
  effects: { CHANGES_SENDING: hasBegun },
  input: z.strictObject({ campaignId, expectedVersion, mode: z.enum(SEQUENCE_MODES).describe("DEFAULT is linear, VISUAL has branches") }),
  output: EditedSequence,
  async run({ workspaceId }, { campaignId, expectedVersion, mode }) {
    return edit(workspaceId, campaignId, expectedVersion, async ({ steps }) => {
      if (mode === "DEFAULT") refuseBranches(steps);
      return { mode };
    });
  },
});

const replaceSteps = operation({
  summary:
    "Replace the steps: known ids keep their identity, new steps get ids; whoever is open goes on with the first step that they have not had",
  scope: "campaigns:write",
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "CAMPAIGN_NOT_VALID",
    "FILTER_INVALID",
    "HOST_NOT_ALLOWED",
    "INVALID_STATE_TRANSITION",
    "SEQUENCE_NOT_LINEAR",
    "TEMPLATE_INVALID",
    "VERSION_CONFLICT",
  ],
  effects: { CHANGES_SENDING: hasBegun, DISCLOSES: (_ctx, { steps }) => steps.some(({ type }) => type === "WEBHOOK") },
  input: z.strictObject({
    campaignId,
    expectedVersion,
    steps: shownAs(z.array(freeForm).max(MAX_STEPS), stepsInput).describe("At most 50 steps, in order; those that are absent are removed"),
  }),
  output: EditedSequence,
  async run({ workspaceId, services }, { campaignId, expectedVersion, steps }) {
    const read = readBy(z.object({ steps: stepsInput }), { steps });
    if (!read.success) throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: read.issues });
    const ids = { step: () => newId("stp"), variant: () => newId("var") };
    return edit(workspaceId, campaignId, expectedVersion, async (before) => {
      const written = withDestinations(stepsFrom(read.data.steps, before.steps, ids, before.mode), services.settings);
      await refuseMissingCampaigns(workspaceId, campaignId, written);
      return { steps: await withFiles(workspaceId, written) };
    });
  },
});

const reorder = operation({
  summary: "Put the steps into another order; whoever is open goes on with the first step that they have not had",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_NOT_VALID", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
  effects: { CHANGES_SENDING: hasBegun },
  input: z.strictObject({
    campaignId,
    expectedVersion,
    orderedStepIds: z.array(z.string().max(64)).max(MAX_STEPS).describe("The ids of all steps in their new order"),
  }),
  output: EditedSequence,
  async run({ workspaceId }, { campaignId, expectedVersion, orderedStepIds }) {
    return edit(workspaceId, campaignId, expectedVersion, async (before) => {
      const steps = reorderSteps(before.steps, orderedStepIds);
      refuseCycles(steps);
      return { steps };
    });
  },
});

export const manage = choice("campaigns:write", "Change a campaign's sequence", { setMode, replaceSteps, reorder });

/** The steps with the uploads that their texts name. @throws AppError VALIDATION_FAILED naming each that the workspace does not have */
async function withFiles(workspaceId: string, steps: readonly Step[]): Promise<Step[]> {
  const named = steps.flatMap(({ variants }, step) =>
    variants.map(({ attachments }, variant) => ({
      ids: attachments.map(({ id }) => id),
      path: `steps.${step}.variants.${variant}.attachments`,
    })),
  );
  if (named.every(({ ids }) => ids.length === 0)) return [...steps];
  const files = await takeUploads(workspaceId, named);
  const filesOf = (variant: Variant) => variant.attachments.flatMap(({ id }) => files.get(id) ?? []);
  return steps.map((step) => ({ ...step, variants: step.variants.map((variant) => ({ ...variant, attachments: filesOf(variant) })) }));
}

type Edit = (sequence: SequenceDocument) => Promise<Partial<Pick<SequenceDocument, "mode" | "steps">>>;

/** Edits a sequence under the campaign's version; recipients for whom another step comes next now are moved to it afterwards, page by page. */
async function edit(workspaceId: string, campaignId: string, expected: number | undefined, change: Edit) {
  const { Campaign, Sequence } = scoped(workspaceId);
  const isMoving = await inTransaction(async () => {
    const campaign = await loadEditable(workspaceId, campaignId, expected);
    const before = await loadSequence(workspaceId, campaignId);
    const changes = await change(before);
    if (changes.steps !== undefined) refuseUnsendable(campaign, changes.steps);
    const now = { mode: before.mode, steps: before.steps };
    if (isDeepStrictEqual({ ...now, ...changes }, now)) return false;
    const version = campaign.version + 1;
    await Sequence.updateOne({ _id: before._id }, { $set: { ...changes, version } });
    await Campaign.updateOne({ _id: campaignId }, { $set: { version } });
    if (campaign.status === "ACTIVE") await nudge(workspaceId, "CAMPAIGN", { campaignId });
    // Whoever would finish at this moment looks again
    await touchGates(workspaceId, [campaignId]);
    return leadsElsewhere(before.steps, changes.steps ?? before.steps);
  });
  const sequence = await loadSequence(workspaceId, campaignId);
  if (isMoving) await rerouteWaiters(sequence);
  const finishedReachable = await countFinishedReachable(sequence);
  return { ...withVersion(sequence, await loadCampaign(workspaceId, campaignId)), finishedReachable };
}

/** Refuses steps that a running campaign could not send: a blank that did not exist at the launch is not mailed either. */
function refuseUnsendable({ status, type }: CampaignDocument, steps: Step[]): void {
  if (status !== "ACTIVE" && status !== "SCHEDULED") return;
  const errors = sequenceErrors(type, steps);
  if (errors.length === 0) return;
  const validation = { valid: false, errors, warnings: [] };
  throw new AppError("CAMPAIGN_NOT_VALID", "The campaign is running, and could not go on with these steps", { validation });
}
