import { USUAL_WAIT_MS } from "../../connectors/bearer-call.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";
import { ImapTrouble } from "../../connectors/imap/connection.ts";
import { OAuthTrouble } from "../../connectors/oauth.ts";
import type { AccessFault } from "../../domain/mailboxes/connection-error.ts";
import { isShared } from "../../domain/mailboxes/transport.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";

/** A request that a provider's API did not answer with success. */
export type ApiTrouble = GmailTrouble | GraphTrouble;

export function isApiTrouble(error: unknown): error is ApiTrouble {
  return error instanceof GmailTrouble || error instanceof GraphTrouble;
}

/** Milliseconds until the provider may be asked again after a refusal for a limit. */
export function waitMsOf(error: ApiTrouble): number {
  if (error instanceof GraphTrouble) return error.waitMs ?? USUAL_WAIT_MS;
  return error.retryAt === null ? USUAL_WAIT_MS : Math.max(0, error.retryAt - Date.now());
}

/** The lost access that an error shows; null for any other error. */
export function accessIn(error: unknown, mailbox: Pick<Mailbox, "email" | "username">): AccessFault | null {
  const cause = error instanceof ImapTrouble ? error.cause : error;
  if (!(cause instanceof OAuthTrouble || isApiTrouble(cause))) return null;
  return cause.access === "ACCESS_DENIED" && isShared(mailbox) ? "MAILBOX_ACCESS_DENIED" : cause.access;
}
