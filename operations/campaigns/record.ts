import { z } from "zod";
import { describedSettings } from "../../domain/campaigns/settings.ts";
import { DELAY_UNITS, STEP_TYPES, THREAD_MODES } from "../../domain/sequences/sequence.ts";
import { CAMPAIGN_STATUSES, CAMPAIGN_TYPES, COMPLETED_REASONS, PAUSE_REASONS } from "../../domain/states.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";
import { shownAs } from "../shown-as.ts";

const optionalText = nullable(z.string());
const count = z.number().int();

const fields = {
  name: z.string(),
  description: optionalText,
  goal: optionalText,
  type: z.enum(CAMPAIGN_TYPES),
  clientId: optionalText,
  status: z.enum(CAMPAIGN_STATUSES),
  pauseReason: nullable(z.enum(PAUSE_REASONS)),
  completedReason: nullable(z.enum(COMPLETED_REASONS)),
  statusChangedAt: time,
  version: count,
  sequenceId: z.string(),
  audienceListIds: z.array(z.string()),
  recipientCount: count,
  launchedAt: optionalTime,
  completedAt: optionalTime,
  archivedAt: optionalTime,
};

/** The campaign of the interface (rules/states 1.5). */
export const Campaign = record(fields).meta({ id: "Campaign", description: "A campaign" });

const Variant = z
  .looseObject({
    variantId: z.string(),
    label: z.string(),
    subject: optionalText,
    bodyHtml: optionalText,
    bodyText: optionalText,
    weight: count,
    enabled: z.boolean(),
    attachments: z.array(z.never()),
  })
  .meta({ id: "Variant", description: "One text of a mail step" });

// Steps are free-form objects, so properties that a caller added are returned too
const Step = z
  .looseObject({
    stepId: z.string(),
    order: count,
    type: z.enum(STEP_TYPES),
    delay: z.object({ value: count, unit: z.enum(DELAY_UNITS) }),
    threadMode: z.enum(THREAD_MODES),
    conditions: z.array(z.record(z.string(), z.unknown())),
    config: z.record(z.string(), z.unknown()),
    variants: z.array(Variant),
    winner: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Step", description: "One step of a sequence" });

const sequenceFields = { campaignId: z.string(), mode: z.enum(["DEFAULT", "VISUAL"]), version: count, steps: z.array(Step) };

export const Sequence = record(sequenceFields).meta({ id: "Sequence", description: "The steps of a campaign, in order" });

/** A sequence after an edit, with whom the edit could reach again. */
export const EditedSequence = record({
  ...sequenceFields,
  finishedReachable: nullable(count).describe(
    "How many recipients had completed the sequence (COMPLETED, SEQUENCE_FINISHED) and have an unsent step before them now. They get no mail unless recipients are resumed with `finished: true`. Whoever was suppressed since is counted, and not written to. Null when the sequence has branches and more than 2,000 recipients have finished",
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
    recipients: count,
    contacted: count,
    sent: count,
    delivered: count,
    opened: count,
    clicked: count,
    replied: count,
    autoReplied: count,
    positiveReplies: count,
    bounced: count,
    unsubscribed: count,
    complained: count,
    meetings: count,
    conversions: count,
    revenue: z.array(z.object({ currency: z.string(), amount: z.string() })),
    replyRate: z.number(),
    bounceRate: z.number(),
  })
  .meta({ id: "CampaignMetrics", description: "What a campaign has done and got back" });

export const SendingStatus = z
  .object({
    code: z.string(),
    since: time,
    nextSendAt: optionalTime,
    lastHealthySendAt: optionalTime,
    breakdown: z.record(z.string(), count),
  })
  .meta({ id: "SendingStatus", description: "Why a campaign sends or does not" });

/** A single read of a campaign, with its sending status, settings, sequence and metrics. */
export const CampaignInFull = record({
  ...fields,
  sendingStatus: SendingStatus,
  settings: SettingsRecord,
  sequence: Sequence,
  metrics: Metrics,
}).meta({ id: "CampaignInFull", description: "A campaign with its state, settings, sequence and figures" });

const Finding = z
  .object({ code: z.string(), message: z.string(), path: optionalText, details: z.record(z.string(), z.unknown()) })
  .meta({ id: "Finding", description: "Something that a check found" });

export const Validation = z
  .object({
    valid: z.boolean(),
    errors: z.array(Finding),
    warnings: z.array(Finding),
    summary: z.object({
      recipients: count.describe("All recipients of the campaign, those who have ended included"),
      open: count.describe("Recipients that may still be written to: PENDING, IN_PROGRESS or PAUSED"),
      steps: count.describe("Steps of the sequence"),
      variants: count.describe("Enabled variants of all steps"),
      mailboxes: count.describe("Mailboxes that the settings name, without disconnected ones"),
      version: count.describe("The campaign's version that this describes: what `control` takes as `expectedVersion`"),
      dailyCapacity: count.describe(
        "Mails that the campaign can send on its first sending day: the least of `dailyLimit`, the ramp, and what the mailboxes may send",
      ),
      firstSendAt: optionalTime.describe(
        "When the first mail would leave if the campaign were launched now. Null when nothing can be sent, or mails wait for approvals",
      ),
      expectedFinishAt: optionalTime.describe(
        "When the last mail would leave if nobody replied, bounced or was stopped; at the latest before `endAt`. Null when nothing can be sent, it would take more than ten years, or mails wait for approvals",
      ),
    }),
  })
  .meta({ id: "Validation", description: "Whether a campaign can be launched, and the launch card" });
export type FindingRecord = z.input<typeof Finding>;
export type Validation = z.input<typeof Validation>;
