import { preview as previewMail } from "../campaigns/preview.ts";
import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import * as sequence from "./manage.ts";
import * as versions from "./versions.ts";

export const sequencesDeclaration = {
  verbs: {
    "sequences.get": sequence.get,
    "sequences.getVersion": versions.get,
    "sequences.listVersions": versions.list,
    "sequences.manage": sequence.manage,
    "sequences.preview": previewMail,
  },
  routes: [
    ["get", "/campaigns/:campaignId/sequence", sequence.get, 200, { after: "patch /campaigns/:campaignId/settings" }],
    ["put", "/campaigns/:campaignId/sequence", sequence.manage],
    ["post", "/campaigns/:campaignId/sequence/preview", previewMail],
    ["get", "/campaigns/:campaignId/versions", versions.list],
    ["get", "/campaigns/:campaignId/versions/:version", versions.get],
  ],
  tools: {
    campaigns: {
      campaign_sequence_get: {
        operation: choice(
          "campaigns:read",
          "Get a campaign's sequence, an earlier version of it, or its history",
          { sequence: sequence.get, versions: versions.list, version: versions.get },
          "sequence",
          "view",
        ),
        after: "campaign_settings_get",
        title: "Get a sequence",
        readOnly: true,
        hasLongTexts: true,
        when: "Its steps in order with the variants of each text; returns stepId, variantId and the version that campaign_sequence_update takes.",
      },
      campaign_sequence_preview: {
        operation: previewMail,
        title: "Preview an email",
        readOnly: true,
        hasLongTexts: true,
        when: "Shows a step as one lead would read it, or a `draft` that is not saved. Sends nothing: campaign_test_send does. leads_search returns a leadId, campaign_sequence_get the stepId.",
      },
      campaign_sequence_update: {
        operation: sequence.manage,
        after: "campaign_settings_update",
        title: "Update a sequence",
        destructive: true,
        idempotent: true,
        when: 'replaceSteps takes all steps in order, each with a text or variants; a step or variant that keeps its id keeps its figures. planOnly shows who gets which emails from then on. Texts are templates: {{ firstName | default: "there" }}.',
      },
    },
  },
  examples: {
    content: [
      {
        at: "put /campaigns/:campaignId/sequence",
        title: "Two steps, the first with two variants",
        body: {
          action: "replaceSteps",
          steps: [
            {
              stepId: ids.stepId,
              variants: [
                {
                  variantId: ids.variantId,
                  label: "A",
                  subject: "{{company}} at the fair",
                  bodyHtml: "<p>Hi {{firstName}}, shall we talk?</p>",
                },
                {
                  label: "B",
                  subject: "A question, {{firstName}}",
                  bodyHtml: "<p>{Hi|Hello} {{firstName}}, a short question.</p>",
                },
              ],
            },
            { delay: { value: 3, unit: "BUSINESS_DAYS" }, bodyHtml: "<p>Did you see my last mail, {{firstName}}?</p>" },
          ],
        },
      },
      {
        at: "put /campaigns/:campaignId/sequence",
        title: "Turn on branches",
        body: { action: "setMode", mode: "VISUAL" },
      },
      {
        at: "post /campaigns/:campaignId/sequence/preview",
        title: "Preview the first email for a lead",
        body: { leadId: ids.leadId },
      },
    ],
  },
} as const satisfies Declaration;
