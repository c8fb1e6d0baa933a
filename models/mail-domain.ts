import { type Base, globalModel, mixed } from "../mongo/schema.ts";

/** Where the mail of a domain is received, as its name server said: `_id` is the domain. The same for every workspace. */
export interface MailDomain extends Base {
  /** The hosts of its most preferred MX; null: it could not be asked. */
  hosts: string[] | null;
  /** From then on it is asked again. */
  staleAt: Date;
}

export const MailDomain = globalModel<MailDomain>("MailDomain", "mail_domains", { hosts: mixed, staleAt: { type: Date, required: true } }, [
  { fields: { staleAt: 1 }, expireAfterSeconds: 0 },
]);
