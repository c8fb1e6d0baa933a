import { z } from "zod";
import { FIRST_CONTENT } from "../../domain/sequences/first-content.ts";
import { NO_DELAY, NO_WINNER, type Step } from "../../domain/sequences/sequence.ts";
import { CAMPAIGN_TYPES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { openCounter } from "../../store/campaign-counters.ts";
import { createGates } from "../../store/campaigns/gates.ts";
import { longText, name } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadInFull } from "./full.ts";
import { CampaignInFull } from "./record.ts";

/** The free texts of a campaign that a caller may set (rules/states 1.6). */
export const texts = {
  description: longText.nullable().optional().describe("A longer note of your own, at most 2,000 characters"),
  goal: longText.nullable().optional().describe("The goal, in your own words, at most 2,000 characters"),
  clientId: z.string().max(200).nullable().optional().describe("Your own name for the client, at most 200 characters"),
};

export const create = operation({
  summary: "Create a campaign as a draft, with a sequence of one email and the default settings",
  scope: "campaigns:write",
  input: z.strictObject({
    name,
    ...texts,
    type: z
      .enum(CAMPAIGN_TYPES)
      .optional()
      .describe("SEQUENCE sends several steps, ONE_OFF a single email. Default SEQUENCE"),
  }),
  output: CampaignInFull,
  async run({ workspaceId }, { name, description = null, goal = null, clientId = null, type = "SEQUENCE" }) {
    return inTransaction(async () => {
      const { Campaign, Sequence } = scoped(workspaceId);
      const sequenceId = newId("seq");
      const campaign = await Campaign.insert({
        _id: newId("cmp"),
        name,
        description,
        goal,
        clientId,
        type,
        statusChangedAt: new Date(),
        sequenceId,
        settings: {},
      });
      await Sequence.insert({ _id: sequenceId, campaignId: campaign._id, steps: [firstStep()] });
      await createGates(workspaceId, campaign._id, false);
      await openCounter(workspaceId, campaign._id);
      return loadInFull(campaign);
    });
  },
});

function firstStep(): Step {
  return {
    stepId: newId("stp"),
    order: 1,
    type: "EMAIL",
    delay: NO_DELAY,
    threadMode: "NEW_THREAD",
    conditions: [],
    config: {},
    variants: [
      {
        variantId: newId("var"),
        label: "A",
        ...FIRST_CONTENT,
        weight: 50,
        enabled: true,
        attachments: [],
      },
    ],
    winner: NO_WINNER,
  };
}
