import type { Issue } from "../../domain/errors.ts";

/** The API's error body. */
export interface ErrorBody {
  code: string;
  message: string;
  traceId?: string;
  details?: Record<string, unknown>;
}

/** HTTP statuses by which a proxy or the service reports that a server behind it does not respond. */
const AWAY: readonly number[] = [502, 503, 504];

/** An error answer of the service. Status 0 means that no answer arrived. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly traceId: string | undefined;
  readonly details: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;

  constructor(status: number, { code, message, traceId, details }: ErrorBody, retryAfterSeconds: number | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.traceId = traceId;
    this.details = details ?? {};
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether a retry may succeed. It is then unknown whether the first request took effect. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether the service, or a server that it needs, is unreachable. */
  get isAway(): boolean {
    return this.code === "UNREACHABLE" || (AWAY.includes(this.status) && this.code !== "PROVIDER_NOT_CONFIGURED");
  }

  /** Whether the database is the server that does not respond. */
  get isDatabaseAway(): boolean {
    return this.code === "SERVICE_UNAVAILABLE" && this.details["away"] === "DATABASE";
  }

  /** The error messages of fields. */
  get issues(): readonly Issue[] {
    const { issues } = this.details;
    return Array.isArray(issues) ? issues : [];
  }

  /** The error message of a field, or of something inside it. */
  issueAt(path: string): string | null {
    return this.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))?.message ?? null;
  }

  /** The refusal for a form whose fields are inside the field `outer` of the request. */
  within(outer: string): Refusal {
    const own = (path: string) => (path.startsWith(`${outer}.`) ? path.slice(outer.length + 1) : path);
    const issues = this.issues.map((issue) => ({ ...issue, path: own(issue.path) }));
    const { code, message, traceId, details } = this;
    const body = { code, message, ...(traceId !== undefined && { traceId }), details: { ...details, issues } };
    return new Refusal(this.status, body, this.retryAfterSeconds);
  }
}

/** The refusal in an error answer. `body` is what the answer contains, and `retryAfter` its header. */
export function refusalIn(status: number, body: unknown, retryAfter: string | null): Refusal {
  const wait = Number(retryAfter);
  return new Refusal(status, isError(body) ? body : UNREADABLE, wait > 0 ? wait : null);
}

/** The refusal where no answer arrived. */
export function unreachable(): Refusal {
  return new Refusal(0, { code: "UNREACHABLE", message: "The service does not answer" });
}

const UNREADABLE: ErrorBody = { code: "INTERNAL_ERROR", message: "The answer cannot be read" };

function isError(body: unknown): body is ErrorBody {
  return typeof body === "object" && body !== null && "code" in body && "message" in body;
}

/** Turns anything that was thrown into a refusal. */
export function refusalOf(err: unknown): Refusal {
  if (err instanceof Refusal) return err;
  return new Refusal(0, { code: "CONSOLE_ERROR", message: err instanceof Error ? err.message : String(err) });
}
