import { z } from "zod";
import { SENDING_CODES } from "../../domain/campaigns/sending-status.ts";
import { describedSettings } from "../../domain/campaigns/settings.ts";
import { DELAY_UNITS, STEP_TYPES, THREAD_MODES } from "../../domain/sequences/sequence.ts";
import {
  CAMPAIGN_STATUSES,
  CAMPAIGN_TYPES,
  COMPLETED_REASONS,
  MAILBOX_STATUSES,
  PAUSE_REASONS,
} from "../../domain/states.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";
import { Attachment } from "../files.ts";
import { shownAs } from "../shown-as.ts";

const { campaignId, sequenceId, stepId, variantId } = describedIds;

const optionalText = nullable(z.string());
const count = z.number().int();

const fields = {
  name: z.string().describe("The name"),
  description: optionalText.describe("A longer note of your own"),
  goal: optionalText.describe("The goal, in your own words"),
  type: z.enum(CAMPAIGN_TYPES).describe("SEQUENCE sends several steps, ONE_OFF a single email; fixed after DRAFT"),
  clientId: optionalText.describe("Your own name for the client of the campaign"),
  status: z.enum(CAMPAIGN_STATUSES).describe("The status"),
  pauseReason: nullable(z.enum(PAUSE_REASONS)).describe("Why it is PAUSED; null otherwise"),
  completedReason: nullable(z.enum(COMPLETED_REASONS)).describe("Why it is COMPLETED; null otherwise"),
  statusChangedAt: time.describe("When the status last changed"),
  version: count.describe(
    "Grows with every change of the campaign, its settings, sequence or status; `expectedVersion` is compared with it",
  ),
  sequenceId,
  audienceListIds: z.array(z.string()).describe("The attached lead lists"),
  recipientCount: count.describe("The number of recipients, finished ones included"),
  launchedAt: optionalTime.describe("When it was first launched"),
  completedAt: optionalTime.describe("When it was completed"),
  archivedAt: optionalTime.describe("When it was archived"),
};

/** The campaign as the API shows it (rules/states 1.5). */
export const Campaign = record(fields).meta({ id: "Campaign", description: "A campaign" });

const Variant = z
  .looseObject({
    variantId,
    label: z.string().describe("The letter or name of the variant"),
    subject: optionalText.describe("The subject, a template; null continues the thread"),
    bodyHtml: optionalText.describe("The text as HTML, a template"),
    bodyText: optionalText.describe("The plain text, a template; null: made from the HTML"),
    weight: count.describe("The share of recipients relative to the other variants, 1 to 100"),
    enabled: z.boolean().describe("Whether new recipients can get it"),
    attachments: z.array(Attachment).describe("Files sent with the email"),
  })
  .meta({ id: "Variant", description: "One text of an email step" });

// Steps are free-form objects, so properties that a caller added are returned too
export const Step = z
  .looseObject({
    stepId,
    order: count.describe("The place of the step, from 1"),
    type: z.enum(STEP_TYPES).describe("What the step does"),
    delay: z
      .object({
        value: count.describe("How many units"),
        unit: z
          .enum(DELAY_UNITS)
          .describe(
            "MINUTES and HOURS of elapsed time, calendar DAYS, or BUSINESS_DAYS on which the campaign may send",
          ),
      })
      .describe("The wait before the step, from the previous email; for the first step from admission"),
    threadMode: z.enum(THREAD_MODES).describe("Whether the email replies to the previous one or starts a new thread"),
    conditions: z
      .array(z.record(z.string(), z.unknown()))
      .describe("Where to continue after the step: the first match decides; without a match, the next step"),
    config: z.record(z.string(), z.unknown()).describe("Settings of a step other than an email"),
    variants: z.array(Variant).describe("The texts; each recipient gets one"),
    winner: z.record(z.string(), z.unknown()).describe("How the winning variant is found"),
  })
  .meta({ id: "Step", description: "One step of a sequence" });

