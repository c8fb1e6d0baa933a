import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { connectMailbox } from "../../store/mailboxes/connect.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import { operation } from "../operation.ts";
import { anyHasBegun } from "../sending/causes.ts";
import { ConnectionTestResult, tryConnection } from "./connection-test.ts";
import { AppPassword, Basic, Credentials, type Servers, serversOf } from "./credentials.ts";
import { startConsent } from "./oauth-start.ts";
import { basicServers, presetOf } from "./providers.ts";
import { MailboxRecord, viewOf } from "./record.ts";

const scope = "mailboxes:connect" as const;

const smtpTest = operation({
  summary: "Test SMTP and IMAP credentials without storing them",
  errors: ["HOST_NOT_ALLOWED", "LIMIT_EXCEEDED"],
  scope,
  input: z.strictObject({ credentials: Credentials }),
  output: ConnectionTestResult,
  async run(ctx, { credentials }) {
    const { email, ...login } = credentials;
    const found = await tryConnection(ctx, serversOf(ctx.services.settings, credentials), {
      ...login,
      email: email.address,
    });
    return { ok: found.smtp.ok && found.imap.ok, ...found };
  },
});

const smtpConnect = operation({
  summary: "Connect a mailbox by SMTP and IMAP. A known address gets the new credentials and keeps its id",
  errors: ["HOST_NOT_ALLOWED", "LIMIT_EXCEEDED", "MAILBOX_CONNECTION_FAILED"],
  scope,
  audits: "mailboxes.connect",
  effects: { CHANGES_SENDING: anyHasBegun },
  input: z.strictObject({ credentials: Credentials }),
  output: MailboxRecord,
  async run(ctx, { credentials }) {
    return connected(ctx, "SMTP", serversOf(ctx.services.settings, credentials), credentials);
  },
});

const providerAAppPassword = operation({
  summary: "Connect a mailbox of provider A with an app password",
  errors: ["LIMIT_EXCEEDED", "MAILBOX_CONNECTION_FAILED", "PROVIDER_NOT_CONFIGURED"],
  scope,
  audits: "mailboxes.connect",
  effects: { CHANGES_SENDING: anyHasBegun },
  input: z.strictObject({ providerA: AppPassword.describe("The account and its app password") }),
  output: MailboxRecord,
  async run(ctx, { providerA: { appPassword, ...given } }) {
    return connected(ctx, "PROVIDERA", presetOf(ctx, "A"), { ...given, password: appPassword });
  },
});

const providerBSmtp = operation({
  summary: "Connect a mailbox of provider B with its password, on the provider's servers or those you name",
  errors: ["HOST_NOT_ALLOWED", "LIMIT_EXCEEDED", "MAILBOX_CONNECTION_FAILED", "PROVIDER_NOT_CONFIGURED"],
  scope,
  audits: "mailboxes.connect",
  effects: { CHANGES_SENDING: anyHasBegun },
  input: z.strictObject({ providerB: Basic.describe("The account and its password") }),
  output: MailboxRecord,
  async run(ctx, { providerB }) {
    return connected(ctx, "PROVIDERB", basicServers(ctx, providerB), providerB);
  },
});

export const connect = choice(scope, "Test and connect mailboxes", {
  smtpTest,
  smtpConnect,
  providerAOAuthStart: startConsent("A"),
  providerAAppPassword,
  providerBOAuthStart: startConsent("B"),
  providerBSmtp,
});

type Given = Pick<z.output<typeof Credentials>, "email" | "password" | "name" | "username" | "smtpUsername">;

/** Connects a mailbox after testing its login. A login that fails at either server is not stored. */
async function connected(ctx: Context, provider: Mailbox["provider"], servers: Servers, given: Given) {
  const { workspaceId, services } = ctx;
  const { password, name, username, smtpUsername } = given;
  const email = given.email.address;
  const { smtp, imap } = await tryConnection(ctx, servers, { email, password, username, smtpUsername });
  if (!smtp.ok || !imap.ok) {
    throw new AppError("MAILBOX_CONNECTION_FAILED", "The mailbox could not be connected: nothing was stored", {
      smtp,
      imap,
    });
  }
  const proven = { email, name, provider, ...servers, username, smtpUsername, login: { password } };
  const mailbox = await inTransaction(
    async () => (await connectMailbox(services.keyRing, workspaceId, proven)).mailbox,
  );
  return viewOf(mailbox);
}
