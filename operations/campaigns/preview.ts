import { z } from "zod";
import { contentWarnings } from "../../domain/sequences/check.ts";
import { openersOf } from "../../domain/sequences/graph.ts";
import { leadId, stepId, variantId } from "../described-ids.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import { campaignId } from "./find.ts";
import { Validation } from "./record.ts";
import { renderAsked } from "./rendering.ts";

/** The fields that select a mail and its lead. */
export const which = {
  campaignId,
  stepId: stepId.optional().describe("The step; default the first mail"),
  variantId: variantId.optional().describe("The variant; default the one that this lead gets"),
  leadId: leadId.optional().describe("The lead; default an example of one"),
};

export const preview = operation({
  summary: "Render one e-mail of a campaign as it would be sent to a lead, or with examples when none is named",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND", "LEAD_NOT_FOUND", "RENDER_LIMIT", "STEP_NOT_FOUND", "TEMPLATE_INVALID", "VARIANT_NOT_FOUND"],
  input: z.strictObject(which),
  output: z.object({
    stepId,
    variantId,
    leadId: nullable(leadId),
    subject: z.string().describe("The rendered subject"),
    html: nullable(z.string()).describe("The rendered HTML; null for plain text alone"),
    text: z.string().describe("The rendered plain text"),
    missingVariables: z.array(z.string()).describe("Variables that the lead lacks"),
    usedVariables: z.array(z.string()).describe("Variables that the text uses"),
    warnings: Validation.shape.warnings.describe("What a reader or a spam filter may mind"),
  }),
  async run(ctx, asked) {
    const { sources, step, index, variant, lead, rendered } = await renderAsked(ctx, asked);
    const at = step.variants.indexOf(variant);
    const isFirst = openersOf(sources.sequence.steps).has(step.stepId);
    const warnings = contentWarnings(variant, isFirst, `steps.${index}.variants.${at}`);
    return { stepId: step.stepId, variantId: variant.variantId, leadId: lead?._id ?? null, ...rendered, warnings };
  },
});
