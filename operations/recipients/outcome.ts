import { z } from "zod";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import type { Recipient as RecipientDocument, ReportedOutcome } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { noteLate, notePeople } from "../../store/changed-days.ts";
import { heedMeeting } from "../../store/inbox/meeting.ts";
import { campaignId } from "../campaigns/find.ts";
import { describedIds } from "../described-ids.ts";
import { changing, instant, namesAny } from "../fields.ts";
import { operation } from "../operation.ts";
import { Recipient } from "./record.ts";
import { forgetStats } from "./stats.ts";

const { recipientId } = describedIds;

const CURRENCIES = new Set(Intl.supportedValuesOf("currency"));

export const updateOutcome = operation({
  summary:
    "Record the outcome of a recipient: a meeting, revenue, notes. A meeting ends the sequence unless the campaign says otherwise",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "RECIPIENT_NOT_FOUND"],
  input: changing(
    z.strictObject({
      campaignId,
      recipientId,
      meetingBooked: z.boolean().optional().describe("Whether a meeting was booked"),
      meetingBookedAt: instant.nullable().optional().describe("When it was booked. Default now"),
      revenueAmount: z
        .string()
        .regex(/^\d{1,12}(\.\d{1,4})?$/, "must be an amount like 1200.50: up to 12 digits, and 4 after the point")
        .nullable()
        .optional()
        .describe("Revenue: up to 12 digits and 4 decimals"),
      revenueCurrency: z
        .string()
        .refine((code) => CURRENCIES.has(code), {
          message: "is not an ISO 4217 currency",
          params: { code: "UNKNOWN_CURRENCY" },
        })
        .nullable()
        .optional()
        .describe("The currency, ISO 4217; required with an amount"),
      outcomeNotes: z.string().max(5_000).nullable().optional().describe("Notes, at most 5,000 characters"),
    }),
    ({ meetingBooked, meetingBookedAt, revenueAmount, revenueCurrency, outcomeNotes }) =>
      namesAny({ meetingBooked, meetingBookedAt, revenueAmount, revenueCurrency, outcomeNotes }),
  ),
  needsOneOf: ["meetingBooked", "meetingBookedAt", "revenueAmount", "outcomeNotes"],
  output: Recipient,
  async run({ workspaceId, credentialId: actor }, { campaignId, recipientId, ...asked }) {
    return inTransaction(async () => {
      const campaign = await loadCampaign(workspaceId, campaignId);
      const { Recipient } = scoped(workspaceId);
      const before = await Recipient.findOne({ _id: recipientId, campaignId });
      if (before === null) throw new AppError("RECIPIENT_NOT_FOUND", "No recipient of this campaign has this id");
      const outcome = {
        ...outcomeOf(before, asked),
        reportedOutcome: reportedOf(before.reportedOutcome ?? null, asked),
      };
      await notePeople(workspaceId, [recipientId]);
      const after = await Recipient.findOneAndUpdate({ _id: recipientId }, { $set: outcome });
      await noteLate(workspaceId, campaignId, [outcome.meetingBookedAt, outcome.reportedOutcome?.at]);
      if (!before.meetingBooked && outcome.meetingBooked) {
        const mayEnd = await heedMeeting(before, settingsOf(campaign.settings), actor);
        if (mayEnd) forgetStats(campaignId);
      }
      return (await Recipient.get(recipientId)) ?? after ?? before;
    });
  },
});

type Asked = {
  [K in "meetingBooked" | "meetingBookedAt" | "revenueAmount" | "revenueCurrency" | "outcomeNotes"]?:
    | RecipientDocument[K]
    | undefined;
};

/**
 * The outcome after a change; absent fields stay unchanged. A meeting always has a time, an amount always has a
 * currency.
 */
function outcomeOf(before: RecipientDocument, asked: Asked) {
  const {
    meetingBooked = before.meetingBooked,
    revenueAmount = before.revenueAmount,
    outcomeNotes = before.outcomeNotes,
  } = asked;
  const { meetingBookedAt = before.meetingBookedAt, revenueCurrency = before.revenueCurrency } = asked;
  if (revenueAmount !== null && revenueCurrency === null)
    throw invalid("revenueCurrency", "is required with an amount", "REQUIRED");
  const at = meetingBooked ? (meetingBookedAt ?? new Date()) : null;
  return { meetingBooked, meetingBookedAt: at, revenueAmount, revenueCurrency, outcomeNotes };
}

/**
 * The outcome reported by this operation alone. Experiments compare recipients by it, because replies and conversions
 * exist only for contacted recipients. The first reported time is kept.
 */
function reportedOf(before: ReportedOutcome | null, asked: Asked): ReportedOutcome | null {
  const { meetingBooked, meetingBookedAt, revenueAmount, revenueCurrency } = asked;
  if (meetingBooked === undefined && revenueAmount === undefined) return before;
  return {
    meetingBooked: meetingBooked ?? before?.meetingBooked ?? false,
    revenueAmount: revenueAmount === undefined ? (before?.revenueAmount ?? null) : revenueAmount,
    revenueCurrency: revenueCurrency === undefined ? (before?.revenueCurrency ?? null) : revenueCurrency,
    at: before?.at ?? meetingBookedAt ?? new Date(),
  };
}
