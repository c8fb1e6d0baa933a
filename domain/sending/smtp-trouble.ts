import type { Cause } from "../bounces/smtp-refusal.ts";
import type { Stage } from "../bounces/verdict.ts";
import type { ConnectionErrorCode } from "../mailboxes/connection-error.ts";

/** What stood in the way: a reply of the server (`code`), or the lack of one (`cause`). */
export interface Trouble {
  stage: Stage;
  code: number | null;
  text: string;
  cause: Cause;
}

/**
 * What a caller reads of a trouble: the code of the server's reply, else one of ours. A name that leads to a blocked address, one that
 * nobody knows and a closed port are one to them, or a mailbox would tell which names there are inside (security.md 5).
 */
export function codeShown(trouble: Trouble): string {
  return trouble.code === null ? connectionErrorOf(trouble) : String(trouble.code);
}

/** What stood in the way at the submission server, as one of our codes. */
export function connectionErrorOf({ stage, code, cause }: Trouble): ConnectionErrorCode {
  if (stage === "AUTH" && code !== null && code >= 500) return "AUTH_FAILED";
  if (cause === "TIMEOUT") return "TIMEOUT";
  if (stage === "TLS" || cause === "TLS") return "TLS_FAILED";
  if (code !== null || cause === "OTHER") return "PROTOCOL_ERROR";
  return "CONNECT_FAILED";
}
