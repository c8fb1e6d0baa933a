import { nouns, recordOf } from "./nouns.ts";

/**
 * Every error code that a caller can get, with its HTTP status. 400 means that the request has the wrong form; 422
 * means that it is well formed but cannot be carried out. The codes for ids that do not exist come from
 * `domain/nouns.ts`.
 */
export const STATUS_OF = {
  VALIDATION_FAILED: 400,
  MALFORMED_JSON: 400,
  TEMPLATE_INVALID: 400,
  FILTER_INVALID: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  PAGE_TOO_DEEP: 400,
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  STEP_UP_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  CROSS_SITE_REFUSED: 403,
  ROLE_NOT_ALLOWED: 403,
  PLAN_REQUIRED: 403,
  SENDING_NOT_ALLOWED: 403,
  EFFECT_NOT_ALLOWED: 403,
  WORKSPACE_SUSPENDED: 403,
  ADDRESS_NOT_CONFIRMED: 403,
  ...recordOf(nouns.flatMap((noun) => ("missing" in noun ? [[noun.missing.code, 404] as const] : []))),
  ROUTE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  VERSION_CONFLICT: 409,
  LEAD_ALREADY_EXISTS: 409,
  INVALID_STATE_TRANSITION: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  FIELD_KEY_TAKEN: 409,
  LAST_OWNER: 409,
  MEMBER_ALREADY_EXISTS: 409,
  INVITE_ALREADY_EXISTS: 409,
  PLAN_STALE: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MAILBOX_CONNECTION_FAILED: 422,
  CRM_CONNECTION_FAILED: 422,
  HOST_NOT_ALLOWED: 422,
  RECIPIENT_SUPPRESSED: 422,
  MISSING_VARIABLES: 422,
  CAMPAIGN_NOT_VALID: 422,
  SEQUENCE_NOT_LINEAR: 422,
  LIST_IS_DYNAMIC: 422,
  NO_SENDING_MAILBOX: 422,
  SHEET_UNREADABLE: 422,
  RENDER_LIMIT: 422,
  CREDITS_EXHAUSTED: 422,
  LIMIT_EXCEEDED: 422,
  SEND_BUDGET_EXCEEDED: 422,
  SEND_FAILED: 422,
  NOT_INBOUND: 422,
  WRONG_PASSWORD: 422,
  WRONG_CODE: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  PROVIDER_NOT_CONFIGURED: 503,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** The texts in the API reference for the codes of ids that do not exist. */
export const MISSING_TEXTS = recordOf(
  nouns.flatMap((noun) => ("missing" in noun ? [[noun.missing.code, noun.missing.says] as const] : [])),
);

/** One error in the input. `path` is dotted (`steps.0.subject`); `code` is upper-case. */
export interface Issue {
  path: string;
  code: string;
  message: string;
}

/** The one error class of the service. `message` and `details` are for the caller, `cause` is for the log. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, message: string, details?: Record<string, unknown>, options?: ErrorOptions) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUS_OF[this.code];
  }
}

/** The VALIDATION_FAILED error for one field. */
export function invalid(path: string, message: string, code = "INVALID"): AppError {
  const issue: Issue = { path, code, message };
  return new AppError("VALIDATION_FAILED", "The request is not valid", { issues: [issue] });
}

const CUT = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/**
 * Whether a connection broke, by Node's error codes. Sockets throw these errors, and the database driver passes them on
 * unchanged.
 */
export function isCut(err: unknown): boolean {
  return typeof err === "object" && err !== null && "code" in err && CUT.has(String(err.code));
}
