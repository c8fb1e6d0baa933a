import { type Base, globalModel, mixed } from "../../mongo/schema.ts";

/**
 * The hosts that receive the email of a domain, according to DNS. `_id` is the domain. All workspaces share the
 * document.
 */
export interface MailDomain extends Base {
  /** The hosts of the most preferred MX; null when DNS could not be queried. */
  hosts: string[] | null;
  /** After this instant DNS is queried again. */
  staleAt: Date;
}

export const MailDomain = globalModel<MailDomain>(
  "MailDomain",
  "mail_domains",
  { hosts: mixed, staleAt: { type: Date, required: true } },
  [{ fields: { staleAt: 1 }, expireAfterSeconds: 0 }],
);
