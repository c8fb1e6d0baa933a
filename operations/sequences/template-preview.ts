import { z } from "zod";
import { checkContent, render } from "../../domain/templates/template.ts";
import { sampleOf, sampleVariables, variablesOf } from "../../domain/templates/variables.ts";
import { resolveZone } from "../../domain/time/resolve-zone.ts";
import { loadWorkspace } from "../../store/campaigns/load.ts";
import { lacks } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { nullable } from "../fields.ts";
import { loadLead } from "../leads/record.ts";
import { operation } from "../operation.ts";
import { unknownVariables } from "./template-record.ts";
import { findUnknown, usedIn } from "./template-variables.ts";

const { leadId } = describedIds;
const text = (what: string) => z.string().nullable().default(null).describe(`${what}, a template. Default none`);

export const preview = operation({
  summary:
    "Render the text of a template, saved or not, for a lead, or with example values without `leadId`. With `inbox:read` alone a lead needs `leads:read` too. The sender, the signature and the unsubscribe link are examples. Nothing is stored or sent",
  scope: "campaigns:read",
  orScope: "inbox:read",
  sometimesScopes: ["leads:read"],
  errors: ["LEAD_NOT_FOUND", "RENDER_LIMIT", "TEMPLATE_INVALID"],
  input: z.strictObject({
    subject: text("The subject"),
    bodyHtml: text("The text as HTML"),
    bodyText: text("The plain text"),
    leadId: leadId.optional().describe("The lead; default: an example lead"),
  }),
  output: z.object({
    leadId: nullable(leadId),
    subject: z.string().describe("The rendered subject"),
    html: nullable(z.string()).describe("The rendered HTML"),
    text: z.string().describe("The rendered plain text"),
    missingVariables: z.array(z.string()).describe("Variables that the lead lacks"),
    usedVariables: z.array(z.string()).describe("Variables that the text uses"),
    unknownVariables,
  }),
  async run({ workspaceId, scopes }, { leadId, ...content }) {
    // A text can read every field of the lead
    if (leadId !== undefined && !scopes.has("campaigns:read") && !scopes.has("leads:read")) throw lacks("leads:read");
    checkContent(content, "");
    const rendered = render(content, await variablesFor(workspaceId, leadId), SEED, {});
    const [unknown = []] = await findUnknown(workspaceId, [{ variables: usedIn({ ...content, steps: [] }) }]);
    return { leadId: leadId ?? null, ...rendered, unknownVariables: unknown };
  },
});

const SEED = { recipientId: "preview", stepId: "template", variantId: "A" };

async function variablesFor(workspaceId: string, leadId: string | undefined): Promise<Record<string, unknown>> {
  if (leadId === undefined) return sampleVariables();
  const lead = await loadLead(workspaceId, leadId);
  const workspace = await loadWorkspace(workspaceId);
  return variablesOf({
    lead,
    mailbox: { email: sampleOf("senderEmail"), name: sampleOf("senderName"), signatureHtml: sampleOf("signature") },
    campaign: { name: sampleOf("campaignName") },
    workspace,
    now: new Date(),
    zone: resolveZone({ ...lead, leadTimezone: lead.timezone }, [workspace.timezone]).zone,
    unsubscribeLink: sampleOf("unsubscribeLink"),
    cid: sampleOf("cid"),
  });
}
