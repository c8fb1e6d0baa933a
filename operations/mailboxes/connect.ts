import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { seal } from "../../domain/seal.ts";
import { nudge } from "../../ledger/events.ts";
import { resumeDisconnected } from "../../ledger/mailbox-return.ts";
import { newId } from "../../models/ids.ts";
import { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { currentSession, inTransaction } from "../../models/transaction.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import { operation } from "../operation.ts";
import { ConnectionTestResult, tryConnection } from "./connection-test.ts";
import { Credentials, type Servers, serversOf } from "./credentials.ts";
import { mailboxOf } from "./find.ts";
import { MailboxRecord, viewOf } from "./record.ts";

const MAX_MAILBOXES = 10_000;

const smtpTest = operation({
  summary: "Try SMTP and IMAP credentials without storing them",
  scope: "mailboxes:connect",
  input: z.strictObject({ credentials: Credentials }),
  output: ConnectionTestResult,
  async run(ctx, { credentials }) {
    const found = await tryConnection(ctx, serversOf(ctx.services.settings, credentials), loginOf(credentials));
    return { ok: found.smtp.ok && found.imap.ok, ...found };
  },
});

const smtpConnect = operation({
  summary: "Connect a mailbox by SMTP and IMAP. A known address gets the new credentials and keeps its id",
  scope: "mailboxes:connect",
  input: z.strictObject({ credentials: Credentials }),
  output: MailboxRecord,
  async run(ctx, { credentials }) {
    const servers = serversOf(ctx.services.settings, credentials);
    const { smtp, imap } = await tryConnection(ctx, servers, loginOf(credentials));
    if (!smtp.ok || !imap.ok) {
      throw new AppError("MAILBOX_CONNECTION_FAILED", "The mailbox could not be connected: nothing was stored", { smtp, imap });
    }
    const mailbox = await inTransaction(() => store(ctx, servers, credentials));
    await resumeDisconnected(mailbox.workspaceId, mailbox._id);
    return viewOf(mailbox);
  },
});

export const connect = choice("mailboxes:connect", "Test and connect mailboxes", {
  smtpTest,
  smtpConnect,
  providerAOAuthStart: unavailable("Start the consent of provider A", "PROVIDERA_CLIENT_ID"),
  providerAAppPassword: unavailable("Connect a mailbox of provider A by its app password", "PROVIDERA_SMTP", {
    providerA: z.strictObject({ email: z.string(), appPassword: z.string(), name: z.string().optional() }),
  }),
  providerBOAuthStart: unavailable("Start the consent of provider B", "PROVIDERB_CLIENT_ID"),
  providerBSmtp: unavailable("Connect a mailbox of provider B by its password", "PROVIDERB_SMTP", {
    providerB: z.strictObject({
      email: z.string(),
      password: z.string(),
      name: z.string().optional(),
      smtpHost: z.string().optional(),
      smtpPort: z.number().int().optional(),
      imapHost: z.string().optional(),
      imapPort: z.number().int().optional(),
    }),
  }),
});

/** An action whose provider this installation does not know: it names the setting that is missing. */
function unavailable(summary: string, setting: string, fields: z.ZodRawShape = {}) {
  return operation({
    summary,
    scope: "mailboxes:connect",
    input: z.strictObject(fields),
    output: MailboxRecord,
    async run() {
      throw new AppError("PROVIDER_NOT_CONFIGURED", `This provider is not configured: ${setting} is not set`, { setting });
    },
  });
}

function loginOf({ email, password }: z.output<typeof Credentials>) {
  return { username: email.address, password };
}

/**
 * Stores what a test has proven: a known address of this workspace keeps its id and takes the new credentials.
 * @throws AppError MAILBOX_IN_USE only now, so that nobody learns of a mailbox whose password they do not have
 */
async function store({ workspaceId, services }: Context, servers: Servers, given: z.output<typeof Credentials>): Promise<Mailbox> {
  const email = given.email.address;
  const known = await findAnywhere(email);
  if (known !== null && known.workspaceId !== workspaceId) {
    throw new AppError("MAILBOX_IN_USE", "This mailbox is connected in another workspace");
  }
  const _id = known?._id ?? newId("mbx");
  const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
  const login = { ...servers, username: email, sealedPassword: seal(services.keyRing, place, given.password), ...FRESH };
  const named = given.name === undefined ? {} : { name: given.name };
  const { Mailbox } = scoped(workspaceId);
  if (known === null) await refuseTooMany(workspaceId);
  const stored = known
    ? await Mailbox.findOneAndUpdate({ _id }, { $set: { ...login, ...named } })
    : await Mailbox.insert({ _id, email, ...login, ...named });
  await nudge(workspaceId, "MAILBOX", { mailboxId: _id, signal: "start" });
  return stored ?? mailboxOf(workspaceId, _id);
}

/** What held the old credentials back does not hold the new ones. */
const FRESH = {
  status: "CONNECTED",
  statusReason: null,
  lastError: null,
  authFailures: 0,
  hostFailures: 0,
  rateRefusals: 0,
  retryAt: null,
} as const;

/** An address is connected once in the whole installation. */
function findAnywhere(email: string): Promise<Mailbox | null> {
  return Mailbox.findOne({ email }, null, { session: currentSession(), acrossWorkspaces: true }).lean<Mailbox>().exec();
}

async function refuseTooMany(workspaceId: string): Promise<void> {
  if ((await scoped(workspaceId).Mailbox.count()) < MAX_MAILBOXES) return;
  throw new AppError("LIMIT_EXCEEDED", `A workspace has at most ${MAX_MAILBOXES} mailboxes`, { limit: MAX_MAILBOXES });
}
