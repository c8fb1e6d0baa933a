import type { NoReplyCause } from "../bounces/refusal.ts";
import type { Stage } from "../bounces/verdict.ts";
import type { AccessFault, ConnectionErrorCode } from "../mailboxes/connection-error.ts";

/** What prevented the send: a reply of the server (`code`), or why there was no reply (`cause`). */
export interface Trouble {
  stage: Stage;
  code: number | null;
  text: string;
  cause: NoReplyCause;
  /** How many emails were sent on the connection before; absent means none. */
  carried?: number;
  /** The lost access that a provider's API has shown, which parks the mailbox at once; absent for any other fault. */
  access?: AccessFault;
}

/**
 * The code of a fault that a caller gets: the server's reply code, otherwise one of our codes. A name with a blocked
 * address, an unknown name and a closed port get the same code. Otherwise callers could find out which names exist
 * inside the network (rules/security 4.3).
 */
export function codeShown(trouble: Trouble): string {
  return trouble.code === null ? connectionErrorOf(trouble) : String(trouble.code);
}

/** The fault at the submission server as one of our codes. */
export function connectionErrorOf({ stage, code, cause }: Trouble): ConnectionErrorCode {
  if (stage === "AUTH" && code !== null && code >= 500) return "AUTH_FAILED";
  if (cause === "TIMEOUT") return "TIMEOUT";
  if (stage === "TLS" || cause === "TLS") return "TLS_FAILED";
  if (code !== null || cause === "OTHER") return "PROTOCOL_ERROR";
  return "CONNECT_FAILED";
}
