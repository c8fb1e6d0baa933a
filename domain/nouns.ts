import { accessNouns } from "./nouns/access.ts";
import { agentNouns } from "./nouns/agent.ts";
import { analyticsNouns } from "./nouns/analytics.ts";
import { billingNouns } from "./nouns/billing.ts";
import { campaignNouns } from "./nouns/campaigns.ts";
import { crmNouns } from "./nouns/crm.ts";
import { deliverabilityNouns } from "./nouns/deliverability.ts";
import { inboxNouns } from "./nouns/inbox.ts";
import { jobNouns } from "./nouns/jobs.ts";
import { leadSearchNouns } from "./nouns/lead-search.ts";
import { leadNouns } from "./nouns/leads.ts";
import { mailboxNouns } from "./nouns/mailboxes.ts";
import { recipientNouns } from "./nouns/recipients.ts";
import { sendingNouns } from "./nouns/sending.ts";
import { sequenceNouns } from "./nouns/sequences.ts";
import { suppressionNouns } from "./nouns/suppression.ts";
import { trackingNouns } from "./nouns/tracking.ts";
import { verificationNouns } from "./nouns/verification.ts";
import { warmupNouns } from "./nouns/warmup.ts";
import { webhookNouns } from "./nouns/webhooks.ts";

/**
 * Every kind of object in the service (noun), with one file for each area. The tables of ids, errors and limits are
 * made from this list.
 */
export const nouns = [
  ...accessNouns,
  ...campaignNouns,
  ...sequenceNouns,
  ...recipientNouns,
  ...sendingNouns,
  ...leadNouns,
  ...suppressionNouns,
  ...mailboxNouns,
  ...inboxNouns,
  ...jobNouns,
  ...webhookNouns,
  ...warmupNouns,
  ...trackingNouns,
  ...deliverabilityNouns,
  ...crmNouns,
  ...verificationNouns,
  ...leadSearchNouns,
  ...agentNouns,
  ...analyticsNouns,
  ...billingNouns,
] as const;

type Facts = (typeof nouns)[number];

/** The possible prefixes of ids. */
export type Prefix = Extract<Facts, { prefix: string }>["prefix"];

/** A record made from rows of key and value. Its type has exactly the keys of the rows. */
export function recordOf<Key extends string, Value>(
  rows: readonly (readonly [Key, Value])[],
): Readonly<Record<Key, Value>> {
  return Object.fromEntries(rows) as Record<Key, Value>; // the rows have these keys
}
