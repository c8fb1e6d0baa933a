import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../mongo/ids.ts";
import { loadContacts } from "../../store/lead-search/dataset.ts";
import { loadKnown, whileKnowing } from "../../store/lead-search/known.ts";
import { type Revealed, type RevealOrder, settleReveals } from "../../store/lead-search/reveal.ts";
import { operation } from "../operation.ts";
import { fields, prospectId } from "./fields.ts";
import { Prospect, prospectOf } from "./record.ts";
import { ask, assertDataset, SOURCE_ERRORS } from "./source.ts";

interface RevealAnswer {
  revealed: Revealed | null;
  creditsUsed: number;
  creditsRemaining: number;
}

export const reveal = operation({
  summary:
    "Reveal a person's contact details: one credit per value that is new to the workspace, none for a known or missing value. Without credits for all, nothing is revealed",
  scope: "lead_search:reveal",
  errors: [...SOURCE_ERRORS, "CREDITS_EXHAUSTED", "PROSPECT_NOT_FOUND"],
  audits: "leadSearch.reveal",
  input: z.strictObject({ prospectId, fields }),
  output: z.object({
    prospect: Prospect,
    charged: z
      .object({
        email: z.boolean().describe("Whether the address cost a credit"),
        phone: z.boolean().describe("Whether the number cost a credit"),
      })
      .describe("The values that this call was charged for"),
    creditsUsed: z.number().int().describe("Credits that this call cost"),
    creditsRemaining: z.number().int().describe("Credits that may still be spent"),
  }),
  async run(ctx, { prospectId, fields }) {
    const { workspaceId, credentialId: actor, services } = ctx;
    const by = newId("job");
    const { creditsPerMonth } = services.settings;
    const order: RevealOrder = { workspaceId, fields, actor, creditsPerMonth, by, isJob: false, mostCredits: null };
    const { revealed, creditsUsed, creditsRemaining } = services.settings.hasLeadSearchProvider
      ? await ask<RevealAnswer>(ctx, { kind: "reveal", order, prospectId }, by)
      : await fromDataset(order, prospectId);
    const knownProspect = (await loadKnown(workspaceId, [prospectId])).get(prospectId);
    if (revealed === null || revealed.end === "PROSPECT_NOT_FOUND" || knownProspect === undefined) {
      throw new AppError("PROSPECT_NOT_FOUND", "No prospect has this id");
    }
    if (revealed.end === "CREDITS_EXHAUSTED") throw exhausted(creditsRemaining);
    return {
      prospect: prospectOf(knownProspect.person, knownProspect),
      charged: revealed.charged,
      creditsUsed,
      creditsRemaining,
    };
  },
});

async function fromDataset(order: RevealOrder, prospectId: string): Promise<RevealAnswer> {
  await assertDataset();
  const { outcomes, creditsUsed, creditsRemaining } = await whileKnowing(async () =>
    settleReveals(order, await loadContacts([prospectId]), [prospectId]),
  );
  return { revealed: outcomes.get(prospectId) ?? null, creditsUsed, creditsRemaining };
}

function exhausted(creditsRemaining: number): AppError {
  return new AppError("CREDITS_EXHAUSTED", "There are not enough credits to reveal this", { creditsRemaining });
}
