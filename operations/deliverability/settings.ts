import { z } from "zod";
import { PLACEMENT_SCHEDULES } from "../../domain/alert-thresholds.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { loadSettings } from "../../store/deliverability/domains.ts";
import { describedIds } from "../described-ids.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";

const { mailboxId } = describedIds;

const rate = (what: string) => z.number().describe(`Share of emails that ${what}, 0 to 1`);

export const settings = operation({
  summary:
    "Thresholds for alerts and for automatic pauses of campaigns, and monitored domains; change them in the workspace's settings",
  scope: "deliverability:read",
  input: z.strictObject({}),
  output: z.object({
    autoPause: z
      .object({
        enabled: z.boolean().describe("Whether new campaigns pause themselves"),
        bounceRate: rate("hard-bounced"),
        complaintRate: rate("were reported as spam"),
      })
      .describe("The defaults of a new campaign; its settings `bounceGuard` and `complaintGuard` change them"),
    alertThresholds: z
      .object({
        bounceRate: rate("hard-bounced"),
        complaintRate: rate("were reported as spam"),
        spamRate: rate("were measured and landed in Junk"),
      })
      .describe(
        "The share of seven days' emails from which an alert opens; none opens below 100 emails, or below 20 measured placements",
      ),
    monitoredDomains: z.array(z.string()).describe("Domains that are checked besides those of the mailboxes"),
    placementSchedule: nullable(z.enum(PLACEMENT_SCHEDULES)).describe(
      "How often placement tests start by themselves; null: never",
    ),
    testMailboxIds: z.array(mailboxId).describe("The mailboxes kept for placement tests"),
  }),
  async run({ workspaceId }) {
    const { bounceGuard, complaintGuard } = settingsOf({});
    const { alertThresholds, monitoredDomains, placement } = await loadSettings(workspaceId);
    return {
      autoPause: {
        enabled: bounceGuard.enabled && complaintGuard.enabled,
        bounceRate: bounceGuard.rate,
        complaintRate: complaintGuard.rate,
      },
      alertThresholds,
      monitoredDomains,
      placementSchedule: placement.schedule,
      testMailboxIds: placement.testMailboxIds,
    };
  },
});
