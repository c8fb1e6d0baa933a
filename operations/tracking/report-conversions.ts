import { z } from "zod";
import { CONVERSION_RESULTS, CONVERSION_TYPES } from "../../domain/conversions.ts";
import { AppError } from "../../domain/errors.ts";
import { EMAIL_EVENT_REASONS } from "../../domain/tracking/email-event.ts";
import { recordEmailConversions } from "../../store/tracking/email-conversions.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import { shownAs } from "../shown-as.ts";

const MOST_EVENTS = 1_000;

const shownEvent = z
  .object({
    event_name: z
      .string()
      .describe(`What happened; exactly one of ${Object.entries(CONVERSION_TYPES).flat().join(", ")}`),
    event_id: z
      .string()
      .optional()
      .describe(
        "Your name for this event, at most 512 characters: the same one twice counts once. Default: made of address, type and day",
      ),
    occurred_at: z
      .string()
      .optional()
      .describe(
        "When it happened, RFC 3339 with its offset, or a date for 00:00 UTC; at most 5 minutes ahead. Default now",
      ),
    action_source: z.string().optional().describe("Where it happened, in your own words, at most 512 characters"),
    user_data: z
      .object({ em: z.string().describe("The SHA-256 of the person's address in lower case, as 64 digits of base 16") })
      .describe("Who did it"),
    custom_data: z
      .object({
        value: z.number().optional().describe("What was bought for, 0 to 1e12; 4 digits after the point are kept"),
        currency: z.string().optional().describe("Its currency, three letters, ISO 4217"),
      })
      .optional()
      .describe("What it was worth"),
  })
  .meta({ id: "EmailConversionEvent", description: "A conversion of a person who is known by the address" });

const Result = z
  .object({
    event_id: nullable(z.string()).describe(
      "The event's id, yours or the one that was made; null where it had none that could be read",
    ),
    status: z.enum(CONVERSION_RESULTS).describe("The result for the event"),
    reason: nullable(z.enum(EMAIL_EVENT_REASONS)).describe("Why it was rejected; null otherwise"),
  })
  .meta({ id: "EmailConversionResult", description: "The result for one reported event" });

export const reportConversions = operation({
  summary:
    "Report conversions by the hash of an address, only for experiments: they count for everyone with that address who was admitted within the attribution window, held-out people too. They move no counter and stop no one",
  scope: "recipients:write",
  errors: ["PAYLOAD_TOO_LARGE"],
  input: z.strictObject({
    events: shownAs(z.array(z.unknown()), z.array(shownEvent)).describe(
      "The events, at most 1,000; each gets a result of its own",
    ),
  }),
  output: z.object({
    received: z.number().int().describe("Events of the batch, whatever their result"),
    results: z.array(Result).describe("The result for each, in the order of the batch"),
  }),
  async run({ workspaceId }, { events }) {
    if (events.length > MOST_EVENTS) {
      throw new AppError("PAYLOAD_TOO_LARGE", `A batch must have at most ${MOST_EVENTS} events`, {
        limit: MOST_EVENTS,
      });
    }
    const results = await recordEmailConversions(workspaceId, events, new Date());
    return {
      received: events.length,
      results: results.map(({ eventId, status, reason }) => ({ event_id: eventId, status, reason })),
    };
  },
});
