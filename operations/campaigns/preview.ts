import { z } from "zod";
import { contentWarnings } from "../../domain/sequences/check.ts";
import { openersOf } from "../../domain/sequences/graph.ts";
import { type Content, checkContent } from "../../domain/templates/template.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { countLacking } from "../../store/campaigns/missing.ts";
import { describedIds } from "../described-ids.ts";
import { nullable } from "../fields.ts";
import { Attachment } from "../files.ts";
import { operation } from "../operation.ts";
import { ContentScore, scoreRendered } from "./content-score.ts";
import { campaignId } from "./find.ts";
import { Validation } from "./record.ts";
import { renderAsked } from "./rendering.ts";

const { leadId, mailboxId, stepId, variantId } = describedIds;

/** The fields that select an email and its lead. */
export const which = {
  campaignId,
  stepId: stepId.optional().describe("The step; default: the first email"),
  variantId: variantId.optional().describe("The variant; default: the one that this lead gets"),
  leadId: leadId.optional().describe("The lead; default: an example lead"),
};

const text = (of: string) =>
  z.string().nullable().optional().describe(`${of}, a template; absent: the variant's, null: none`);

/** Unsaved texts, with the same limits as saved ones. */
const draft = z
  .strictObject({ subject: text("The subject"), bodyHtml: text("The HTML"), bodyText: text("The plain text") })
  .optional()
  .describe("Unsaved texts to render in place of the variant's; nothing is stored");

const Lacking = z.object({
  name: z.string().describe("The variable"),
  count: z.number().int().describe("How many of the checked people lack it"),
});

export const preview = operation({
  summary:
    "Render one email of a campaign, saved or not, as a lead would get it, or with example values without `leadId`",
  scope: "campaigns:read",
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "LEAD_NOT_FOUND",
    "RENDER_LIMIT",
    "STEP_NOT_FOUND",
    "TEMPLATE_INVALID",
    "VARIANT_NOT_FOUND",
  ],
  input: z.strictObject({ ...which, draft }),
  output: z.object({
    stepId,
    variantId,
    leadId: nullable(leadId),
    mailboxId: nullable(mailboxId).describe("The mailbox that would send it; null if the campaign has none"),
    mailboxEmail: nullable(z.string()).describe("The mailbox's address"),
    subject: z.string().describe("The rendered subject"),
    html: nullable(z.string()).describe("The rendered HTML; null for plain text only"),
    text: z.string().describe("The rendered plain text"),
    attachments: z.array(Attachment).describe("Files sent with the email"),
    missingVariables: z.array(z.string()).describe("Variables that the lead lacks"),
    usedVariables: z.array(z.string()).describe("Variables that the text uses"),
    lacking: z
      .array(Lacking)
      .describe("Variables that some of the people still to be contacted lack, the most frequent first"),
    lookedAt: z
      .number()
      .int()
      .describe("How many of the people still to be contacted were checked for `lacking`: at most the first 1,000"),
    warnings: Validation.shape.warnings.describe("What may bother a reader or a spam filter"),
    contentScore: nullable(ContentScore).describe(
      "How the spam filter at `RSPAMD_URL` rates the email as it would be sent; null if none is set up, or it did not answer within a few seconds",
    ),
  }),
  async run(ctx, asked) {
    const draft = asked.draft === undefined ? undefined : given(asked.draft);
    if (draft !== undefined) checkContent({ ...NOTHING, ...draft }, "draft");
    const mail = await renderAsked(ctx, { ...asked, draft });
    const { sources, step, index, variant, lead, rendered } = mail;
    const at = step.variants.findIndex(({ variantId }) => variantId === variant.variantId);
    const { lacking, lookedAt } = await countLacking(sources, rendered.usedVariables);
    const isFirst = openersOf(sources.sequence.steps).has(step.stepId);
    const warnings = contentWarnings(variant, isFirst, `steps.${index}.variants.${at}`);
    return {
      stepId: step.stepId,
      variantId: variant.variantId,
      leadId: lead?._id ?? null,
      ...mailboxOf(sources.mailbox),
      ...rendered,
      attachments: variant.attachments ?? [],
      lacking,
      lookedAt,
      warnings,
      contentScore: await scoreRendered(ctx, mail),
    };
  },
});

const NOTHING: Content = { subject: null, bodyHtml: null, bodyText: null };

/** Only the texts that the caller passed. Null is kept: it means no text. */
function given({ subject, bodyHtml, bodyText }: Asked): Partial<Content> {
  return {
    ...(subject !== undefined && { subject }),
    ...(bodyHtml !== undefined && { bodyHtml }),
    ...(bodyText !== undefined && { bodyText }),
  };
}

type Asked = { [K in keyof Content]?: Content[K] | undefined };

function mailboxOf(mailbox: Mailbox | null): { mailboxId: string | null; mailboxEmail: string | null } {
  return { mailboxId: mailbox?._id ?? null, mailboxEmail: mailbox?.email ?? null };
}
