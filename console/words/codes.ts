import type { ErrorCode } from "../../domain/errors.ts";
import type { Refusal } from "../api/refusal.ts";

/** What an error means to whoever reads the page, where the service's own message is for whoever writes a program. */
const SENTENCES: Partial<Record<ErrorCode | "UNREACHABLE" | "CONSOLE_ERROR", string>> = {
  UNREACHABLE: "The service does not answer. It may be restarting, or you are offline; this page tries again by itself.",
  UNAUTHENTICATED: "You are not signed in any more.",
  STEP_UP_REQUIRED: "This needs your password once more, and it was not given.",
  SECOND_FACTOR_REQUIRED: "This workspace lets in only who has a second factor: set one up first.",
  CROSS_SITE_REFUSED: "The service was reached by another name than its own: open it at the address that its operator set (PUBLIC_URL).",
  WORKSPACE_NOT_FOUND: "You are not a member of this workspace, or it is gone.",
  VERSION_CONFLICT: "Somebody changed this meanwhile. What you see is the new state: look at it, then try again.",
  PLAN_STALE: "Something changed since this was shown. It is shown anew: look at it, then decide.",
  IDEMPOTENCY_IN_PROGRESS: "This is being done already. Wait a moment, then look again.",
  PAGE_TOO_DEEP: "So far back nothing can be paged through: narrow the filter.",
  INTERNAL_ERROR: "Something went wrong in the service. Its log has more by the trace below.",
  SERVICE_UNAVAILABLE: "The database does not answer at the moment. Nothing is lost; try again.",
  CONSOLE_ERROR: "Something went wrong in this page.",
};

/** The sentence of a refusal: ours where there is one, else the service's own. */
export function sentenceOf({ code, message }: Refusal): string {
  const known: Readonly<Record<string, string>> = SENTENCES;
  return known[code] ?? `${message}.`;
}
