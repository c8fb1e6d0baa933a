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
  status: z.enum(RECIPIENT_STATUSES).describe("The status of the recipient"),
  pauseReason: nullable(z.enum(RECIPIENT_PAUSE_REASONS)).describe("Why the recipient is PAUSED; null otherwise"),
  missingVariables: z
    .array(z.string())
    .default([])
    .describe("The variables that the lead lacks, while paused for MISSING_VARIABLE; else empty"),
  pausedUntil: optionalTime.describe("When the pause ends by itself"),
  stopReason: nullable(z.enum(STOP_REASONS)).describe("Why the recipient ended; null while open"),
  currentStepId: optionalText.describe("The last step that was sent"),
  nextStepId: optionalText.describe("The next step"),
  nextSendAt: optionalTime.describe("When the next step is sent, once booked"),
  mailboxId: nullable(mailboxId),
  threadId: nullable(threadId),
  timezone: optionalText.describe("The time zone of its days and hours"),
  variantByStep: z.record(z.string(), z.string()).describe("The variant chosen for each step"),
  sentCount: count.describe("Emails sent to it"),
  lastSentAt: optionalTime.describe("When the last one was sent"),
  openedAt: optionalTime.describe("When the recipient first opened an email"),
  clickedAt: optionalTime.describe("When the recipient first clicked a link"),
  repliedAt: optionalTime.describe("When the recipient first replied"),
  bouncedAt: optionalTime.describe("When an email bounced"),
  bounce: nullable(
    z.object({
      type: z.string().describe("HARD or SOFT"),
      reason: z.string().describe("The reason of the bounce"),
      code: optionalText.describe("The status code from the receiving server"),
      diagnostic: optionalText.describe("The text from the receiving server"),
    }),
  ).describe("Why an email bounced"),
  unsubscribedAt: optionalTime.describe("When the recipient unsubscribed"),
  cid: z.string().describe("The id of the recipient in conversion events"),
  meetingBooked: z.boolean().describe("Whether a meeting was booked"),
  meetingBookedAt: optionalTime.describe("When the meeting was booked"),
  revenueAmount: optionalText.describe("Revenue as a decimal number"),
  revenueCurrency: optionalText.describe("The currency of the revenue, ISO 4217"),
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
      "Recipients in each status",
    ),
  })
  .meta({ id: "RecipientStats", description: "How many recipients are in each status" });

/** The outcome for addresses that were added to a campaign. */
export const Added = z
  .object({
    added: count.describe("Recipients that were added"),
    alreadyPresent: count.describe("Addresses that were already in the campaign"),
    leadsCreated: count.describe("Leads that were created for new addresses"),
    skippedCount: count.describe("Addresses that were skipped"),
    skipped: z
      .array(
        z.object({
          email: z.string().describe("The address"),
          reason: z
            .enum(["INVALID", "SUPPRESSED", "BLOCK_LISTED", "IN_OTHER_CAMPAIGN"])
            .describe("Why the address was skipped"),
        }),
      )
      .describe("The skipped addresses, the first 1,000"),
    total: count.describe("Recipients of the campaign now"),
  })
  .meta({ id: "RecipientsAdded", description: "The result for each address that was added" });

/** The outcome of one change to many records (rules/states 1.7). */
export const Bulk = z
  .object({
    matched: count.describe("Records that were found"),
    changed: count.describe("Records that were changed"),
    notFound: z.array(z.string()).describe("Ids that match no record"),
    items: z
      .array(
        z.object({
          id: z.string().describe("The id of the record"),
          ok: z.boolean().describe("Whether it now has the requested state"),
          error: nullable(
            z.object({
              code: z.string().describe("An error code"),
              message: z.string().describe("The error as a sentence"),
            }),
          ).describe("Why the change failed"),
        }),
      )
      .describe("The result for each record"),
  })
  .meta({ id: "RecipientsChanged", description: "The result for each record to change" });
