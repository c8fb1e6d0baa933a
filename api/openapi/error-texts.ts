import { type ErrorCode, MISSING_TEXTS } from "../../domain/errors.ts";

/** What each error code says to a caller, and what they may do. The reference is written from it. */
export const ERROR_TEXTS: Record<ErrorCode, string> = {
  VALIDATION_FAILED: "The request has the wrong shape; `details.issues` names each place `{path, code, message}`",
  MALFORMED_JSON: "The body is not JSON",
  TEMPLATE_INVALID: "A text does not parse as a template; `details` has `path`, `line` and `column`",
  FILTER_INVALID: "A filter of leads does not hold; `details.issues` names each place",
  IDEMPOTENCY_KEY_REQUIRED: "This call may send a mail, so it needs an `idempotencyKey`",
  PAGE_TOO_DEEP: "Only the first 100,000 entries of a list can be paged through: narrow the filter",
  UNAUTHENTICATED: "The API key is missing, unknown, expired or revoked",
  INSUFFICIENT_SCOPE: "The key lacks the scope that `details.requiredScope` names",
  STEP_UP_REQUIRED: "A person must give the password again before this: `POST /session/confirm`, good for ten minutes",
  SECOND_FACTOR_REQUIRED: "The workspace demands a second factor of its members, and this person has none yet",
  CROSS_SITE_REFUSED: "The request of a browser came from another site, or lacks `X-Console: 1`",
  ROLE_NOT_ALLOWED: "Your role may not give or take this role",
  LAST_OWNER: "A workspace keeps an owner: make another member one first",
  MEMBER_ALREADY_EXISTS: "The person is a member already",
  INVITE_ALREADY_EXISTS: "The address has an open invite; `resend` makes a new link for it",
  WRONG_PASSWORD: "The password is not right",
  WRONG_CODE: "The code or passkey is not right, or was used already",
  PLAN_REQUIRED: "This credential does only what a plan showed: ask with `planOnly`, then send the `planToken` along",
  EFFECT_NOT_ALLOWED:
    "This credential may not cause what the call would: `details.effect` is CHANGES_SENDING, DISCLOSES or DESTROYS",
  SENDING_NOT_ALLOWED:
    "This credential may not put this mail on the wire, or not decide about it; `details.reason` says why",
  ...MISSING_TEXTS,
  ROUTE_NOT_FOUND: "There is no endpoint at this address",
  METHOD_NOT_ALLOWED: "The address exists, but not with this method; `Allow` names those it takes",
  VERSION_CONFLICT: "The record has changed since it was read; `details.currentVersion` is its version now",
  LEAD_ALREADY_EXISTS: "A lead with this address exists; `details.leadId` is its id",
  INVALID_STATE_TRANSITION: "The record is in a state in which it cannot do this; `details` has `from` and `action`",
  IDEMPOTENCY_KEY_REUSED: "The key was used for another request within the last 24 hours",
  IDEMPOTENCY_IN_PROGRESS: "The first request with this key is still running: ask again in a moment",
  FIELD_KEY_TAKEN: "Another custom field has this key",
  PLAN_STALE:
    "What would be done is not what the plan showed, so nothing was done; `details` has the new `plan` and `planToken`",
  PAYLOAD_TOO_LARGE: "The body is larger than this endpoint accepts",
  URI_TOO_LONG: "The address is longer than the service reads",
  UNSUPPORTED_MEDIA_TYPE: "The body is not of the content type that this endpoint reads, or it is compressed",
  MAILBOX_CONNECTION_FAILED:
    "The mailbox's servers could not be used; `details.smtp` and `details.imap` say which and why",
  CRM_CONNECTION_FAILED:
    "The CRM refused the connection, or it needs a person to connect it again; the message says which",
  HOST_NOT_ALLOWED:
    "The service does not connect to this place; `details` has `host`, `port`, `reason` and what `EGRESS_ALLOW` would name",
  RECIPIENT_SUPPRESSED: "The address is suppressed or blocked, so nothing is sent to it",
  MISSING_VARIABLES: "The text needs variables that the lead does not have; `details.names` lists them",
  CAMPAIGN_NOT_VALID: "The campaign cannot run as it is; `details.validation` is the answer of validate",
  SEQUENCE_NOT_LINEAR: "The sequence would need the mode VISUAL",
  LIST_IS_DYNAMIC: "The members of a DYNAMIC list follow from its filter and are not edited",
  NO_SENDING_MAILBOX: "The campaign has no mailbox that could send this",
  SHEET_UNREADABLE: "The spreadsheet cannot be read",
  RENDER_LIMIT: "The text takes too long, or grows too large, when it is rendered",
  CREDITS_EXHAUSTED: "No credits are left for this",
  LIMIT_EXCEEDED: "The workspace has as many of these as it may; `details.limit` is the number",
  SEND_BUDGET_EXCEEDED:
    "It would cost more mails than the credential's budget of today has left: `details` has `left` and `asked`",
  SEND_FAILED:
    "The mail was not accepted; `details` has `reason`, and the `code` and `text` of a server that refused it",
  NOT_INBOUND: "Only a message that came in can be answered or categorised",
  RATE_LIMITED: "Too many requests: wait as long as `Retry-After` says",
  INTERNAL_ERROR: "Something went wrong on our side; the trace id leads to it in the log",
  PROVIDER_NOT_CONFIGURED: "The service was started without what this provider needs",
  SERVICE_UNAVAILABLE: "The database, the workflow engine or a provider did not answer: try again after `Retry-After`",
};
