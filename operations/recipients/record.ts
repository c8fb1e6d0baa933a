import { z } from "zod";
import { RECIPIENT_PAUSE_REASONS, RECIPIENT_STATUSES, STOP_REASONS } from "../../domain/states.ts";
import { nullable, optionalTime, record } from "../fields.ts";

const optionalText = nullable(z.string());
const count = z.number().int();

/** The recipient of the interface (rules/states 1.5). */
export const Recipient = record({
  campaignId: z.string(),
  leadId: z.string(),
  email: z.string(),
  status: z.enum(RECIPIENT_STATUSES),
  pauseReason: nullable(z.enum(RECIPIENT_PAUSE_REASONS)),
  pausedUntil: optionalTime,
  stopReason: nullable(z.enum(STOP_REASONS)),
  currentStepId: optionalText,
  nextStepId: optionalText,
  nextSendAt: optionalTime,
  mailboxId: optionalText,
  threadId: optionalText,
  timezone: optionalText,
  variantByStep: z.record(z.string(), z.string()),
  sentCount: count,
  lastSentAt: optionalTime,
  openedAt: optionalTime,
  clickedAt: optionalTime,
  repliedAt: optionalTime,
  bouncedAt: optionalTime,
  bounce: nullable(z.object({ type: z.string(), reason: z.string(), code: optionalText, diagnostic: optionalText })),
  unsubscribedAt: optionalTime,
  cid: z.string(),
  meetingBooked: z.boolean(),
  meetingBookedAt: optionalTime,
  revenueAmount: optionalText,
  revenueCurrency: optionalText,
  outcomeNotes: optionalText,
}).meta({ id: "Recipient", description: "The membership of a lead in a campaign" });

export const Stats = z
  .object({
    campaignId: z.string(),
    total: count,
    byStatus: z.record(z.enum(RECIPIENT_STATUSES), count),
  })
  .meta({ id: "RecipientStats", description: "How many recipients are in each status" });

/** The outcome for addresses that were added to a campaign. */
export const Added = z
  .object({
    added: count,
    alreadyPresent: count,
    leadsCreated: count,
    skippedCount: count,
    skipped: z.array(z.object({ email: z.string(), reason: z.enum(["INVALID", "SUPPRESSED", "BLOCK_LISTED", "IN_OTHER_CAMPAIGN"]) })),
    total: count,
  })
  .meta({ id: "RecipientsAdded", description: "What became of addresses that were added" });

/** The outcome of one change to many records (rules/states 1.7). */
export const Bulk = z
  .object({
    matched: count,
    changed: count,
    notFound: z.array(z.string()),
    items: z.array(z.object({ id: z.string(), ok: z.boolean(), error: nullable(z.object({ code: z.string(), message: z.string() })) })),
  })
  .meta({ id: "RecipientsChanged", description: "What became of each record that was to be changed" });
