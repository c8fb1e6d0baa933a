import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { calendar as sendCalendar } from "./calendar.ts";
import { explain as explainRecipient } from "./explain.ts";
import { exportRecipients } from "./export.ts";
import { list as listRecipients } from "./list.ts";
import { manage as manageRecipients } from "./manage.ts";
import { resolution as resolveSend } from "./resolve.ts";
import { sends as listSends } from "./sends.ts";
import { stats as recipientStats } from "./stats.ts";

export const recipientsDeclaration = {
  verbs: {
    "recipients.list": listRecipients,
    "recipients.manage": manageRecipients,
    "recipients.getStats": recipientStats,
    "recipients.explain": explainRecipient,
    "recipients.export": exportRecipients,
  },
  routes: [
    ["get", "/campaigns/:campaignId/recipients", listRecipients],
    ["post", "/campaigns/:campaignId/recipients", manageRecipients],
    ["get", "/campaigns/:campaignId/recipients/stats", recipientStats],
    ["get", "/campaigns/:campaignId/recipients/export", exportRecipients],
    ["get", "/campaigns/:campaignId/recipients/:recipientId/explain", explainRecipient],
  ],
  tools: {
    recipients: {
      recipients_list: {
        operation: choice(
          "recipients:read",
          "List the recipients of a campaign, count them by status, or explain one of them",
          { list: listRecipients, stats: recipientStats, explain: explainRecipient },
          "list",
          "view",
        ),
        title: "List recipients",
        readOnly: true,
        detail: true,
        when: "The recipients of a campaign, their progress and why each ended or waits; returns the recipientId. `view: explain` says why one of them got what, and what comes next and when.",
      },
      recipients_manage: {
        operation: manageRecipients,
        title: "Manage recipients",
        destructive: true,
        when: "Adding to a running campaign books emails at once. recipients_list returns recipient ids, lead_lists the leadListId. Suppressed and blocked people are skipped, with the reason.",
      },
    },
  },
  examples: {
    content: [
      {
        at: "post /campaigns/:campaignId/recipients",
        title: "Add addresses",
        body: { action: "addManual", emails: ["cleo@people.example"] },
      },
      {
        at: "post /campaigns/:campaignId/recipients",
        title: "Add a list",
        body: { action: "addFromList", leadListId: ids.listId },
      },
      {
        at: "post /campaigns/:campaignId/recipients",
        title: "Add new members of attached lists",
        body: { action: "refreshAudience" },
      },
    ],
    sending: [
      {
        at: "post /campaigns/:campaignId/recipients",
        title: "Pause a recipient",
        body: { action: "pauseRecipients", recipientIds: [ids.recipientId] },
      },
      {
        at: "post /campaigns/:campaignId/recipients",
        title: "Resume a recipient",
        body: { action: "resumeRecipients", recipientIds: [ids.recipientId] },
      },
      {
        at: "post /campaigns/:campaignId/recipients",
        title: "Record a booked meeting",
        body: {
          action: "updateOutcome",
          recipientId: ids.recipientId,
          meetingBooked: true,
          revenueAmount: "2500.00",
          revenueCurrency: "EUR",
        },
      },
    ],
    afterwards: [
      {
        at: "post /campaigns/:campaignId/recipients",
        title: "Remove recipients",
        body: { action: "bulkRemove", recipientIds: [ids.recipientId] },
      },
    ],
  },
} as const satisfies Declaration;

export const sendsDeclaration = {
  verbs: {
    "sends.list": listSends,
    "sends.listBooked": sendCalendar,
    "sends.resolve": resolveSend,
  },
  routes: [
    ["get", "/campaigns/:campaignId/sends", listSends],
    ["post", "/campaigns/:campaignId/sends/:sendId/resolve", resolveSend],
    ["get", "/sends", sendCalendar],
  ],
  examples: {
    afterwards: [
      {
        at: "post /campaigns/:campaignId/sends/:sendId/resolve",
        title: "Mark an email of unknown outcome as not sent",
        body: { action: "markNotSent" },
      },
      {
        at: "post /campaigns/:campaignId/sends/:sendId/resolve",
        title: "Mark an email of unknown outcome as sent",
        body: { action: "markSent" },
      },
    ],
  },
} as const satisfies Declaration;
