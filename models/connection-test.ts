import type { Sealed } from "../domain/access/seal.ts";
import type { MailServer } from "../domain/mailboxes/server.ts";
import { mixed, type Owned, required, tenantModel } from "../mongo/schema.ts";

/** Credentials on trial: a workflow may carry no secret, so it carries this id. Gone after ten minutes. */
export interface ConnectionTest extends Owned {
  username: string;
  smtp: MailServer;
  imap: MailServer;
  /** Null once tried. */
  sealedPassword: Sealed | null;
}

const server = { type: Object, required: true };

export const ConnectionTest = tenantModel<ConnectionTest>(
  "ConnectionTest",
  "connection_tests",
  { username: required, smtp: server, imap: server, sealedPassword: mixed },
  [{ fields: { workspaceId: 1, createdAt: -1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 600 }],
);
