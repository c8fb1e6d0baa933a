/**
 * Every error code that a caller can meet, with its HTTP status. 400 means that the request has the wrong form; 422 means that it is well
 * formed but cannot be carried out.
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
  CAMPAIGN_NOT_FOUND: 404,
  STEP_NOT_FOUND: 404,
  VARIANT_NOT_FOUND: 404,
  RECIPIENT_NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  SEND_NOT_FOUND: 404,
  LEAD_NOT_FOUND: 404,
  NOTE_NOT_FOUND: 404,
  MEMBER_NOT_FOUND: 404,
  INVITE_NOT_FOUND: 404,
  WORKSPACE_NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  KEY_NOT_FOUND: 404,
  CONNECTION_NOT_FOUND: 404,
  LIST_NOT_FOUND: 404,
  SEGMENT_NOT_FOUND: 404,
  FIELD_NOT_FOUND: 404,
  DEAL_NOT_FOUND: 404,
  BLOCK_LIST_ENTRY_NOT_FOUND: 404,
  MAILBOX_NOT_FOUND: 404,
  ENROLMENT_NOT_FOUND: 404,
  POOL_NOT_FOUND: 404,
  THREAD_NOT_FOUND: 404,
  MESSAGE_NOT_FOUND: 404,
  ATTACHMENT_NOT_FOUND: 404,
  SCHEDULED_REPLY_NOT_FOUND: 404,
  APPROVAL_NOT_FOUND: 404,
  PROMISE_NOT_FOUND: 404,
  ALERT_NOT_FOUND: 404,
  TEST_NOT_FOUND: 404,
  SCHEDULE_NOT_FOUND: 404,
  PROSPECT_NOT_FOUND: 404,
  SAVED_SEARCH_NOT_FOUND: 404,
  JOB_NOT_FOUND: 404,
  WEBHOOK_NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
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

/** What is wrong at one place of the input. `path` is dotted (`steps.0.subject`); `code` is upper-case. */
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

/** The refusal of one field, in the form that every validation error has. */
export function invalid(path: string, message: string, code = "INVALID"): AppError {
  const issue: Issue = { path, code, message };
  return new AppError("VALIDATION_FAILED", "The request is not valid", { issues: [issue] });
}

const CUT = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT"]);

/**
 * Whether a connection broke, by Node's error codes. Sockets throw them, and the database driver passes them on without a class of its own.
 */
export function isCut(err: unknown): boolean {
  return typeof err === "object" && err !== null && "code" in err && CUT.has(String(err.code));
}
