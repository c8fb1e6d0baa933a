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
        title: "Deliverability at a glance",
        readOnly: true,
        when: "Whether campaign mail arrives, over all mailboxes, day by day. deliverability_domains and deliverability_mailboxes tell where it goes wrong, deliverability_recommendations what to do. Counted once a day, of mails by the day they were due.",
      },
      deliverability_domains: {
        operation: deliverabilityDomains,
        title: "Sending domains",
        readOnly: true,
        untrusted: true,
        when: "Each check with its reason and the record to publish, ready to copy. Checked daily; mailboxes_verify_dns with `resend` checks the domain of a mailbox at once.",
      },
      deliverability_mailboxes: {
        operation: deliverabilityMailboxes,
        title: "Deliverability of mailboxes",
        readOnly: true,
        when: "Which mailbox bounces or is reported more than others. mailboxes_list has their limits and states, mailboxes_manage pauses one.",
      },
      deliverability_alerts: {
        operation: deliverabilityAlerts.list,
        title: "Deliverability alerts",
        readOnly: true,
        when: "What went wrong and since when, with its numbers; RESOLVED ones say what was found then. They open and resolve by themselves. What to do about them: deliverability_recommendations.",
      },
      deliverability_recommendations: {
        operation: deliverabilityAdvice,
        title: "Deliverability recommendations",
        readOnly: true,
        untrusted: true,
        when: "What is to be done now, by what was last found; `relatedTool` is the tool that does it, or checks again once a DNS record was published. Empty when nothing is amiss.",
      },
      deliverability_postmaster: {
        operation: deliverabilityPostmaster,
        title: "Google's Postmaster Tools",
        readOnly: true,
        untrusted: true,
        when: "How people and servers at Google take the mail, by Google's own count; deliverability_overview has ours. Read once a day, a day or two late; days with too little mail are missing.",
      },
      deliverability_settings: {
        operation: deliverabilitySettings,
        title: "Deliverability settings",
        readOnly: true,
        when: "Thresholds of alerts and watched domains, which workspace_manage changes by `patch.deliverability`, and the guards that new campaigns begin with.",
      },
    },
  },
} as const satisfies Declaration;
