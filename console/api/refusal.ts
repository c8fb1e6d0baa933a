import type { Issue } from "../../domain/errors.ts";

/** The interface's ApiError as it arrives. */
export interface ErrorBody {
  code: string;
  message: string;
  traceId?: string;
  details?: Record<string, unknown>;
}

/** Statuses of whoever stands between, and of the service itself, while no one answers behind them. */
const AWAY: readonly number[] = [502, 503, 504];

/** An answer of the service that is no success, or, with status 0, none at all. */
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

  /** Whether the same request may succeed in a moment, and no one knows whether it had its effect. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }

  /** Whether the service, or something that it needs, is out of reach for now. */
  get isAway(): boolean {
    return this.code === "UNREACHABLE" || (AWAY.includes(this.status) && this.code !== "PROVIDER_NOT_CONFIGURED");
  }

  /** Whether it is the database that does not respond. */
  get isDatabaseAway(): boolean {
    return this.code === "SERVICE_UNAVAILABLE" && this.details["away"] === "DATABASE";
  }

  /** What is wrong with each field. */
  get issues(): readonly Issue[] {
    const { issues } = this.details;
    return Array.isArray(issues) ? issues : [];
  }

  /** What is wrong with one field, or with something inside it. */
  issueAt(path: string): string | null {
    return this.issues.find((issue) => issue.path === path || issue.path.startsWith(`${path}.`))?.message ?? null;
  }
}

/** Whatever was thrown, as a refusal. */
export function refusalOf(err: unknown): Refusal {
  if (err instanceof Refusal) return err;
  return new Refusal(0, { code: "CONSOLE_ERROR", message: err instanceof Error ? err.message : String(err) });
}