const sequenceFields = {
  campaignId,
  mode: z.enum(["DEFAULT", "VISUAL"]).describe("DEFAULT is linear, VISUAL has branches"),
  version: count.describe("The campaign's version"),
  steps: z.array(Step).describe("The steps, in order"),
};

export const Sequence = record(sequenceFields).meta({
  id: "Sequence",
  description: "The steps of a campaign, in order",
});

/** A sequence after an edit, with the number of finished recipients who could get its new steps. */
export const EditedSequence = record({
  ...sequenceFields,
  finishedReachable: nullable(count).describe(
    "How many recipients had completed the sequence (COMPLETED, SEQUENCE_FINISHED) and now have an unsent step ahead. They get no email unless you resume recipients with `finished: true`. Recipients suppressed since then are counted, but not contacted. Null if the sequence has branches and more than 2,000 recipients have finished",
  ),
}).meta({ id: "EditedSequence", description: "The steps of a campaign after an edit" });

/** Every setting with its value, and unknown keys that callers stored. */
export const SettingsRecord = shownAs(
  z.record(z.string(), z.unknown()),
  z
    .looseObject(describedSettings)
    .meta({ id: "Settings", description: "Every setting of a campaign; unset settings have their defaults" }),
);

export const Metrics = z
  .object({
    recipients: count.describe("People in the campaign"),
    contacted: count.describe("People who were sent an email, or whose email was permanently refused"),
    sent: count.describe("Emails sent, bounced ones included"),
    delivered: count.describe("Emails sent that did not bounce"),
    opened: nullable(count).describe("People who opened an email; null: not tracked"),
    proxyOpened: nullable(count).describe(
      "People whose email a privacy proxy opened. It opens all email, so this does not show that they read it; null: not tracked",
    ),
    clicked: nullable(count).describe("People who clicked a link; null: not tracked"),
    replied: count.describe("People who replied; automatic replies are not counted"),
    autoReplied: count.describe("People who sent an automatic reply"),
    positiveReplies: count.describe("People whose newest reply is positive"),
    bounced: count.describe("People whose email hard bounced"),
    unsubscribed: count.describe("People who unsubscribed"),
    complained: count.describe("Complaints"),
    meetings: count.describe("Meetings booked"),
    conversions: count.describe("Conversions"),
    revenue: z
      .array(
        z.object({
          currency: z.string().describe("ISO 4217"),
          amount: z.string().describe("A decimal number as text"),
        }),
      )
      .describe("Revenue by currency"),
    replyRate: z.number().describe("`replied` divided by `contacted`, 0 to 1"),
    bounceRate: z.number().describe("`bounced` divided by `contacted`, 0 to 1"),
  })
  .meta({ id: "CampaignMetrics", description: "Emails of a campaign and their results" });

const SendingStatus = z
  .object({
    code: z
      .enum(SENDING_CODES)
      .describe(
        "The first reason that applies, in the order of this list. HEALTHY: the next email leaves within the longest gap between two emails, and no recipient waits for a mailbox that cannot send",
      ),
    since: time.describe(
      "The start of this state: the last change of the campaign's status, or the last email before sending stopped",
    ),
    nextSendAt: optionalTime.describe(
      "When the next email leaves, by the current limits, hours and gaps; never in the past. Null if unknown",
    ),
    lastHealthySendAt: optionalTime.describe("When the last email left. Null before the first"),
    breakdown: z
      .record(z.string(), count)
      .describe(
        "How many open recipients (PENDING, IN_PROGRESS, PAUSED) each code holds back; each is counted once, under the code that holds it back",
      ),
    restingMailboxes: z
      .array(
        z.object({
          mailboxId: z.string().describe("The id of the mailbox"),
          status: z.enum(MAILBOX_STATUSES).describe("The status of the mailbox"),
          provider: nullable(z.string()).describe(
            "The provider whose customers get no emails from this mailbox; null if it sends no emails at all",
          ),
          until: optionalTime.describe("When it is tried again; null only if a person has to act first"),
          evidence: nullable(z.string()).describe("The refusals that caused it, as a sentence"),
        }),
      )
      .describe(
        "The campaign's mailboxes that send nothing now, or nothing to a provider's customers; at most 100. Empty unless the campaign is ACTIVE or SCHEDULED",
      ),
  })
  .meta({ id: "SendingStatus", description: "Why a campaign sends or does not" });

