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
      .describe(`The type of conversion; exactly one of ${Object.entries(CONVERSION_TYPES).flat().join(", ")}`),
    event_id: z
      .string()
      .optional()
      .describe(
        "Your id for this event, at most 512 characters; a repeated id counts once. Default: made of address, type and day",
      ),
    occurred_at: z
      .string()
      .optional()
      .describe(
        "The time of the event: RFC 3339 with offset, or a date for 00:00 UTC; at most 5 minutes ahead. Default now",
      ),
    action_source: z.string().optional().describe("Where the event happened, in your words, at most 512 characters"),
    user_data: z
      .object({ em: z.string().describe("The SHA-256 of the person's address in lower case, as 64 hex digits") })
      .describe("The person who converted"),
    custom_data: z
      .object({
        value: z.number().optional().describe("The value, 0 to 1e12; 4 decimals are kept"),
        currency: z.string().optional().describe("The currency, three letters, ISO 4217"),
      })
      .optional()
      .describe("The value of the conversion"),
  })
  .meta({ id: "EmailConversionEvent", description: "A conversion of a person identified by the address" });

const Result = z
  .object({
    event_id: nullable(z.string()).describe(
      "The event's id, yours or the generated one; null if the event has no readable id",
    ),
    status: z.enum(CONVERSION_RESULTS).describe("The result for the event"),
    reason: nullable(z.enum(EMAIL_EVENT_REASONS)).describe("Why the event was rejected; null otherwise"),
  })
  .meta({ id: "EmailConversionResult", description: "The result for one reported event" });

export const reportConversions = operation({
  summary:
    "Report conversions by the hash of an address, only for experiments: they count for all recipients with that address admitted within the attribution window, including held-out ones. They change no counters and end no recipient's sequence",
  scope: "recipients:write",
  errors: ["PAYLOAD_TOO_LARGE"],
  input: z.strictObject({
    events: shownAs(z.array(z.unknown()), z.array(shownEvent)).describe(
      "The events, at most 1,000; each gets its own result",
    ),
  }),
  output: z.object({
    received: z.number().int().describe("All events of the batch, whatever the result"),
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
