import { z } from "zod";
import { contentWarnings } from "../../domain/sequences/check.ts";
import { openersOf } from "../../domain/sequences/graph.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import { campaignId } from "./find.ts";
import { Validation } from "./record.ts";
import { renderAsked } from "./rendering.ts";

const id = z.string().max(64).optional();

/** The fields that select a mail and its lead. */
export const which = { campaignId, stepId: id, variantId: id, leadId: id };

export const preview = operation({
  summary: "Render one e-mail of a campaign as it would be sent to a lead, or with examples when none is named",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND", "LEAD_NOT_FOUND", "RENDER_LIMIT", "STEP_NOT_FOUND", "TEMPLATE_INVALID", "VARIANT_NOT_FOUND"],
  input: z.strictObject(which),
  output: z.object({
    stepId: z.string(),
    variantId: z.string(),
    leadId: nullable(z.string()),
    subject: z.string(),
    html: nullable(z.string()),
    text: z.string(),
    missingVariables: z.array(z.string()),
    usedVariables: z.array(z.string()),
    warnings: Validation.shape.warnings,
  }),
  async run(ctx, asked) {
    const { sources, step, index, variant, lead, rendered } = await renderAsked(ctx, asked);
    const at = step.variants.indexOf(variant);
    const isFirst = openersOf(sources.sequence.steps).has(step.stepId);
    const warnings = contentWarnings(variant, isFirst, `steps.${index}.variants.${at}`);
    return { stepId: step.stepId, variantId: variant.variantId, leadId: lead?._id ?? null, ...rendered, warnings };
  },
});
