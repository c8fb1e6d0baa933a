/** Why a connection or request failed. The attempt log of a subscriber shows it as the cause (rules/webhooks 1.3). */
export type EgressReason =
  | "TIMEOUT"
  | "CONNECT_FAILED"
  | "TLS_FAILED"
  | "DNS_FAILED"
  | "ADDRESS_BLOCKED"
  | "RESPONSE_INVALID"
  | "NOT_BEGUN";

/** The one error of the connector. `reason` may be shown to a caller, `cause` is for the log. */
export class EgressError extends Error {
  readonly reason: EgressReason;

  constructor(reason: EgressReason, options?: ErrorOptions) {
    super(`The connection failed: ${reason}`, options);
    this.name = "EgressError";
    this.reason = reason;
  }
}

/**
 * The code of a system, TLS or library error. It is found by the error's shape, because the error may come from another
 * realm.
 */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
