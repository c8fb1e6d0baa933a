import { z } from "zod";
import { idOf, type Prompt } from "./prompt.ts";

const mailboxId = {
  description: "The mailbox: `mbx_…`. Default: all mailboxes that need it",
  schema: idOf("mbx"),
  example: "mbx_01JA2B3C4D5E6F7G8H9J0K1M2N",
};

export const triageInbox: Prompt = {
  name: "triage_inbox",
  title: "Triage the inbox",
  description: "Read new replies, sort them by what the person wants, and prepare answers for the ones that need one",
  arguments: {
    since: {
      description: "Only conversations with an email since this day or time. Default: all unread ones",
      schema: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional(),
      example: "2026-11-29",
    },
  },
  task: "Go through the unread conversations, sort the replies, and prepare answers.",
  steps: [
    { tool: "inbox_summary", why: "counts unread conversations and each category", optional: true },
    {
      tool: "inbox_threads_list",
      args: { unreadOnly: true, lastMessageAfter: "{since?}" },
      why: "lists the conversations, newest first; `next` names the following page",
    },
    {
      tool: "inbox_thread_get",
      args: { threadId: "<threadId>" },
      why: "shows the emails of a conversation. The first `ownCharacters` of a `body` are the writer's own words",
    },
    {
      tool: "inbox_message_categorize",
      args: { messageId: "<messageId>", category: "MEETING_REQUEST" },
      why: "corrects a category that is wrong. UNSUBSCRIBE and NOT_INTERESTED stop all further emails to the person",
      optional: true,
    },
    {
      tool: "inbox_draft",
      args: { action: "save", threadId: "<threadId>", text: "<your answer>" },
      why: "saves an answer for the person to read. It is never sent by itself",
      optional: true,
    },
    {
      tool: "inbox_reply_send",
      args: { threadId: "<threadId>", text: "<the answer>", idempotencyKey: "<a new key>" },
      why: "sends an answer that the person agreed to, from the mailbox that received the email",
      optional: true,
    },
    {
      tool: "inbox_thread_manage",
      args: { action: "archive", threadIds: ["<threadId>"] },
      why: "archives conversations that need no answer",
      optional: true,
    },
  ],
  end: "List for the person: who is interested or wants a meeting, who asks something, who wants no more email, and which answers you prepared. Send an answer only after the person has seen it and agreed.",
};

export const warmUpMailboxes: Prompt = {
  name: "warm_up_mailboxes",
  title: "Warm up mailboxes",
  description: "Check the DNS of new mailboxes, start their warmup, and see how it goes",
  arguments: {
    mailboxId,
    preset: {
      description: "COLD for a new mailbox, WARM or AGGRESSIVE for one that has sent before. Default COLD",
      schema: z.enum(["COLD", "WARM", "AGGRESSIVE"]).default("COLD"),
      example: "COLD",
    },
  },
  task: "Start the warmup of mailboxes that do not warm up yet, and report on those that do.",
  steps: [
    { tool: "mailboxes_list", args: { mailboxId: "{mailboxId?}" }, why: "shows state, limits, health and DNS" },
    { tool: "warmup_list", why: "shows which mailboxes warm up already, and how far they are" },
    {
      tool: "mailboxes_verify_dns",
      args: { mailboxId: "{mailboxId}" },
      why: "shows whether SPF, DKIM and DMARC are valid; correct them before the warmup",
    },
    {
      tool: "warmup_manage",
      args: { action: "onboard", onboard: { mailboxIds: ["{mailboxId}"], preset: "{preset}" } },
      why: "starts the warmup: the mailboxes exchange emails with partners every day",
    },
    {
      tool: "warmup_list",
      args: { view: "heatmap", mailboxId: "{mailboxId}", days: 14 },
      why: "shows by day how many emails were sent, answered, and found in Junk",
    },
    {
      tool: "deliverability_recommendations",
      why: "says what to do about the problems that the checks found",
      optional: true,
    },
  ],
  end: "Tell the person first that some providers' terms forbid such networks, and start only what they agree to. Then report by mailbox: the state, the share of emails found in Junk, and from when it may send campaigns.",
};

export const fixDns: Prompt = {
  name: "fix_dns",
  title: "Fix the DNS of a sending domain",
  description: "Find missing or wrong SPF, DKIM, DMARC and MX records, and give the records to publish",
  arguments: {
    domain: {
      description: "The sending domain. Default: all domains with a problem",
      schema: z
        .string()
        .trim()
        .toLowerCase()
        .max(253)
        .regex(/^[^\s@/]+\.[^\s@/]+$/, "must be a domain")
        .optional(),
      example: "acme.example",
    },
  },
  task: "Find what is wrong with the DNS records of the sending domain, and give the person the records to publish.",
  steps: [
    {
      tool: "deliverability_domains",
      args: { domain: "{domain?}" },
      why: "shows each check with its reason, and the record to publish, ready to copy",
    },
    {
      tool: "deliverability_recommendations",
      args: { scope: "DOMAIN" },
      why: "says what to do first",
    },
    {
      tool: "mailboxes_list",
      args: { search: "{domain?}" },
      why: "returns the mailboxes of the domain",
      optional: true,
    },
    {
      tool: "mailboxes_verify_dns",
      args: { mailboxId: "<mailboxId>", action: "resend" },
      why: "checks again after the person has published the records",
      optional: true,
    },
  ],
  end: "Give the person one table: name, type and value of each record, and where to publish it. Copy the values from the results unchanged. This service cannot publish them.",
};
