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
  goal: optionalText.describe("Its goal, in your own words"),
  type: z.enum(CAMPAIGN_TYPES).describe("SEQUENCE sends several steps, ONE_OFF a single email; fixed after DRAFT"),
  clientId: optionalText.describe("Your own name for the client that it is run for"),
  status: z.enum(CAMPAIGN_STATUSES).describe("Its status"),
  pauseReason: nullable(z.enum(PAUSE_REASONS)).describe("Why it is PAUSED; null otherwise"),
  completedReason: nullable(z.enum(COMPLETED_REASONS)).describe("Why it is COMPLETED; null otherwise"),
  statusChangedAt: time.describe("When its status last changed"),
  version: count.describe(
    "Grows with every change of the campaign, its settings, its sequence or its status; what `expectedVersion` compares",
  ),
  sequenceId,
  audienceListIds: z.array(z.string()).describe("The lead lists that are attached"),
  recipientCount: count.describe("How many recipients it has, finished ones included"),
  launchedAt: optionalTime.describe("When it was first launched"),
  completedAt: optionalTime.describe("When it ended"),
  archivedAt: optionalTime.describe("When it was archived"),
};

/** The campaign as the API shows it (rules/states 1.5). */
export const Campaign = record(fields).meta({ id: "Campaign", description: "A campaign" });

const Variant = z
  .looseObject({
    variantId,
    label: z.string().describe("Its letter or name"),
    subject: optionalText.describe("The subject, a template; null continues the thread"),
    bodyHtml: optionalText.describe("The text as HTML, a template"),
    bodyText: optionalText.describe("The text as plain text, a template; null: made from the HTML"),
    weight: count.describe("Its share of the recipients relative to the other variants, 1 to 100"),
    enabled: z.boolean().describe("Whether new recipients may get it"),
    attachments: z.array(Attachment).describe("Files that go out with it"),
  })
  .meta({ id: "Variant", description: "One text of a mail step" });

