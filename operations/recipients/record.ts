import { z } from "zod";
import { RECIPIENT_PAUSE_REASONS, RECIPIENT_STATUSES, STOP_REASONS } from "../../domain/states.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record } from "../fields.ts";
import { shownAs } from "../shown-as.ts";

const { campaignId, leadId, mailboxId, threadId } = describedIds;

const optionalText = nullable(z.string());
const count = z.number().int();

/** The recipient as the API shows it (rules/states 1.5). */
export const Recipient = record({
  campaignId,
  leadId,
  email: z.string().describe("The address of the recipient"),
  status: z.enum(RECIPIENT_STATUSES).describe("Where the recipient is"),
  pauseReason: nullable(z.enum(RECIPIENT_PAUSE_REASONS)).describe("Why it is PAUSED; null otherwise"),
  missingVariables: z
    .array(z.string())
    .default([])
    .describe("The variables that its lead lacks while it is paused for MISSING_VARIABLE; else empty"),
  pausedUntil: optionalTime.describe("When the pause ends by itself"),
  stopReason: nullable(z.enum(STOP_REASONS)).describe("Why it ended; null while it is open"),
  currentStepId: optionalText.describe("The step that was sent last"),
  nextStepId: optionalText.describe("The step that is next"),
  nextSendAt: optionalTime.describe("When it is sent, once it is booked"),
  mailboxId: nullable(mailboxId),
  threadId: nullable(threadId),
  timezone: optionalText.describe("The zone in which its days and hours are read"),
  variantByStep: z.record(z.string(), z.string()).describe("The variant that was drawn for each step"),
  sentCount: count.describe("Emails sent to it"),
  lastSentAt: optionalTime.describe("When the last one was sent"),
  openedAt: optionalTime.describe("When it first opened one"),
  clickedAt: optionalTime.describe("When it first followed a link"),
  repliedAt: optionalTime.describe("When it first answered"),
  bouncedAt: optionalTime.describe("When an email bounced"),
  bounce: nullable(
    z.object({
      type: z.string().describe("HARD or SOFT"),
      reason: z.string().describe("What was wrong"),
      code: optionalText.describe("The status code of the other server"),
      diagnostic: optionalText.describe("The words of the other server"),
    }),
  ).describe("Why an email bounced"),
  unsubscribedAt: optionalTime.describe("When it unsubscribed"),
  cid: z.string().describe("The id that conversions use for it"),
  meetingBooked: z.boolean().describe("Whether a meeting was booked"),
  meetingBookedAt: optionalTime.describe("When"),
  revenueAmount: optionalText.describe("Revenue as a decimal number"),
  revenueCurrency: optionalText.describe("Its currency, ISO 4217"),
  outcomeNotes: optionalText.describe("Notes on the outcome"),
}).meta({ id: "Recipient", description: "The membership of a lead in a campaign" });

const COUNTS = Object.fromEntries(
  RECIPIENT_STATUSES.map((status) => [status, count.describe(`Recipients that are ${status}`)]),
);

export const Stats = z
  .object({
    campaignId,
    total: count.describe("All recipients"),
    byStatus: shownAs(z.record(z.enum(RECIPIENT_STATUSES), count), z.object(COUNTS)).describe(
      "How many are in each status",
    ),
  })
  .meta({ id: "RecipientStats", description: "How many recipients are in each status" });

/** The outcome for addresses that were added to a campaign. */
export const Added = z
  .object({
    added: count.describe("Recipients that were added"),
    alreadyPresent: count.describe("Addresses that were there already"),
    leadsCreated: count.describe("Leads that were made for new addresses"),
    skippedCount: count.describe("Addresses that were left out"),
    skipped: z
      .array(
        z.object({
          email: z.string().describe("The address"),
          reason: z
            .enum(["INVALID", "SUPPRESSED", "BLOCK_LISTED", "IN_OTHER_CAMPAIGN"])
            .describe("Why it was left out"),
        }),
      )
      .describe("Which, and why: the first 1,000"),
    total: count.describe("Recipients of the campaign now"),
  })
  .meta({ id: "RecipientsAdded", description: "The result for each address that was added" });

/** The outcome of one change to many records (rules/states 1.7). */
export const Bulk = z
  .object({
    matched: count.describe("Records that were found"),
    changed: count.describe("Records that were changed"),
    notFound: z.array(z.string()).describe("Ids that do not exist here"),
    items: z
      .array(
        z.object({
          id: z.string().describe("Which one"),
          ok: z.boolean().describe("Whether it now has the requested state"),
          error: nullable(
            z.object({
              code: z.string().describe("An error code"),
              message: z.string().describe("The same as a sentence"),
            }),
          ).describe("Why not"),
        }),
      )
      .describe("The result for each"),
  })
  .meta({ id: "RecipientsChanged", description: "The result for each record to change" });
