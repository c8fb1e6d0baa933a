import type { Json } from "./json.ts";

/** The headers of responses, by name. */
export const HEADERS = {
  "X-Trace-Id": {
    description: "The id of this request in the service's log; errors have it as `traceId`",
    schema: { type: "string" },
  },
  "RateLimit-Limit": {
    description: "The most requests that the key can make in a minute",
    schema: { type: "integer", examples: [600] },
  },
  "RateLimit-Remaining": {
    description: "Requests left in this minute",
    schema: { type: "integer", examples: [599] },
  },
  "RateLimit-Reset": { description: "Seconds until this minute ends", schema: { type: "integer", examples: [42] } },
  "Idempotency-Replayed": {
    description:
      "`true` if this is the stored response to an earlier request with the same `Idempotency-Key`; absent otherwise",
    schema: { type: "string", enum: ["true"] },
  },
  "Retry-After": {
    description: "Seconds to wait before you repeat the request",
    schema: { type: "integer", examples: [5] },
  },
} as const satisfies Record<string, Json>;

type Header = keyof typeof HEADERS;

export const HEADERS_OF_ALL = ["X-Trace-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/** References to these headers. */
export function headers(...names: Header[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
