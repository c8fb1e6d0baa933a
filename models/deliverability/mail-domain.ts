import { type Base, globalModel, mixed } from "../../mongo/schema.ts";

/**
 * Which hosts receive the email of a domain, as its name server said. `_id` is the domain. It is shared by all
 * workspaces.
 */
export interface MailDomain extends Base {
  /** The hosts of the most preferred MX; null when the name server could not be queried. */
  hosts: string[] | null;
  /** After this instant the name server is queried again. */
  staleAt: Date;
}

export const MailDomain = globalModel<MailDomain>(
  "MailDomain",
  "mail_domains",
  { hosts: mixed, staleAt: { type: Date, required: true } },
  [{ fields: { staleAt: 1 }, expireAfterSeconds: 0 }],
);
