import { randomUUID } from "node:crypto";

/** What a route answers. A body is JSON, or bytes of a mail. */
export interface GraphAnswer {
  status: number;
  body?: object | Buffer;
  headers?: Record<string, string>;
}

export type GraphRoute =
  | "user"
  | "create"
  | "get"
  | "list"
  | "patch"
  | "move"
  | "delete"
  | "send"
  | "sendMail"
  | "attach"
  | "createUploadSession"
  | "upload"
  | "folders"
  | "createFolder"
  | "delta"
  | "subscriptions";

/**
 * How a request fails. `lost` ends the connection without an answer. With `after` the request takes effect first, so
 * an error can stand for an email that was sent. It happens once, or as long as it stands.
 */
export interface GraphFault {
  on: GraphRoute | "any";
  answer: GraphAnswer | "lost";
  after?: boolean;
  standing?: boolean;
  mailbox?: string;
}

/** The errors of Outlook in Graph, with the status and the text that come with each code. */
const ERRORS = {
  InvalidAuthenticationToken: [401, "Lifetime validation failed, the token is expired."],
  ErrorSendAsDenied: [
    403,
    "The user account which was used to submit this request does not have the right to send mail on behalf of the specified sending account., Cannot submit message.",
  ],
  ErrorAccessDenied: [403, "Access is denied. Check credentials and try again."],
  Authorization_RequestDenied: [403, "Insufficient privileges to complete the operation."],
  MailboxNotEnabledForRESTAPI: [404, "The mailbox is either inactive, soft-deleted, or is hosted on-premise."],
  ErrorMailboxNotEnabledForRESTAPI: [403, "REST API is not yet supported for this mailbox."],
  ErrorExceededMessageLimit: [403, "The sender has exceeded the message limit."],
  ErrorQuotaExceeded: [429, "Mailbox has exceeded maximum mailbox size."],
  ErrorMessageSizeExceeded: [413, "The message exceeds the maximum supported size."],
  ErrorInvalidRecipients: [400, "At least one recipient is not valid."],
  ErrorNonExistentMailbox: [404, "The SMTP address has no mailbox associated with it."],
  ErrorItemNotFound: [404, "The specified object was not found in the store."],
  ErrorInvalidIdMalformed: [400, "Id is malformed."],
  ErrorFolderExists: [409, "A folder with the specified name already exists."],
  ErrorIrresolvableConflict: [
    409,
    "The send or update operation could not be performed because the change key passed in the request does not match the current change key for the item.",
  ],
  ErrorInvalidRequest: [400, "The request is invalid."],
  ErrorAttachmentSizeShouldNotBeLessThanMinimumSize: [400, "Attachment size should not be less than the minimum size."],
  ErrorMimeContentInvalidBase64String: [400, "Invalid base64 string for MIME content."],
  ErrorInvalidUser: [404, "The requested user is invalid."],
  ErrorInvalidUrlQuery: [400, "The query is not supported."],
  ErrorInvalidParameter: [400, "A parameter is not valid."],
  InefficientFilter: [400, "The restriction or sort order is too complex for this operation."],
  InvalidInternetMessageHeader: [400, "The internet message header name should start with 'x-' or 'X-'."],
  InvalidInternetMessageHeaderCollection: [
    400,
    "Maximum number of headers in one message should be less than or equal to 5.",
  ],
  SyncStateNotFound: [410, "The sync state generation is not found; generation=149;[highest=157][157][155][156]."],
  ResourceNotFound: [404, "The object was not found."],
  Request_ResourceNotFound: [
    404,
    "Resource does not exist or one of its queried reference-property objects are not present.",
  ],
  ExtensionError: [400, "Operation: Create; Exception: [Status Code: BadRequest; Reason: Bad Request]"],
  ValidationError: [400, "Subscription validation request failed."],
  InvalidRequest: [400, "The request is not valid."],
  BadRequest: [400, "Resource not found for the segment."],
  ApplicationThrottled: [429, "Application is over its MailboxConcurrency limit."],
  CommandConcurrencyLimitReached: [503, "The concurrent command limit was reached."],
  ErrorInternalServerError: [500, "An internal server error occurred. The operation failed., Cannot submit message."],
  ServiceUnavailable: [503, "The server is busy. Please try again later."],
  UnknownError: [504, ""],
} as const satisfies Record<string, readonly [number, string]>;
export type GraphErrorCode = keyof typeof ERRORS;

/** The answer with the error body of Graph. */
export function refuse(
  code: GraphErrorCode,
  { message, status, retryAfter }: { message?: string; status?: number; retryAfter?: number } = {},
): GraphAnswer {
  const [usualStatus, usualMessage] = ERRORS[code];
  const id = randomUUID();
  const innerError = { date: new Date().toISOString().slice(0, 19), "request-id": id, "client-request-id": id };
  return {
    status: status ?? usualStatus,
    body: { error: { code, message: message ?? usualMessage, innerError } },
    ...(retryAfter !== undefined && { headers: { "Retry-After": String(retryAfter) } }),
  };
}

/** The faults that wait for a request, in the order in which they were set. */
export function faultList() {
  let faults: GraphFault[] = [];
  return {
    set: (fault: GraphFault) => void faults.push(fault),
    clear: () => {
      faults = [];
    },
    /** The first that fits; it is used up unless it stands. */
    take(route: GraphRoute, mailbox: string): GraphFault | undefined {
      const fault = faults.find(
        ({ on, mailbox: only = mailbox }) => (on === "any" || on === route) && only.toLowerCase() === mailbox,
      );
      if (fault !== undefined && !fault.standing) faults = faults.filter((each) => each !== fault);
      return fault;
    },
  };
}
