import type { AccessFault } from "../domain/mailboxes/connection-error.ts";

/** What a token endpoint answered instead of a token (RFC 6749 5.2). */
export interface TokenAnswer {
  status: number;
  error: string;
  /** Microsoft's code stands in it, such as `AADSTS7000222: The provided client secret keys are expired`. */
  description: string;
  /** Google's reason of an `invalid_grant`, such as `invalid_rapt`; empty without one. */
  subtype: string;
}

/**
 * `revoked`: the provider no longer accepts the consent or the code. `unavailable`: the same request may succeed later.
 * `access` is the cause in our words; null when the answer says nothing about the access.
 */
export interface TokenRefusal {
  kind: "revoked" | "unavailable";
  access: AccessFault | null;
}

/** Errors that end a consent, as both providers write them. */
const ENDED = ["invalid_grant", "interaction_required", "consent_required", "login_required", "admin_policy_enforced"];
/** The error codes of RFC 6749 5.2 for a wrong client id or secret. */
const CLIENT_ERRORS = ["invalid_client", "unauthorized_client", "deleted_client"];

/** Microsoft's codes, for which the `error` beside them says too little. */
const BY_CODE: Readonly<Record<number, AccessFault>> = {
  50173: "PASSWORD_CHANGED",
  65001: "ADMIN_APPROVAL",
  90094: "ADMIN_APPROVAL",
  90095: "ADMIN_APPROVAL",
  50057: "ADMIN_POLICY",
  50076: "ADMIN_POLICY",
  50079: "ADMIN_POLICY",
  50105: "ADMIN_POLICY",
  50158: "ADMIN_POLICY",
  53000: "ADMIN_POLICY",
  53001: "ADMIN_POLICY",
  53002: "ADMIN_POLICY",
  53003: "ADMIN_POLICY",
  70043: "ADMIN_POLICY",
  530003: "ADMIN_POLICY",
  7000112: "ADMIN_POLICY",
  7000215: "CLIENT_REFUSED",
  7000222: "CLIENT_REFUSED",
};
/** Codes of a service that is busy: a request loop, a temporary error, a throttled tenant. */
const BUSY = [50_196, 90_033, 90_055];
/**
 * The organisation does not know the app: its admin has removed it, or the client id is wrong. The consent may hold
 * again, so it is kept.
 */
const UNKNOWN_APP = 700_016;

/** Reads the answer of a token endpoint. One that is busy or down says nothing about the credentials. */
export function readTokenRefusal({ status, error, description, subtype }: TokenAnswer): TokenRefusal {
  const code = microsoftCode(description);
  if (status === 429 || status >= 500 || (code !== null && BUSY.includes(code)))
    return { kind: "unavailable", access: null };
  if (code === UNKNOWN_APP) return { kind: "unavailable", access: "ACCESS_DENIED" };
  const access = code === null ? null : (BY_CODE[code] ?? null);
  if (access === "CLIENT_REFUSED" || (access === null && CLIENT_ERRORS.includes(error)))
    return { kind: "unavailable", access: "CLIENT_REFUSED" };
  if (access !== null) return { kind: "revoked", access };
  if (!ENDED.includes(error)) return { kind: "unavailable", access: null };
  if (error === "admin_policy_enforced" || subtype === "invalid_rapt")
    return { kind: "revoked", access: "ADMIN_POLICY" };
  if (/changed or reset their password/i.test(description)) return { kind: "revoked", access: "PASSWORD_CHANGED" };
  return { kind: "revoked", access: error === "consent_required" ? "ADMIN_APPROVAL" : "TOKEN_REVOKED" };
}

/** Google's words for every consent that ended, also for one of an app in testing. */
export function isGoogleEnd(description: string): boolean {
  return /has been expired or revoked/i.test(description);
}

function microsoftCode(description: string): number | null {
  const digits = /\bAADSTS(\d{4,8})\b/.exec(description)?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * Why a provider refuses the service account or the application itself: there is no consent that could end, so the
 * mailbox always continues by itself. Null when the provider is busy.
 */
export function readDelegationRefusal(answer: TokenAnswer): AccessFault | null {
  const { status, error, description } = answer;
  if (readTokenRefusal(answer).access === null && (status === 429 || status >= 500)) return null;
  if (/invalid (?:e-?mail|user|principal)/i.test(description)) return "NO_MAIL_SERVICE";
  return DENIED.includes(error) && microsoftCode(description) === null ? "ACCESS_DENIED" : "CLIENT_REFUSED";
}

/** Google's errors when no admin has allowed the account or its scope. */
const DENIED = ["unauthorized_client", "access_denied", "invalid_scope"];
