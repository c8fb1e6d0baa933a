import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { graphMailboxOf, type MailApi } from "../../domain/mailboxes/transport.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Logins } from "./logins.ts";

/** Access to a mailbox over its provider's API. Gmail does not use the field `mailbox`. */
export type ApiAccess = GraphAccess;

export function isApiTrouble(error: unknown): error is GmailTrouble | GraphTrouble {
  return error instanceof GmailTrouble || error instanceof GraphTrouble;
}

/**
 * Runs `work` with access to the mailbox, and once more with a new token when the provider refuses the current one.
 * @throws OAuthTrouble without a usable token
 */
export function withApiAccess<T>(
  { egress, logins }: { egress: Egress; logins: Logins },
  mailbox: Mailbox,
  { url }: MailApi,
  signal: AbortSignal,
  work: (access: ApiAccess) => Promise<T>,
): Promise<T> {
  return logins.with(
    mailbox,
    (login) => {
      const token = "accessToken" in login ? login.accessToken : "";
      return work({ egress, url, token, signal, mailbox: graphMailboxOf(mailbox) });
    },
    (error) => isApiTrouble(error) && error.kind === "expired",
  );
}
