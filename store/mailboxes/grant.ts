import { type KeyRing, type Sealed, type SealPlace, seal } from "../../domain/access/seal.ts";
import { ACCESS_FAULTS, type AccessFault } from "../../domain/mailboxes/connection-error.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { MailboxGrant } from "../../models/mailboxes/mailbox-grant.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { randomBase62 } from "../../mongo/ids.ts";
import { IS_INSTANT, IS_TEXT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";

/**
 * The tokens that a provider issued: a refresh token without an expiry, and an access token that is valid until
 * `expiresAt`.
 */
export interface Granted {
  provider: ProviderName;
  /** The address, when the tokens come from the permission of its organisation; then there is no refresh token. */
  delegatedTo?: string;
  refreshToken: string;
  accessToken: string;
  expiresAt: Date;
}

/** For how many milliseconds the grant of a disconnected mailbox is kept, so that it can be revoked at the provider. */
const ENDING_MS = HOUR_MS;
/** For how many milliseconds one process may refresh a token. Longer than a request to the provider may take. */
const LEASE_MS = 20_000;

export function grantPlace(workspaceId: string, grantId: string, field: "refreshToken" | "accessToken"): SealPlace {
  return { workspaceId, collection: "mailbox_grants", documentId: grantId, field };
}

/** The place to which the encrypted secrets of a consent in progress are bound. */
export function consentPlace(workspaceId: string, documentId: string, field: "code" | "verifier"): SealPlace {
  return { workspaceId, collection: "oauth_states", documentId, field };
}

/** Stores the grant of a new consent, in the caller's transaction, and returns its id. */
export async function storeGrant(
  keyRing: KeyRing,
  workspaceId: string,
  mailboxId: string,
  granted: Granted,
): Promise<string> {
  const _id = `grt_${randomBase62(24)}`;
  const { provider, expiresAt, delegatedTo = null } = granted;
  const sealedRefreshToken = seal(keyRing, grantPlace(workspaceId, _id, "refreshToken"), granted.refreshToken);
  const sealedAccessToken = seal(keyRing, grantPlace(workspaceId, _id, "accessToken"), granted.accessToken);
  const tokens = { sealedRefreshToken, sealedAccessToken, accessExpiresAt: expiresAt };
  await scoped(workspaceId).MailboxGrant.insert({ _id, mailboxId, provider, delegatedTo, ...tokens });
  return _id;
}

/**
 * Takes the lease for requesting a new token, which only one process has at a time. Null when another process has the
 * lease, or the grant was revoked or deleted.
 */
export function leaseGrant(workspaceId: string, grantId: string, leaseId: string): Promise<MailboxGrant | null> {
  const free = { $or: [{ $eq: ["$leaseUntil", null] }, { $lt: ["$leaseUntil", "$$NOW"] }] };
  const leaseUntil = { $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount: LEASE_MS } };
  return scoped(workspaceId).MailboxGrant.changeOne({ _id: grantId, revokedAt: null, $expr: free }, [
    { $set: { leaseId, leaseUntil } },
  ]);
}

/** Ends the lease and stores the new tokens, if any. Changes nothing when the process has lost the lease. */
export async function releaseGrant(
  workspaceId: string,
  grantId: string,
  leaseId: string,
  tokens: { sealedAccessToken?: Sealed; sealedRefreshToken?: Sealed; accessExpiresAt?: Date } = {},
): Promise<void> {
  await scoped(workspaceId).MailboxGrant.updateOne(
    { _id: grantId, leaseId },
    { $set: { ...tokens, leaseId: null, leaseUntil: null } },
  );
}

/**
 * Records that the provider has ended the grant, and why. If the mailbox still uses it, the mailbox waits for a new
 * consent (rules/states 6.2).
 */
export function recordRevoked(
  workspaceId: string,
  mailboxId: string,
  grantId: string,
  fault: AccessFault,
): Promise<void> {
  return inTransaction(async () => {
    const { Mailbox, MailboxGrant } = scoped(workspaceId);
    await MailboxGrant.updateOne({ _id: grantId }, { $set: { revokedAt: new Date(), sealedAccessToken: null } });
    const lastError = { code: fault, message: ACCESS_FAULTS[fault].text, at: new Date() };
    const working = trusted({ $in: ["CONNECTED", "PAUSED", "SENDING_ERROR", "COOLING_DOWN"] });
    const lost = await Mailbox.updateOne(
      { _id: mailboxId, grantId, status: working },
      { $set: { status: "RECONNECT_REQUIRED", statusReason: fault, lastError } },
    );
    if (lost > 0) await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "lost" });
  });
}

/**
 * Ends the grants of a mailbox, so that no login uses them any more. They are deleted immediately, except those of
 * `revocable` providers, which are deleted after the provider was asked to revoke them. Call it in the transaction of
 * the disconnection.
 */
export async function endGrants(mailbox: Mailbox, revocable: readonly ProviderName[]): Promise<void> {
  const { workspaceId, _id: mailboxId, username: email } = mailbox;
  const { MailboxGrant } = scoped(workspaceId);
  const now = new Date();
  const ending = {
    email,
    revokedAt: now,
    sealedAccessToken: null,
    accessExpiresAt: null,
    endsAt: new Date(now.getTime() + ENDING_MS),
  };
  const filter = { mailboxId, provider: trusted({ $in: [...revocable] }), revokedAt: null };
  await MailboxGrant.updateMany(filter, { $set: ending });
  await MailboxGrant.deleteMany({ mailboxId, endsAt: null });
}

/** The grants of a disconnected mailbox that must still be revoked at their provider. */
export function findEndingGrants(mailboxId: string): Promise<MailboxGrant[]> {
  const ending = { mailboxId, endsAt: trusted(IS_INSTANT) };
  return MailboxGrant.find(ending, null, { acrossWorkspaces: true }).lean<MailboxGrant[]>().exec();
}

/**
 * Whether the same user has a mailbox with another grant, in this or another workspace, because some providers revoke
 * all grants of a user together.
 */
export async function isUserConnected({ workspaceId, mailboxId, provider, email }: MailboxGrant): Promise<boolean> {
  const username = email ?? (await scoped(workspaceId).Mailbox.get(mailboxId))?.username ?? "";
  const living = { username, provider: `PROVIDER${provider}` as const, grantId: trusted(IS_TEXT) };
  return (await Mailbox.exists(living).setOptions({ acrossWorkspaces: true })) !== null;
}

/** Deletes an access token that the servers no longer accept, so that the next login requests a new one. */
export async function forgetAccessToken(workspaceId: string, grantId: string, sealed: Sealed): Promise<void> {
  await scoped(workspaceId).MailboxGrant.updateOne(
    { _id: grantId, "sealedAccessToken.data": sealed.data },
    { $set: { sealedAccessToken: null, accessExpiresAt: null } },
  );
}
