import type { NoReplyCause } from "../bounces/refusal.ts";
import type { AccessFault } from "../mailboxes/connection-error.ts";
import { HOUR_MS } from "../time/durations.ts";
import type { Trouble } from "./smtp-trouble.ts";

/**
 * Why a provider's API did not take an email. `expired`, `scope`, `policy`, `rights` and `off` concern the login;
 * `rate`, `project` and `limit` how much is sent; `invalid` and `tooLarge` this email; `away` is no answer.
 */
export type ApiFault =
  | "expired"
  | "scope"
  | "policy"
  | "rights"
  | "off"
  | "rate"
  | "project"
  | "limit"
  | "invalid"
  | "tooLarge"
  | "away";

/** Milliseconds from which a provider's wait is a limit of the day and not of the minute. */
export const LONG_WAIT_MS = HOUR_MS;

/**
 * The fault as the answer of a submission server with the same meaning, so that a mailbox is treated alike whatever its
 * transport (rules/sending 10.1). `reason`: the provider's own word for it, such as `ErrorSendAsDenied`. `access`: the
 * lost access that it shows, which is no wrong password.
 */
export function troubleOfApi(
  fault: ApiFault,
  {
    reason = null,
    waitMs = null,
    access = null,
  }: { reason?: string | null; waitMs?: number | null; access?: AccessFault | null },
  cause: NoReplyCause = "OTHER",
): Trouble {
  const answered = (stage: Trouble["stage"], code: number, enhanced: string): Trouble => ({
    stage,
    code,
    text: `${enhanced} ${reason ?? fault}`,
    cause: "OTHER",
  });
  if (access !== null) return { ...answered("AUTH", 535, "5.7.8"), access };
  switch (fault) {
    case "expired":
      return answered("AUTH", 454, "4.7.0");
    case "scope":
    case "policy":
    case "rights":
    case "off":
      return answered("AUTH", 535, "5.7.8");
    case "rate":
    case "project":
      return (waitMs ?? 0) >= LONG_WAIT_MS ? answered("MAIL", 550, "5.4.5") : answered("MAIL", 450, "4.7.28");
    case "limit":
      return answered("MAIL", 550, "5.4.5");
    case "invalid":
      return answered("DATA", 554, "5.6.0");
    case "tooLarge":
      return answered("DATA", 552, "5.3.4");
    case "away":
      return { stage: "CONNECT", code: null, text: "", cause };
  }
}
