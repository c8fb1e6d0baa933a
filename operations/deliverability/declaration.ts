import type { Declaration } from "../declaration.ts";
import * as deliverabilityAlerts from "./alerts.ts";
import { domains as deliverabilityDomains } from "./domains.ts";
import { mailboxes as deliverabilityMailboxes } from "./mailboxes.ts";
import { overview as deliverabilityOverview } from "./overview.ts";
import { postmaster as deliverabilityPostmaster } from "./postmaster.ts";
import { recommendations as deliverabilityAdvice } from "./recommendations.ts";
import { settings as deliverabilitySettings } from "./settings.ts";

export const deliverabilityDeclaration = {
  verbs: {
    "deliverability.getOverview": deliverabilityOverview,
    "deliverability.listDomains": deliverabilityDomains,
    "deliverability.listMailboxes": deliverabilityMailboxes,
    "deliverability.listAlerts": deliverabilityAlerts.list,
    "deliverability.acknowledgeAlert": deliverabilityAlerts.acknowledge,
    "deliverability.listRecommendations": deliverabilityAdvice,
    "deliverability.getPostmaster": deliverabilityPostmaster,
    "deliverability.getSettings": deliverabilitySettings,
  },
  routes: [
    ["get", "/deliverability/overview", deliverabilityOverview],
    ["get", "/deliverability/domains", deliverabilityDomains],
    ["get", "/deliverability/mailboxes", deliverabilityMailboxes],
    ["get", "/deliverability/alerts", deliverabilityAlerts.list],
    ["post", "/deliverability/alerts/:alertId/acknowledge", deliverabilityAlerts.acknowledge],
    ["get", "/deliverability/recommendations", deliverabilityAdvice],
    ["get", "/deliverability/postmaster", deliverabilityPostmaster],
    ["get", "/deliverability/settings", deliverabilitySettings],
  ],
  tools: {
    deliverability: {
      deliverability_overview: {
        operation: deliverabilityOverview,
        title: "Deliverability overview",
        readOnly: true,
        when: "Whether campaign emails arrive, for all mailboxes, by day. deliverability_domains and deliverability_mailboxes locate problems, deliverability_recommendations says what to do.",
      },
      deliverability_domains: {
        operation: deliverabilityDomains,
        title: "Sending domains",
        readOnly: true,
        untrusted: true,
        when: "Each check with its reason and the record to publish, ready to copy. Checked daily; mailboxes_verify_dns with `resend` checks a mailbox's domain now.",
      },
      deliverability_mailboxes: {
        operation: deliverabilityMailboxes,
        title: "Mailbox deliverability",
        readOnly: true,
        when: "Shows which mailboxes have more bounces or spam reports. mailboxes_list has their limits and states, mailboxes_manage pauses one.",
      },
      deliverability_alerts: {
        operation: deliverabilityAlerts.list,
        title: "Deliverability alerts",
        readOnly: true,
        when: "Each problem, its start and its numbers; a RESOLVED alert has the finding at its end. deliverability_recommendations says what to do.",
      },
      deliverability_recommendations: {
        operation: deliverabilityAdvice,
        title: "Deliverability recommendations",
        readOnly: true,
        untrusted: true,
        when: "What to do now, from the last findings; `relatedTool` is the tool that does it, or checks again after you publish a DNS record. Empty if there is no problem.",
      },
      deliverability_postmaster: {
        operation: deliverabilityPostmaster,
        title: "Google Postmaster Tools",
        readOnly: true,
        untrusted: true,
        when: "How Google's users and servers receive your emails, by Google's count; deliverability_overview has ours. A day or two late; days with few emails are missing.",
      },
      deliverability_settings: {
        operation: deliverabilitySettings,
        title: "Deliverability settings",
        readOnly: true,
        when: "Alert thresholds and monitored domains, which workspace_manage changes by `patch.deliverability`, and the default guards of new campaigns.",
      },
    },
  },
} as const satisfies Declaration;