// Steps are free-form objects, so properties that a caller added are returned too
export const Step = z
  .looseObject({
    stepId,
    order: count.describe("Its place, from 1"),
    type: z.enum(STEP_TYPES).describe("What it does"),
    delay: z
      .object({
        value: count.describe("How many units"),
        unit: z
          .enum(DELAY_UNITS)
          .describe(
            "MINUTES and HOURS as they pass, DAYS by the calendar, BUSINESS_DAYS on which the campaign is open",
          ),
      })
      .describe("The wait before it, counted from the previous email; for the first step from admission"),
    threadMode: z.enum(THREAD_MODES).describe("Whether its email replies to the previous one or opens a new thread"),
    conditions: z
      .array(z.record(z.string(), z.unknown()))
      .describe("Where to continue after it, read from the top; if none matches: the next step"),
    config: z.record(z.string(), z.unknown()).describe("Settings of a step that is not an email"),
    variants: z.array(Variant).describe("The texts among which recipients are divided"),
    winner: z.record(z.string(), z.unknown()).describe("How the better variant is found"),
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

/** A sequence after an edit, with the people whom the edit could reach again. */
export const EditedSequence = record({
  ...sequenceFields,
  finishedReachable: nullable(count).describe(
    "How many recipients had completed the sequence (COMPLETED, SEQUENCE_FINISHED) and have an unsent step before them now. They get no email unless recipients are resumed with `finished: true`. People who have been suppressed since are counted, but not contacted. Null when the sequence has branches and more than 2,000 recipients have finished",
  ),
}).meta({ id: "EditedSequence", description: "The steps of a campaign after an edit" });

/** Every setting with its value, and the unknown keys that were kept. */
export const SettingsRecord = shownAs(
  z.record(z.string(), z.unknown()),
  z
    .looseObject(describedSettings)
    .meta({ id: "Settings", description: "Every setting of a campaign; those never set have their defaults" }),
);

export const Metrics = z
  .object({
    recipients: count.describe("People in the campaign"),
    contacted: count.describe("People who were sent an email, or whose email was permanently refused"),
    sent: count.describe("Emails sent, bounced ones included"),
    delivered: count.describe("Emails sent that did not bounce"),
    opened: nullable(count).describe("People who opened an email; null: not tracked"),
    proxyOpened: nullable(count).describe(
      "People whose email was opened by a privacy proxy, which opens all email: it says nothing about them; null: not tracked",
    ),
    clicked: nullable(count).describe("People who followed a link; null: not tracked"),
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
    replyRate: z.number().describe("`replied` of `contacted`, 0 to 1"),
    bounceRate: z.number().describe("`bounced` of `contacted`, 0 to 1"),
  })
  .meta({ id: "CampaignMetrics", description: "Emails of a campaign and their results" });

const SendingStatus = z
  .object({
    code: z
      .enum(SENDING_CODES)
      .describe(
        "The first cause that applies, in the order of this list. HEALTHY: the next email leaves within the longest gap between two emails, and no one waits for a mailbox that cannot send",
      ),
    since: time.describe(
      "Since when: the last change of the campaign's status, or the last email before sending stopped",
    ),
    nextSendAt: optionalTime.describe(
      "The next instant at which an email will leave, by the current limits, hours and gaps; never in the past. Null when none is known",
    ),
    lastHealthySendAt: optionalTime.describe("When the last email left. Null before the first"),
    breakdown: z
      .record(z.string(), count)
      .describe(
        "How many open recipients (PENDING, IN_PROGRESS, PAUSED) each code holds; each is counted once, under what holds that one",
      ),
    restingMailboxes: z
      .array(
        z.object({
          mailboxId: z.string().describe("Which mailbox"),
          status: z.enum(MAILBOX_STATUSES).describe("Its status"),
          provider: nullable(z.string()).describe(
            "The provider whose customers get no emails from it; null when it sends no emails at all",
          ),
          until: optionalTime.describe("When it is tried again; null only when a person has to act first"),
          evidence: nullable(z.string()).describe("The refusals that led to it, as a sentence"),
        }),
      )
      .describe(
        "The campaign's mailboxes that send nothing now, or nothing to the customers of a provider; at most 100. Empty for a campaign that rests",
      ),
  })
  .meta({ id: "SendingStatus", description: "Why a campaign sends or does not" });

/** A campaign in a list, with what was asked for beside it. */
export const ListedCampaign = record({
  ...fields,
  metrics: Metrics.optional().describe("Its emails and their results; present when `include` names `metrics`"),
  sendingStatus: SendingStatus.optional().describe(
    "Why it sends or does not; present when `include` names `sendingStatus`",
  ),
}).meta({
  id: "ListedCampaign",
  description: "A campaign in a list, with its figures and state where they were asked for",
});

/** A single read of a campaign, with its sending status, settings, sequence and metrics. */
export const CampaignInFull = record({
  ...fields,
  sendingStatus: SendingStatus.describe("Why it sends or does not"),
  settings: SettingsRecord.describe("Its settings"),
  sequence: Sequence.describe("Its sequence"),
  metrics: Metrics.describe("Its figures"),
}).meta({ id: "CampaignInFull", description: "A campaign with its state, settings, sequence and figures" });

/** A single read, which may be asked for without what has to be counted. */
export const CampaignRead = record({
  ...fields,
  sendingStatus: SendingStatus.describe("Why it sends or does not"),
  settings: SettingsRecord.describe("Its settings"),
  sequence: Sequence.describe("Its sequence"),
  metrics: Metrics.optional().describe("Its figures; left out when `figures` is false"),
}).meta({
  id: "CampaignRead",
  description: "A campaign with its state, settings and sequence, and its figures unless `figures` is false",
});

const Finding = z
  .object({
    code: z.string().describe("What was found"),
    message: z.string().describe("The same as a sentence"),
    path: optionalText.describe("The place it is about, such as `steps.0.subject`"),
    details: z.record(z.string(), z.unknown()).describe("Numbers and names that belong to it"),
  })
  .meta({ id: "Finding", description: "Something that a check found" });

export const Validation = z
  .object({
    valid: z.boolean().describe("Whether it can be launched"),
    errors: z.array(Finding).describe("What forbids a launch"),
    warnings: z.array(Finding).describe("Findings that do not forbid a launch, unless `launchBlockers` names them"),
    summary: z
      .object({
        recipients: count.describe("All recipients of the campaign, those who have ended included"),
        open: count.describe(
          "Recipients that may still be contacted: PENDING, IN_PROGRESS or PAUSED, without `heldOut`",
        ),
        heldOut: count.describe("Recipients that will be held out when their turn comes, so they are never contacted"),
        steps: count.describe("Steps of the sequence"),
        variants: count.describe("Enabled variants of all steps"),
        mailboxes: count.describe("Mailboxes that the settings name, without disconnected ones"),
        version: count.describe(
          "The campaign's version that this describes: what `control` takes as `expectedVersion`",
        ),
        dailyCapacity: count.describe(
          "Emails that the campaign can send on its first sending day: the least of `dailyLimit`, the ramp, and what the mailboxes may send",
        ),
        firstSendAt: optionalTime.describe(
          "When the first email would leave if the campaign were launched now. Null when nothing can be sent, or emails wait for approvals",
        ),
        expectedFinishAt: optionalTime.describe(
          "When the last email would leave if no one replied, bounced or was stopped; at the latest before `endAt`. Null when nothing can be sent, it would take more than ten years, or emails wait for approvals",
        ),
      })
      .describe("The launch card: what a launch would mean"),
  })
  .meta({ id: "Validation", description: "Whether a campaign can be launched, and the launch card" });
export type Validation = z.input<typeof Validation>;
