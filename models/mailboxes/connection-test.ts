import type { Sealed } from "../../domain/access/seal.ts";
import type { MailServer } from "../../domain/mailboxes/server.ts";
import { type Owned, required, secret, tenantModel, text } from "../../mongo/schema.ts";

/**
 * Credentials that are being tested. A workflow must not carry a secret, so it carries this id. Deleted after ten
 * minutes.
 */
export interface ConnectionTest extends Owned {
  username: string;
  /** The user name at the SMTP server, if it is a different one. */
  smtpUsername: string | null;
  smtp: MailServer;
  imap: MailServer;
  /** Null once the test has been made. */
  sealedPassword: Sealed | null;
}

const server = { type: Object, required: true };

export const ConnectionTest = tenantModel<ConnectionTest>(
  "ConnectionTest",
  "connection_tests",
  { username: required, smtpUsername: text, smtp: server, imap: server, sealedPassword: secret },
  [{ fields: { workspaceId: 1, createdAt: -1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 600 }],
);
