import { z } from "zod";
import { idOf, type Prompt, words } from "./prompt.ts";

export const launchCampaign: Prompt = {
  name: "launch_campaign",
  title: "Build and launch a campaign",
  description:
    "Create a campaign with its mailboxes, emails and recipients, check it, and launch it after a person agrees",
  arguments: {
    name: { description: "The name of the campaign", schema: words, example: "Spring outreach" },
    offer: {
      description: "What the emails offer, and to whom",
      schema: words.optional(),
      example: "A free audit for owners of online shops",
    },
    leadListId: {
      description: "The lead list with the recipients: `lst_…`",
      schema: idOf("lst"),
      example: "lst_01JA2B3C4D5E6F7G8H9J0K1M2N",
    },
  },
  task: "Build a campaign, show it to the person, and launch it once they agree.",
  steps: [
    { tool: "mailboxes_list", why: "returns the ids of the mailboxes, their limits and their DNS states" },
    { tool: "campaigns_create", args: { name: "{name}" }, why: "creates a draft with one empty step" },
    {
      tool: "campaign_settings_update",
      args: { campaignId: "<campaignId>", settings: { mailboxIds: ["<mailboxId>"], timezone: "Europe/London" } },
      why: "sets the mailboxes that send, the time zone, and if needed the sending windows",
    },
    {
      tool: "campaign_sequence_update",
      args: {
        campaignId: "<campaignId>",
        action: "replaceSteps",
        steps: [
          {
            subject: 'A question, {{ firstName | default: "there" }}',
            bodyText: "<first email>",
            delay: { value: 0, unit: "MINUTES" },
          },
          { subject: "", bodyText: "<follow-up>", delay: { value: 3, unit: "DAYS" } },
        ],
      },
      why: "saves the emails; an empty subject continues the conversation of the first email",
    },
    {
      tool: "recipients_manage",
      args: { campaignId: "<campaignId>", action: "addFromList", leadListId: "{leadListId}" },
      why: "adds the recipients; suppressed and blocked people are skipped with the reason. lead_lists returns the ids of the lists",
    },
    {
      tool: "campaign_sequence_preview",
      args: { campaignId: "<campaignId>" },
      why: "shows an email as a recipient would read it, and the variables that are missing",
      optional: true,
    },
    {
      tool: "campaign_validate",
      args: { campaignId: "<campaignId>" },
      why: "lists errors, which block the launch, and warnings; correct the errors first",
    },
    {
      tool: "campaign_control",
      args: { campaignId: "<campaignId>", action: "launch", planOnly: true },
      why: "returns the plan: how many people get how many emails, from which mailboxes and when. It sends nothing",
    },
    {
      tool: "campaign_control",
      args: {
        campaignId: "<campaignId>",
        action: "launch",
        planToken: "<planToken>",
        idempotencyKey: "<a new key>",
      },
      why: "launches what the plan showed, after the person agreed. If the result is an approval, a person decides in the console",
    },
  ],
  end: "Show the person the emails and the plan before the launch, and wait for their consent. Then report the campaign's id and when the first email leaves.",
};

export const explainMissingEmail: Prompt = {
  name: "explain_missing_email",
  title: "Explain why someone got no email",
  description: "Find out why a person did not get an email of a campaign, and what happens next",
  arguments: {
    email: {
      description: "The address of the person",
      schema: z.string().trim().min(3).max(320).includes("@", "must be an e-mail address"),
      example: "ada@acme.example",
    },
    campaignId: {
      description: "The campaign, if it is known: `cmp_…`",
      schema: idOf("cmp"),
      example: "cmp_01JA2B3C4D5E6F7G8H9J0K1M2N",
    },
  },
  readOnly: true,
  task: "Explain why this person got no email, with the reason that the service gives.",
  steps: [
    { tool: "leads_search", args: { search: "{email}" }, why: "finds the lead and returns its id" },
    {
      tool: "leads_get",
      args: { leadId: "<leadId>" },
      why: "shows whether the lead is suppressed, whether its address is valid, and its campaigns",
      optional: true,
    },
    {
      tool: "recipients_list",
      args: { campaignId: "{campaignId}", search: "{email}" },
      why: "returns the recipientId, the status and the reason for a pause",
    },
    {
      tool: "recipients_list",
      args: { campaignId: "{campaignId}", view: "explain", recipientId: "<recipientId>" },
      why: "says which emails were sent, what the recipient waits for, and when the next email leaves",
    },
    {
      tool: "campaigns_get",
      args: { campaignId: "{campaignId}" },
      why: "`sendingStatus` says why the whole campaign does not send",
      optional: true,
    },
    {
      tool: "block_list",
      args: { action: "list" },
      why: "shows whether the address or its domain is blocked",
      optional: true,
    },
    {
      tool: "leads_activity",
      args: { leadId: "<leadId>" },
      why: "lists what happened to the lead: emails, replies, bounces and opt-outs",
      optional: true,
    },
  ],
  end: "Answer in two or three sentences: the reason, since when, and what the person can do. Change nothing.",
};

export const weeklyReport: Prompt = {
  name: "weekly_report",
  title: "Report on a week",
  description: "Report what campaigns sent and which replies they got, with the changes from the week before",
  arguments: {
    from: { description: "The first day. Default: 7 days ago", schema: z.iso.date().optional(), example: "2026-11-23" },
    to: { description: "The last day. Default: today", schema: z.iso.date().optional(), example: "2026-11-29" },
  },
  readOnly: true,
  task: "Report on the campaigns of one week. Days are in the workspace's time zone.",
  steps: [
    {
      tool: "analytics_report",
      args: { from: "{from?}", to: "{to?}", groupBy: "CAMPAIGN" },
      why: "returns the figures of each campaign and the totals",
    },
    {
      tool: "analytics_report",
      args: { from: "<the same days of the week before>", to: "<their last day>", groupBy: "NONE" },
      why: "returns the totals to compare with",
    },
    {
      tool: "campaigns_list",
      args: { include: ["sendingStatus"] },
      why: "shows which campaigns do not send, and why",
      optional: true,
    },
    { tool: "inbox_summary", why: "counts unread conversations and replies by category", optional: true },
    {
      tool: "deliverability_overview",
      args: { days: 7 },
      why: "shows bounces, spam reports and where emails landed",
      optional: true,
    },
    {
      tool: "deliverability_recommendations",
      why: "says what to do about the problems that the checks found",
      optional: true,
    },
  ],
  end: "Write at most one page: totals with the change from the week before, the best and the worst campaign, open problems, and what needs an answer. Say so where there are too few emails to compare.",
};
