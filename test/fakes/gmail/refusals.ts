/** An answer that is no success, with the body that Google sends. */
export class GmailRefusal extends Error {
  readonly status: number;
  /** JSON, except where Google's front end answers with a page. */
  readonly body: object | string;

  constructor(status: number, message: string, body: object | string) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

const STATUS: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  413: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};
const [GLOBAL, USAGE] = ["global", "usageLimits"];
/** The number of the project whose OAuth client asks. */
export const PROJECT_NUMBER = "123456789012";
const ACTIVATION = `https://console.developers.google.com/apis/api/gmail.googleapis.com/overview?project=${PROJECT_NUMBER}`;

/** The parts of an error that are not the same in all of them. */
interface Special {
  status?: string;
  /** The message of the entry under `errors` where it is another one. */
  entry?: string;
  more?: object;
  details?: object[];
}

function refusal(code: number, reason: string, domain: string, message: string, special: Special = {}): GmailRefusal {
  const { status = STATUS[code], entry = message, more, details } = special;
  const errors = [{ message: entry, domain, reason, ...more }];
  return new GmailRefusal(code, message, { error: { code, message, errors, status, ...(details && { details }) } });
}

function errorInfo(reason: string, metadata: object): object {
  const service = "gmail.googleapis.com";
  const type = "type.googleapis.com/google.rpc.ErrorInfo";
  return { "@type": type, reason, domain: "googleapis.com", metadata: { service, ...metadata } };
}

/** The units of a user and minute are used up. */
export function quotaExceeded(unitsPerMinute: number, code: 403 | 429 = 403): GmailRefusal {
  const message = `Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com' for consumer 'project_number:${PROJECT_NUMBER}'.`;
  const metadata = {
    quota_metric: "gmail.googleapis.com/default",
    quota_limit: "defaultPerMinutePerUser",
    quota_limit_value: String(unitsPerMinute),
    quota_location: "global",
    consumer: `projects/${PROJECT_NUMBER}`,
  };
  const details = [errorInfo("RATE_LIMIT_EXCEEDED", metadata)];
  return refusal(code, "rateLimitExceeded", USAGE, message, { details });
}

/** The mailbox has to cool down. The time stands in the text only; `cause` is such as "Mail sending". */
export function retryAfter(time: Date, cause?: string): GmailRefusal {
  const message = `User-rate limit exceeded.  Retry after ${time.toISOString()}${cause ? ` (${cause})` : ""}`;
  return refusal(429, "rateLimitExceeded", GLOBAL, message);
}

export const resourceExhausted = () =>
  refusal(429, "rateLimitExceeded", GLOBAL, "Resource has been exhausted (e.g. check quota).");

export const userRateLimitExceeded = (code: 403 | 429 = 403) =>
  refusal(code, "userRateLimitExceeded", USAGE, "User Rate Limit Exceeded");

export const dailyLimitExceeded = () => refusal(403, "dailyLimitExceeded", USAGE, "Daily Limit Exceeded");

export const domainPolicy = () =>
  refusal(403, "domainPolicy", GLOBAL, "The domain administrators have disabled Gmail apps.");

export function accessNotConfigured(): GmailRefusal {
  const message = `Gmail API has not been used in project ${PROJECT_NUMBER} before or it is disabled. Enable it by visiting ${ACTIVATION} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`;
  const details = [
    errorInfo("SERVICE_DISABLED", { consumer: `projects/${PROJECT_NUMBER}`, activationUrl: ACTIVATION }),
  ];
  const more = { extendedHelp: "https://console.developers.google.com" };
  return refusal(403, "accessNotConfigured", USAGE, message, { more, details });
}

export const insufficientScopes = (method = "messages.get") =>
  refusal(403, "insufficientPermissions", GLOBAL, "Request had insufficient authentication scopes.", {
    entry: "Insufficient Permission",
    details: [errorInfo("ACCESS_TOKEN_SCOPE_INSUFFICIENT", { method: `gmail.users.${method}` })],
  });

export const delegationDenied = (address: string) =>
  refusal(403, "forbidden", GLOBAL, `Delegation denied for ${address}`);

export const failedPrecondition = (message = "Mail service not enabled") =>
  refusal(400, "failedPrecondition", GLOBAL, message, { status: "FAILED_PRECONDITION" });

export const invalidArgument = (message: string) => refusal(400, "invalidArgument", GLOBAL, message);

export const authError = () =>
  refusal(
    401,
    "authError",
    GLOBAL,
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.",
    { entry: "Invalid Credentials", more: { location: "Authorization", locationType: "header" } },
  );

export const notFound = (message = "Requested entity was not found.") => refusal(404, "notFound", GLOBAL, message);

export const labelExists = () =>
  refusal(409, "aborted", GLOBAL, "Label name exists or conflicts", { status: "ABORTED" });

/** The text is assumed: no report of one was found. */
export const tooLarge = (mostBytes: number) =>
  refusal(413, "uploadTooLarge", GLOBAL, `Request payload size exceeds the limit: ${mostBytes} bytes.`);

export const internalError = () => refusal(500, "backendError", GLOBAL, "Internal error encountered.");

export const unavailable = () => refusal(503, "backendError", GLOBAL, "The service is currently unavailable.");

/** The front end answers, and not the API. */
export const badGateway = () =>
  new GmailRefusal(
    502,
    "Bad gateway",
    "<!DOCTYPE html>\n<html lang=en>\n  <title>Error 502 (Server Error)!!1</title>\n  <p>The server encountered a temporary error and could not complete your request.<p>Please try again in 30 seconds.\n",
  );
