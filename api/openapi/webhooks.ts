import { z } from "zod";
import { EVENTS } from "../../operations/webhooks/events.ts";
import type { Json } from "./json.ts";
import { type Components, component, schemaOf } from "./schemas.ts";

const DELIVERED =
  "Posted to every enabled subscription that names the event, or names none. Any 2xx within 15 seconds is a success; otherwise it is tried up to ten times in 8.5 hours, with the same bytes. The same event can arrive more than once and in any order: `X-Service-Delivery` tells a repetition.";

/** The `webhooks` of the document: the requests that this service posts to subscribers. */
export function webhooksOf(components: Components): Json {
  return Object.fromEntries(
    Object.entries(EVENTS).map(([event, { when, data, example }]) => [
      event,
      {
        post: {
          operationId: `webhook_${event.toLowerCase()}`,
          summary: when,
          description: DELIVERED,
          tags: ["Webhooks"],
          security: [],
          parameters: HEADERS.map((one) => ({
            in: "header",
            required: true,
            ...one,
            ...(one.name === "X-Service-Event" && eventOf(event)),
          })),
          requestBody: {
            required: true,
            content: {
              "application/json": { schema: bodyOf(event, data, components), examples: examplesOf(event, example) },
            },
          },
          responses: {
            "2XX": { description: "Received" },
            "4XX": { description: "Refused: the delivery is tried again" },
          },
        },
      },
    ]),
  );
}

function bodyOf(event: string, data: z.ZodObject, components: Components): Json {
  const body = z.object({
    event: z.literal(event).describe("The type of the event"),
    data: data.describe("The data of the event"),
    timestamp: z.iso
      .datetime()
      .describe("When the event happened, in UTC with milliseconds; the same in every attempt"),
  });
  const name = `${event[0]}${event.slice(1).toLowerCase()}Event`;
  return component(name, schemaOf(body, "input", components), components);
}

function examplesOf(event: string, data: Json): Json {
  return { [event]: { value: { event, data, timestamp: "2026-03-02T09:00:00.000Z" } } };
}

function eventOf(event: string): Json {
  return { schema: { const: event } };
}

const HEADERS = [
  { name: "X-Service-Event", description: "The type of the event", schema: { type: "string" } },
  {
    name: "X-Service-Signature",
    description:
      "`sha256=` and the hex HMAC-SHA256 of the body's exact bytes, keyed with the whole `signingSecret`. Compare in constant time",
    schema: { type: "string", pattern: "^sha256=[0-9a-f]{64}$" },
  },
  {
    name: "X-Service-Signature-Next",
    required: false,
    description: "The signature with the new secret, during a rotation: accept either",
    schema: { type: "string", pattern: "^sha256=[0-9a-f]{64}$" },
  },
  {
    name: "X-Service-Delivery",
    description: "The id of the delivery, the same in every attempt: `whd_…`",
    schema: { type: "string" },
  },
  {
    name: "X-Service-Timestamp",
    description: "When this attempt was made, in seconds since 1970",
    schema: { type: "integer" },
  },
  {
    name: "X-Service-Attempt",
    description: "Which attempt this is, 1 to 10",
    schema: { type: "integer", minimum: 1, maximum: 10 },
  },
];
