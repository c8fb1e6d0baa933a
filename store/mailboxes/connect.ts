import { type KeyRing, type SealPlace, seal } from "../../domain/access/seal.ts";
import type { MailServer, UserNames } from "../../domain/mailboxes/server.ts";
import { isApi, type Transport } from "../../domain/mailboxes/transport.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { nudge } from "../outbox.ts";
import { refuseBeyondLimit } from "../workspace-limits.ts";
import { type Granted, storeGrant } from "./grant.ts";
import { storeProbe } from "./probe.ts";

/** The result of a successful connection test: an address, its servers and the login that they accepted. */
export interface Proven extends UserNames {
  email: string;
  name?: string | undefined;
  provider: Mailbox["provider"];
  /** By SMTP and IMAP unless named. A mailbox that is connected again moves to this transport. */
  transport?: Transport | undefined;
  smtp: MailServer;
  imap: MailServer;
  login: { password: string } | { grant: Granted };
  /** Only set by an import. */
  dailySendLimit?: number | undefined;
  tags?: string[] | undefined;
}

export interface Connected {
  mailbox: Mailbox;
  /** The mailbox's previous status; null for a new mailbox. */
  before: Mailbox["status"] | null;
}

export function passwordPlace(workspaceId: string, mailboxId: string): SealPlace {
  return { workspaceId, collection: "mailboxes", documentId: mailboxId, field: "password" };
}

/**
 * Stores a tested mailbox, in the caller's transaction. An address that this workspace already has keeps its id and
 * gets the new credentials, and the recipients that waited for it continue. Another workspace may have the same
 * address; neither workspace can see that (rules/security 2.3).
 * @throws AppError LIMIT_EXCEEDED
 */
export async function connectMailbox(keyRing: KeyRing, workspaceId: string, proven: Proven): Promise<Connected> {
  const {
    email,
    name,
    provider,
    transport = "SMTP_IMAP",
    smtp,
    imap,
    login,
    dailySendLimit,
    tags,
    username = null,
    smtpUsername = null,
  } = proven;
  const { Mailbox, MailboxGrant } = scoped(workspaceId);
  const existing = await Mailbox.findOne({ email });
  const _id = existing?._id ?? newId("mbx");
  if (existing === null) await refuseTooMany(workspaceId);
  const secret = "password" in login ? seal(keyRing, passwordPlace(workspaceId, _id), login.password) : null;
  const grantId = "grant" in login ? await storeGrant(keyRing, workspaceId, _id, login.grant) : null;
  if (existing !== null && existing.grantId !== null) await MailboxGrant.deleteOne({ _id: existing.grantId });
  const fields = {
    provider,
    transport,
    smtp,
    imap,
    username: username ?? email,
    smtpUsername,
    sealedPassword: secret,
    grantId,
    freedAt: new Date(),
    ...FRESH,
    pausedProviders: [],
    refusalsSince: new Date(),
    sentFolder: null,
    sentFiling: null,
    ...(name !== undefined && { name }),
    ...(dailySendLimit !== undefined && { dailySendLimit }),
    ...(tags !== undefined && { tags: [...new Set([...(existing?.tags ?? []), ...tags])].slice(0, MOST_TAGS) }),
  };
  const stored = existing
    ? await Mailbox.findOneAndUpdate({ _id }, { $set: fields })
    : await Mailbox.insert({ _id, email, ...fields });
  if (stored === null) throw new Error(`The mailbox ${_id} is gone`);
  await nudge(workspaceId, "MAILBOX", { mailboxId: _id, signal: "start" });
  // An API may change the headers of its emails, so the mailbox writes to itself
  const probeId = isApi(stored) ? await storeProbe(stored) : null;
  if (existing === null || probeId !== null)
    await nudge(workspaceId, "MAILBOX", { mailboxId: _id, signal: "verify", probeId });
  await nudge(workspaceId, "MAILBOX", { mailboxId: _id, signal: "freed" });
  return { mailbox: stored, before: existing?.status ?? null };
}

const MOST_TAGS = 50;

/** Resets the failures of the old credentials, so that they do not count against the new ones. */
const FRESH = {
  status: "CONNECTED",
  statusReason: null,
  lastError: null,
  authFailures: 0,
  hostFailures: 0,
  readFailures: 0,
  rateRefusals: 0,
  retryAt: null,
  restReason: null,
  trial: null,
  overridden: null,
  senderCheckedAt: null,
  headerSurvival: null,
} as const;

async function refuseTooMany(workspaceId: string): Promise<void> {
  await refuseBeyondLimit(workspaceId, "mailboxes", await scoped(workspaceId).Mailbox.count());
}
