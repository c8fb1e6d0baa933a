import { type ErrorCode, STATUS_OF } from "../../domain/errors.ts";
import type { Choice } from "../../operations/choice.ts";
import type { Method } from "../../operations/declaration.ts";
import { type AnyOperation, isPlannable } from "../../operations/operation.ts";
import { ERROR_TEXTS } from "./error-texts.ts";
import { HEADERS_OF_ALL, headers } from "./headers.ts";
import type { Json } from "./json.ts";

/**
 * The error codes that this endpoint can return: those of every call, those of its fields, and those that its
 * operations declare.
 */
export function codesOf(method: Method, operation: AnyOperation | Choice): ErrorCode[] {
  const verbs: AnyOperation[] = "actions" in operation ? Object.values(operation.actions) : [operation];
  const takes = (name: string) => verbs.some(({ input }) => Object.hasOwn(input.shape, name));
  const codes: ErrorCode[] = [
    "VALIDATION_FAILED",
    "UNAUTHENTICATED",
    ...(verbs.some(({ scope }) => scope !== null) ? (["INSUFFICIENT_SCOPE"] as const) : []),
    ...(method === "get" || method === "delete" ? [] : OF_BODIES),
    ...(method === "get" || method === "delete" || verbs.every(({ file }) => file !== undefined)
      ? []
      : (["MALFORMED_JSON"] as const)),
    ...(method === "get" ? [] : OF_WRITES),
    ...(takes("pageSize") ? (["PAGE_TOO_DEEP"] as const) : []),
    ...(takes("idempotencyKey") ? (["IDEMPOTENCY_KEY_REQUIRED"] as const) : []),
    ...(verbs.some(isPlannable) ? OF_PLANS : []),
    ...(verbs.some(({ asksPermit, effects = {} }) => asksPermit || "SENDS" in effects) ? OF_SENDS : []),
    ...(verbs.some(({ effects = {} }) => Object.keys(effects).some((effect) => effect !== "SENDS")) ? OF_EFFECTS : []),
    ...verbs.flatMap(({ errors = [] }) => errors),
    "RATE_LIMITED",
    "SERVICE_UNAVAILABLE",
  ];
  return [...new Set(codes)];
}

const OF_BODIES = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const;
const OF_WRITES = ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_PROGRESS"] as const;

const OF_PLANS = ["PLAN_REQUIRED", "PLAN_STALE", "LIMIT_EXCEEDED"] as const;
const OF_BARS = ["WORKSPACE_SUSPENDED", "ADDRESS_NOT_CONFIRMED"] as const;
const OF_SENDS = ["SENDING_NOT_ALLOWED", ...OF_BARS, "SEND_BUDGET_EXCEEDED"] as const;
const OF_EFFECTS = ["EFFECT_NOT_ALLOWED", ...OF_BARS] as const;

/** One response for each status of these codes, with an example of each code. */
export function refusalsOf(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => STATUS_OF[code]);
  return Object.fromEntries(
    [...byStatus].sort(([one], [other]) => one - other).map(([status, of]) => [status, refusalOf(status, of)]),
  );
}

function refusalOf(status: number, codes: readonly ErrorCode[]): Json {
  const isBusy = status === STATUS_OF.RATE_LIMITED || status === STATUS_OF.SERVICE_UNAVAILABLE;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_TEXTS[code]}.`).join("\n\n"),
    headers: headers(...HEADERS_OF_ALL, ...(isBusy ? (["Retry-After"] as const) : [])),
    "x-codes": codes,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/ApiError" },
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: { code, message: plain(ERROR_TEXTS[code]), traceId: TRACE_ID } }]),
        ),
      },
    },
  };
}

const TRACE_ID = "01KA2M5W8X3Y6Z9B1C4D7F0G2H";

function plain(text: string): string {
  return text.replaceAll("`", "");
}
