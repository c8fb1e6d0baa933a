/** Why a connection or request did not come about; a subscriber's attempt log shows it as its cause (webhooks.md 2). */
export type EgressReason = "TIMEOUT" | "CONNECT_FAILED" | "TLS_FAILED" | "DNS_FAILED" | "ADDRESS_BLOCKED" | "RESPONSE_INVALID";

/** The one error of this room. `reason` may be shown to a caller, `cause` is for the log. */
export class EgressError extends Error {
  readonly reason: EgressReason;

  constructor(reason: EgressReason, options?: ErrorOptions) {
    super(`The connection failed: ${reason}`, options);
    this.name = "EgressError";
    this.reason = reason;
  }
}

/** The code of a system, TLS or library error. Asked of its shape: an error may come from another realm. */
export function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
