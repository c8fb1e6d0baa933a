import { z } from "zod";
import { copySteps } from "../../domain/sequences/copied-steps.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { openCounter } from "../../store/campaign-counters.ts";
import { createGates } from "../../store/campaigns/gates.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { name } from "../fields.ts";
import { operation } from "../operation.ts";
import { campaignId } from "./find.ts";
import { loadInFull } from "./full.ts";
import { CampaignInFull } from "./record.ts";

const NAME_CHARACTERS = 200;

export const duplicate = operation({
  summary: "Copy a campaign's settings and sequence into a new draft, with new ids and without an audience",
  scope: "campaigns:write",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({
    campaignId,
    newName: name.optional().describe('The new name; default the old name and " (copy)"'),
  }),
  output: CampaignInFull,
  async run({ workspaceId }, { campaignId, newName }) {
    const copy = await inTransaction(async () => {
      const { Campaign, Sequence } = scoped(workspaceId);
      const original = await loadCampaign(workspaceId, campaignId);
      const { mode, steps } = await loadSequence(workspaceId, campaignId);
      const { description, goal, type, clientId, settings } = original;
      const sequenceId = newId("seq");
      const campaign = await Campaign.insert({
        _id: newId("cmp"),
        name: newName ?? copyName(original.name),
        description,
        goal,
        type,
        clientId,
        settings,
        sequenceId,
        statusChangedAt: new Date(),
      });
      const ids = { step: () => newId("stp"), variant: () => newId("var") };
      await Sequence.insert({ _id: sequenceId, campaignId: campaign._id, mode, steps: copySteps(steps, ids) });
      await createGates(workspaceId, campaign._id, false);
      await openCounter(workspaceId, campaign._id);
      return campaign;
    });
    return loadInFull(copy);
  },
});

function copyName(name: string): string {
  const suffix = " (copy)";
  return `${Array.from(name)
    .slice(0, NAME_CHARACTERS - suffix.length)
    .join("")}${suffix}`;
}