/** A campaign in a list, with the parts that `include` names. */
export const ListedCampaign = record({
  ...fields,
  metrics: Metrics.nullable()
    .optional()
    .describe("Emails and their results; present if `include` names `metrics`. Null if they could not be read in time"),
  sendingStatus: SendingStatus.nullable()
    .optional()
    .describe(
      "Why it sends or does not; present if `include` names `sendingStatus`. Null if it could not be read in time",
    ),
  partial: z
    .boolean()
    .optional()
    .describe("Whether a part that `include` names could not be read in time and is null; present with `include`"),
}).meta({
  id: "ListedCampaign",
  description: "A campaign in a list, with its figures and sending status if requested",
});

/** A single read of a campaign, with its sending status, settings, sequence and metrics. */
export const CampaignInFull = record({
  ...fields,
  sendingStatus: SendingStatus.describe("Why it sends or does not"),
  settings: SettingsRecord.describe("Its settings"),
  sequence: Sequence.describe("Its sequence"),
  metrics: Metrics.describe("Its figures"),
}).meta({ id: "CampaignInFull", description: "A campaign with its sending status, settings, sequence and figures" });

/** A single read, which can leave out the metrics because they take time to read. */
export const CampaignRead = record({
  ...fields,
  sendingStatus: SendingStatus.describe("Why it sends or does not"),
  settings: SettingsRecord.describe("Its settings"),
  sequence: Sequence.describe("Its sequence"),
  metrics: Metrics.nullable()
    .optional()
    .describe("The figures; left out if `figures` is false. Null if they could not be read in time"),
  partial: z
    .boolean()
    .optional()
    .describe("Whether the figures could not be read in time and are null; left out if `figures` is false"),
}).meta({
  id: "CampaignRead",
  description: "A campaign with sending status, settings and sequence, and figures unless `figures` is false",
});

const Finding = z
  .object({
    code: z.string().describe("The code of the finding"),
    message: z.string().describe("The finding as a sentence"),
    path: optionalText.describe("The field that it concerns, such as `steps.0.subject`"),
    details: z.record(z.string(), z.unknown()).describe("Numbers and names of the finding"),
  })
  .meta({ id: "Finding", description: "An error or warning of a check" });

export const Validation = z
  .object({
    valid: z.boolean().describe("Whether it can be launched"),
    errors: z.array(Finding).describe("Findings that block a launch"),
    warnings: z.array(Finding).describe("Findings that block a launch only if `launchBlockers` names them"),
    summary: z
      .object({
        recipients: count.describe("All recipients of the campaign, finished ones included"),
        open: count.describe(
          "Recipients who can still be contacted: PENDING, IN_PROGRESS or PAUSED, without `heldOut`",
        ),
        heldOut: count.describe("Recipients who will be held out when their turn comes, so they are never contacted"),
        steps: count.describe("Steps of the sequence"),
        variants: count.describe("Enabled variants of all steps"),
        mailboxes: count.describe("Mailboxes in the settings, without disconnected ones"),
        version: count.describe("The campaign's version at this check; pass it to `control` as `expectedVersion`"),
        dailyCapacity: count.describe(
          "Emails that the campaign can send on its first sending day: the lowest of `dailyLimit`, the ramp, and what the mailboxes can send",
        ),
        firstSendAt: optionalTime.describe(
          "When the first email would leave if you launched the campaign now. Null if nothing can be sent, or emails wait for approvals",
        ),
        expectedFinishAt: optionalTime.describe(
          "When the last email would leave if no recipient replied, bounced or was stopped; always before `endAt`. Null if nothing can be sent, it would take more than ten years, or emails wait for approvals",
        ),
      })
      .describe("The launch card: what a launch would do"),
  })
  .meta({ id: "Validation", description: "Whether a campaign can be launched, and the launch card" });
export type Validation = z.input<typeof Validation>;
