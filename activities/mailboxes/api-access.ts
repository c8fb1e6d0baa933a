import type { CallQuota } from "../../connectors/bearer-call.ts";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { graphMailboxOf, type MailApi } from "../../domain/mailboxes/transport.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { quotaAt } from "./api-quota.ts";
import { isApiTrouble } from "./api-trouble.ts";
import type { Logins } from "./logins.ts";

/** Access to a mailbox over its provider's API. Gmail does not use the field `mailbox`. */
export type ApiAccess = GraphAccess;

interface AccessDeps {
  egress: Egress;
  logins: Logins;
  /** What its requests are charged to; as reading new email if absent. */
  quota?: CallQuota;
}

/**
 * Runs `work` with access to the mailbox, and once more with a new token when the provider refuses the current one.
 * @throws OAuthTrouble without a usable token
 */
export function withApiAccess<T>(
  { egress, logins, quota }: AccessDeps,
  mailbox: Mailbox,
  api: MailApi,
  signal: AbortSignal,
  work: (access: ApiAccess) => Promise<T>,
): Promise<T> {
  const { url } = api;
  const charged = quota ?? quotaAt(api, mailbox.email, "NEW", { signal });
  return logins.with(
    mailbox,
    (login) => {
      const token = "accessToken" in login ? login.accessToken : "";
      return work({ egress, url, token, signal, quota: charged, mailbox: graphMailboxOf(mailbox) });
    },
    (error) => isApiTrouble(error) && error.kind === "expired",
  );
}
