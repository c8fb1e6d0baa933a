import type { Sealed } from "../../domain/access/seal.ts";
import type { MailServer } from "../../domain/mailboxes/server.ts";
import { type Owned, required, secret, tenantModel, text } from "../../mongo/schema.ts";

/**
 * Credentials that are being tested. A workflow must not contain a secret, so it receives only the id of this document.
 * Deleted after ten minutes.
 */
export interface ConnectionTest extends Owned {
  username: string;
  /** The user name at the SMTP server, if it differs from `username`. */
  smtpUsername: string | null;
  smtp: MailServer;
  imap: MailServer;
  /** Null once the test has run. */
  sealedPassword: Sealed | null;
}

const server = { type: Object, required: true };

export const ConnectionTest = tenantModel<ConnectionTest>(
  "ConnectionTest",
  "connection_tests",
  { username: required, smtpUsername: text, smtp: server, imap: server, sealedPassword: secret },
  [{ fields: { workspaceId: 1, createdAt: -1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 600 }],
);
