import { type KeyRing, type Place, type Sealed, seal } from "../../domain/access/seal.ts";
import { CONNECTION_ERRORS } from "../../domain/mailboxes/connection-error.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Mailbox } from "../../models/mailbox.ts";
import { MailboxGrant } from "../../models/mailbox-grant.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { randomBase62 } from "../../mongo/ids.ts";
import { IS_INSTANT, IS_TEXT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";

/** What a provider issued: the refresh token lasts, the access token until `expiresAt`. */
export interface Granted {
  provider: ProviderName;
  refreshToken: string;
  accessToken: string;
  expiresAt: Date;
}

/** Of a mailbox that is disconnected, for the provider to be told. */
const ENDING_MS = HOUR_MS;
/** Longer than a provider is waited for. */
const LEASE_MS = 20_000;

export function grantPlace(workspaceId: string, grantId: string, field: "refreshToken" | "accessToken"): Place {
  return { workspaceId, collection: "mailbox_grants", documentId: grantId, field };
}

/** Where the secrets of a consent under way are sealed. */
export function consentPlace(workspaceId: string, documentId: string, field: "code" | "verifier"): Place {
  return { workspaceId, collection: "oauth_states", documentId, field };
}

/** Stores a new consent of a mailbox, in the caller's transaction; answers its id. */
export async function storeGrant(keyRing: KeyRing, workspaceId: string, mailboxId: string, granted: Granted): Promise<string> {
  const _id = `grt_${randomBase62(24)}`;
  const { provider, expiresAt } = granted;
  const sealedRefreshToken = seal(keyRing, grantPlace(workspaceId, _id, "refreshToken"), granted.refreshToken);
  const sealedAccessToken = seal(keyRing, grantPlace(workspaceId, _id, "accessToken"), granted.accessToken);
  const tokens = { sealedRefreshToken, sealedAccessToken, accessExpiresAt: expiresAt };
  await scoped(workspaceId).MailboxGrant.insert({ _id, mailboxId, provider, ...tokens });
  return _id;
}

/** Takes the right to ask for a new token, in all processes one at a time. Null: another has it, or the grant is gone. */
export function leaseGrant(workspaceId: string, grantId: string, leaseId: string): Promise<MailboxGrant | null> {
  const free = { $or: [{ $eq: ["$leaseUntil", null] }, { $lt: ["$leaseUntil", "$$NOW"] }] };
  const leaseUntil = { $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount: LEASE_MS } };
  return scoped(workspaceId).MailboxGrant.changeOne({ _id: grantId, revokedAt: null, $expr: free }, [{ $set: { leaseId, leaseUntil } }]);
}

/** Ends a lease, with the new tokens where there are any. A lease that was lost changes nothing. */
export async function releaseGrant(
  workspaceId: string,
  grantId: string,
  leaseId: string,
  tokens: { sealedAccessToken?: Sealed; sealedRefreshToken?: Sealed; accessExpiresAt?: Date } = {},
): Promise<void> {
  await scoped(workspaceId).MailboxGrant.updateOne({ _id: grantId, leaseId }, { $set: { ...tokens, leaseId: null, leaseUntil: null } });
}

/** The provider takes the consent back: the mailbox waits for a new one (behaviours 3), if it still lives on this one. */
export function recordRevoked(workspaceId: string, mailboxId: string, grantId: string): Promise<void> {
  return inTransaction(async () => {
    const { Mailbox, MailboxGrant } = scoped(workspaceId);
    await MailboxGrant.updateOne({ _id: grantId }, { $set: { revokedAt: new Date(), sealedAccessToken: null } });
    const lastError = { code: "AUTH_FAILED", message: CONNECTION_ERRORS.AUTH_FAILED, at: new Date() };
    const working = trusted({ $in: ["CONNECTED", "PAUSED", "SENDING_ERROR", "COOLING_DOWN"] });
    await Mailbox.updateOne(
      { _id: mailboxId, grantId, status: working },
      { $set: { status: "RECONNECT_REQUIRED", statusReason: "TOKEN_REVOKED", lastError } },
    );
  });
}

/**
 * Nothing logs in by the consents of a mailbox any more. They are erased, those of `revocable` providers once these were told.
 * Call it in the transaction of the disconnection.
 */
export async function endGrants(mailbox: Mailbox, revocable: readonly ProviderName[]): Promise<void> {
  const { workspaceId, _id: mailboxId, email } = mailbox;
  const { MailboxGrant } = scoped(workspaceId);
  const now = new Date();
  const ending = { email, revokedAt: now, sealedAccessToken: null, accessExpiresAt: null, endsAt: new Date(now.getTime() + ENDING_MS) };
  const told = { mailboxId, provider: trusted({ $in: [...revocable] }), revokedAt: null };
  await MailboxGrant.updateMany(told, { $set: ending });
  await MailboxGrant.deleteMany({ mailboxId, endsAt: null });
}

/** The consents of a disconnected mailbox that its provider is still to be told of. */
export function endingGrants(mailboxId: string): Promise<MailboxGrant[]> {
  const ending = { mailboxId, endsAt: trusted(IS_INSTANT) };
  return MailboxGrant.find(ending, null, { acrossWorkspaces: true }).lean<MailboxGrant[]>().exec();
}

/**
 * Whether some mailbox of the same user lives by another consent, in this workspace or any other: some providers take back with one
 * token all that their user allowed.
 */
export async function isUserConnected({ workspaceId, mailboxId, provider, email }: MailboxGrant): Promise<boolean> {
  const address = email ?? (await scoped(workspaceId).Mailbox.get(mailboxId))?.email ?? null;
  const living = { email: address ?? "", provider: `PROVIDER${provider}` as const, grantId: trusted(IS_TEXT) };
  return (await Mailbox.exists(living).setOptions({ acrossWorkspaces: true })) !== null;
}

/** The servers do not take the access token any more: the next login asks for another. */
export async function forgetAccessToken(workspaceId: string, grantId: string, sealed: Sealed): Promise<void> {
  await scoped(workspaceId).MailboxGrant.updateOne(
    { _id: grantId, "sealedAccessToken.data": sealed.data },
    { $set: { sealedAccessToken: null, accessExpiresAt: null } },
  );
}
