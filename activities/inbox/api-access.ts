import type { GraphAccess } from "../../connectors/graph/call.ts";
import { ImapTrouble } from "../../connectors/imap/connection.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { apiOf, isApi, type MailApi } from "../../domain/mailboxes/transport.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { withApiAccess } from "../mailboxes/api-access.ts";
import { isApiTrouble } from "../mailboxes/api-trouble.ts";
import { hasLogin, type Logins } from "../mailboxes/logins.ts";
import { codeOf } from "./api-watch.ts";

/** A mailbox at its provider's API. */
export interface ApiMailbox {
  transport: MailApi["transport"];
  /**
   * Asks the API, and once more with a new token if it refuses the current one, so the requests of `work` must bear a
   * repetition.
   * @throws ImapTrouble with the code that the same fault of an IMAP server has
   */
  ask<T>(work: (access: GraphAccess) => Promise<T>): Promise<T>;
}

/** Returns null for a mailbox of SMTP and IMAP. @throws ImapTrouble when the mailbox cannot be asked */
export type OpenApi = (mailbox: Mailbox, signal?: AbortSignal) => ApiMailbox | null;

export function createOpenApi({
  egress,
  logins,
  providers,
}: {
  egress: Egress;
  logins: Logins;
  providers: MailProviders;
}): OpenApi {
  return (mailbox, signal = new AbortController().signal) => {
    if (!isApi(mailbox)) return null;
    if (!hasLogin(mailbox)) throw new ImapTrouble("AUTH_FAILED");
    const api = apiOf(providers, mailbox);
    if (api === null) throw new ImapTrouble("PROTOCOL_ERROR");
    const { transport } = api;
    return {
      transport,
      async ask(work) {
        try {
          return await withApiAccess({ egress, logins }, mailbox, api, signal, work);
        } catch (error) {
          throw isApiTrouble(error) ? new ImapTrouble(codeOf(error), { cause: error }) : error;
        }
      },
    };
  };
}
