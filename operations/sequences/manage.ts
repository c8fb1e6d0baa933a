import { z } from "zod";
import { refuseBranches, refuseCycles } from "../../domain/sequences/branches.ts";
import { reorderSteps } from "../../domain/sequences/edit.ts";
import { stepsFrom, stepsInput } from "../../domain/sequences/input.ts";
import { MAX_STEPS, SEQUENCE_MODES, type Step, stepOf } from "../../domain/sequences/sequence.ts";
import { idsOf } from "../../mongo/ids.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { campaignId, expectedVersion } from "../campaigns/find.ts";
import { withVersion } from "../campaigns/full.ts";
import { EditedSequence, Sequence } from "../campaigns/record.ts";
import { choice } from "../choice.ts";
import { freeForm } from "../fields.ts";
import { operation } from "../operation.ts";
import { hasBegun } from "../sending/causes.ts";
import { shownAs } from "../shown-as.ts";
import { editSequence } from "./edit.ts";
import { readSteps, storableSteps } from "./step-places.ts";
import { loadVersion, versionNumber } from "./versions.ts";

const keepBooked = z
  .boolean()
  .optional()
  .describe(
    "If the delay of a step changes. false: recipients waiting for it are booked again by the new delay. true: they keep the times of their next emails. Default false",
  );

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
  summary: "Choose a linear sequence or one with branches; linear is possible only without branches",
  scope: "campaigns:write",
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "CAMPAIGN_NOT_VALID",
    "INVALID_STATE_TRANSITION",
    "SEQUENCE_NOT_LINEAR",
    "VERSION_CONFLICT",
  ],
  effects: { CHANGES_SENDING: hasBegun },
  input: z.strictObject({
    campaignId,
    expectedVersion,
    mode: z.enum(SEQUENCE_MODES).describe("DEFAULT is linear, VISUAL has branches"),
  }),
  output: EditedSequence,
  async run(ctx, { mode, ...asked }) {
    return editSequence(ctx, { ...asked, action: "SET_MODE" }, async ({ steps }) => {
      if (mode === "DEFAULT") refuseBranches(steps);
      return { mode };
    });
  },
});

const replaceSteps = operation({
  summary:
    "Replace the steps: known ids stay, new steps get ids; open recipients continue with the first step that they did not get",
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
    keepBooked,
    steps: shownAs(z.array(freeForm).max(MAX_STEPS), stepsInput).describe(
      "At most 50 steps, in order; absent steps are removed",
    ),
  }),
  output: EditedSequence,
  async run(ctx, { steps, ...asked }) {
    const read = readSteps(steps);
    return editSequence(ctx, { ...asked, action: "REPLACE_STEPS" }, async (before) => {
      const draw = idsOf(`${asked.campaignId} ${before.version}`, before.updatedAt.getTime());
      const ids = { step: () => draw("stp"), variant: () => draw("var") };
      return {
        steps: await storableSteps(ctx, asked.campaignId, stepsFrom(read, before.steps, ids, before.mode)),
      };
    });
  },
});

const reorder = operation({
  summary: "Reorder the steps; open recipients continue with the first step that they did not get",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND", "CAMPAIGN_NOT_VALID", "INVALID_STATE_TRANSITION", "VERSION_CONFLICT"],
  effects: { CHANGES_SENDING: hasBegun },
  input: z.strictObject({
    campaignId,
    expectedVersion,
    orderedStepIds: z.array(z.string().max(64)).max(MAX_STEPS).describe("The ids of all steps in the new order"),
  }),
  output: EditedSequence,
  async run(ctx, { orderedStepIds, ...asked }) {
    return editSequence(ctx, { ...asked, action: "REORDER" }, async (before) => {
      const steps = reorderSteps(before.steps, orderedStepIds);
      refuseCycles(steps);
      return { steps };
    });
  },
});

const revert = operation({
  summary:
    "Restore an earlier version. As with any edit, no one gets a step twice, and open recipients continue with the first step that they did not get",
  scope: "campaigns:write",
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "CAMPAIGN_NOT_VALID",
    "HOST_NOT_ALLOWED",
    "INVALID_STATE_TRANSITION",
    "VERSION_CONFLICT",
    "VERSION_NOT_FOUND",
  ],
  effects: {
    CHANGES_SENDING: hasBegun,
    DISCLOSES: async ({ workspaceId }, { campaignId, version }) =>
      (await loadVersion(workspaceId, campaignId, version)).steps.some(({ type }) => type === "WEBHOOK"),
  },
  input: z.strictObject({ campaignId, expectedVersion, keepBooked, version: versionNumber }),
  output: EditedSequence,
  async run(ctx, { version, ...asked }) {
    const { mode, steps } = await loadVersion(ctx.workspaceId, asked.campaignId, version);
    return editSequence(ctx, { ...asked, action: "REVERT", revertedTo: version }, async (before) => ({
      mode,
      steps: await storableSteps(ctx, asked.campaignId, withWinners(steps, before.steps)),
    }));
  },
});

export const manage = choice("campaigns:write", "Change a campaign's sequence", {
  setMode,
  replaceSteps,
  reorder,
  revert,
});

/** Restores the steps but keeps the winner of a test that was decided since, if its variant still exists. */
function withWinners(steps: readonly Step[], present: readonly Step[]): Step[] {
  return steps.map((step) => {
    const winnerVariantId = stepOf(present, step.stepId)?.winner.winnerVariantId ?? null;
    const isLeft = step.variants.some(({ variantId }) => variantId === winnerVariantId);
    return isLeft ? { ...step, winner: { ...step.winner, winnerVariantId } } : step;
  });
}
