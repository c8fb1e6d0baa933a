import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { manage as manageArchive } from "./archive.ts";
import { control as controlCampaign } from "./control.ts";
import { create as createCampaign } from "./create.ts";
import { duplicate as duplicateCampaign } from "./duplicate.ts";
import { experiment } from "./experiment.ts";
import { figures as campaignFigures } from "./figures.ts";
import { get as getCampaign } from "./get.ts";
import { list as listCampaigns } from "./list.ts";
import * as settings from "./settings.ts";
import { testSend } from "./test-send.ts";
import { update as updateCampaign } from "./update.ts";
import { validate as validateCampaign } from "./validate.ts";

export const campaignsDeclaration = {
  verbs: {
    "campaigns.list": listCampaigns,
    "campaigns.create": createCampaign,
    "campaigns.get": getCampaign,
    "campaigns.update": updateCampaign,
    "campaigns.getMetrics": campaignFigures,
    "campaigns.getExperiment": experiment,
    "campaigns.duplicate": duplicateCampaign,
    "campaigns.manageArchive": manageArchive,
    "campaigns.validate": validateCampaign,
    "campaigns.getSettings": settings.get,
    "campaigns.updateSettings": settings.update,
    "campaigns.control": controlCampaign,
    "campaigns.testSend": testSend,
  },
  routes: [
    ["get", "/campaigns", listCampaigns],
    ["post", "/campaigns", createCampaign, 201],
    ["get", "/campaigns/:campaignId", getCampaign],
    ["patch", "/campaigns/:campaignId", updateCampaign],
    ["get", "/campaigns/:campaignId/metrics", campaignFigures],
    ["get", "/campaigns/:campaignId/experiment", experiment],
    ["post", "/campaigns/:campaignId/duplicate", duplicateCampaign, 201],
    ["post", "/campaigns/:campaignId/archive", manageArchive],
    ["get", "/campaigns/:campaignId/validate", validateCampaign],
    ["get", "/campaigns/:campaignId/settings", settings.get],
    ["patch", "/campaigns/:campaignId/settings", settings.update, 200, { whole: "settings" }],
    ["post", "/campaigns/:campaignId/control", controlCampaign],
    ["post", "/campaigns/:campaignId/test-send", testSend],
  ],
  tools: {
    campaigns: {
      campaigns_list: {
        operation: listCampaigns,
        title: "List campaigns",
        readOnly: true,
        detail: true,
        when: "Returns the campaignId that the other campaign tools take. `include` adds figures and sending status, so one call shows which campaigns do not send.",
      },
      campaigns_get: {
        operation: getCampaign,
        title: "Get a campaign",
        readOnly: true,
        hasLongTexts: true,
        when: "With settings, sequence, figures and `sendingStatus`: why it sends or does not. campaigns_list returns the campaignId.",
      },
      campaign_validate: {
        operation: validateCampaign,
        title: "Check a campaign",
        readOnly: true,
        when: "Call it before campaign_control: errors block a launch, warnings do not, and the launch card shows people, mailboxes, first email and expected end.",
      },
      campaign_settings_get: {
        operation: settings.get,
        title: "Get campaign settings",
        readOnly: true,
        when: "All settings with their values: time zone, windows, limits, mailboxes, tracking. campaign_settings_update takes the same names.",
      },
      campaigns_create: {
        operation: createCampaign,
        title: "Create a campaign",
        when: "The DRAFT has one step to fill. Next: campaign_settings_update (mailboxIds), campaign_sequence_update, recipients_manage, campaign_validate and campaign_control.",
      },
      campaign_update: {
        operation: updateCampaign,
        title: "Update a campaign",
        destructive: true,
        idempotent: true,
        when: "Only name, description, goal, type and client; settings and texts have tools of their own. expectedVersion avoids overwriting someone else's change.",
      },
      campaign_duplicate: {
        operation: duplicateCampaign,
        title: "Duplicate a campaign",
        when: "The copy is a DRAFT with the same settings and sequence, and no audience.",
      },
      campaign_archive: {
        operation: manageArchive,
        title: "Archive a campaign",
        destructive: true,
        idempotent: true,
        when: "An archived campaign sends nothing and leaves the usual lists; nothing is deleted. After `unarchive` it is PAUSED.",
      },
      campaign_settings_update: {
        operation: settings.update,
        title: "Update campaign settings",
        destructive: true,
        idempotent: true,
        when: "Only the named settings change; null restores a default. campaign_settings_get shows all of them, mailboxes_list returns mailbox ids.",
      },
      campaign_control: {
        operation: controlCampaign,
        title: "Control a campaign",
        destructive: true,
        openWorld: true,
        when: "Launch and resume send real email and need an idempotencyKey; if campaign_validate finds errors, a launch changes nothing. After a pause returns, no new email leaves.",
      },
      campaign_test_send: {
        operation: testSend,
        title: "Send a test email",
        destructive: true,
        openWorld: true,
        when: "Sends one real email of a step to you from a mailbox of the campaign, without tracking or figures. campaign_sequence_preview shows it without sending.",
      },
    },
  },
  examples: {
    content: [
      { at: "post /campaigns", title: "Create a campaign", body: { name: "Fair follow-up", goal: "Meetings" } },
      {
        at: "patch /campaigns/:campaignId/settings",
        title: "Set the schedule, daily limit and mailboxes",
        body: {
          timezone: "Europe/Berlin",
          windows: [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }],
          dailyLimit: 200,
          mailboxIds: [ids.mailboxId],
        },
      },
      { at: "patch /campaigns/:campaignId", title: "Rename a campaign", body: { name: "Fair follow-up, autumn" } },
      {
        at: "post /campaigns/:campaignId/test-send",
        title: "Send yourself a test email",
        body: { toEmail: "me@example.com", leadId: ids.leadId },
      },
    ],
    sending: [
      {
        at: "post /campaigns/:campaignId/control",
        title: "Plan a launch",
        body: { action: "launch", planOnly: true },
      },
      { at: "post /campaigns/:campaignId/control", title: "Start sending", body: { action: "launch" } },
      { at: "post /campaigns/:campaignId/control", title: "Stop sending", body: { action: "pause" } },
      { at: "post /campaigns/:campaignId/control", title: "Resume sending", body: { action: "resume" } },
    ],
    end: [
      { at: "post /campaigns/:campaignId/control", title: "End a campaign", body: { action: "complete" } },
      { at: "post /campaigns/:campaignId/archive", title: "Archive a campaign", body: { action: "archive" } },
      {
        at: "post /campaigns/:campaignId/archive",
        title: "Restore the campaign, paused",
        body: { action: "unarchive" },
      },
      {
        at: "post /campaigns/:campaignId/duplicate",
        title: "Duplicate for another audience",
        body: { newName: "Fair follow-up, spring" },
      },
    ],
  },
} as const satisfies Declaration;
