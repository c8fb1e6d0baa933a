import { type KeyRing, type Sealed, type SealPlace, seal } from "../../domain/access/seal.ts";
import { MOST_CONNECTIONS } from "../../domain/crm/limits.ts";
import type { CrmProviderName, CrmWriteBack } from "../../domain/crm/provider.ts";
import { AppError } from "../../domain/errors.ts";
import type { CrmConnection } from "../../models/crm/crm-connection.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";

/** A CRM account whose access the vendor has just confirmed. */
export interface ProvenCrm {
  provider: CrmProviderName;
  accountId: string;
  accountName: string;
  base: string;
  tokens: { apiToken: string } | { accessToken: string; refreshToken: string; expiresAt: Date };
}

/** For how many milliseconds one process may fetch a new token. Longer than a request to the vendor may take. */
const LEASE_MS = 20_000;

export function crmTokenPlace(
  workspaceId: string,
  documentId: string,
  field: "apiToken" | "refreshToken" | "accessToken",
): SealPlace {
  return { workspaceId, collection: "crm_connections", documentId, field };
}

/** The place to which the encrypted secrets of an unfinished connection are bound. */
export function crmConsentPlace(
  workspaceId: string,
  documentId: string,
  field: "code" | "verifier" | "apiToken",
): SealPlace {
  return { workspaceId, collection: "crm_consents", documentId, field };
}

const TOLD_NOTHING = {
  writeBack: { activities: false, doNotContact: false },
  toldFrom: { activities: null, doNotContact: null },
};

/**
 * Stores a connection. When the account was connected before, the connection keeps its id and the data stored for it.
 * @throws AppError LIMIT_EXCEEDED
 */
export function saveConnection(keyRing: KeyRing, workspaceId: string, proven: ProvenCrm): Promise<CrmConnection> {
  return inTransaction(async () => {
    const { CrmConnection } = scoped(workspaceId);
    const { provider, accountId, accountName, base } = proven;
    const existing = await CrmConnection.findOne({ provider, accountId });
    if (existing === null && (await CrmConnection.count()) >= MOST_CONNECTIONS) {
      throw new AppError("LIMIT_EXCEEDED", `A workspace has at most ${MOST_CONNECTIONS} CRM connections`, {
        limit: MOST_CONNECTIONS,
      });
    }
    const _id = existing?._id ?? newId("crm");
    const fields = {
      accountName,
      base,
      ...sealedTokens(keyRing, workspaceId, _id, proven.tokens),
      status: "CONNECTED" as const,
      statusReason: null,
      connectedAt: new Date(),
      leaseId: null,
      leaseUntil: null,
    };
    if (existing !== null) return (await CrmConnection.findOneAndUpdate({ _id }, { $set: fields })) ?? existing;
    return CrmConnection.insert({ _id, provider, accountId, ...fields, ...TOLD_NOTHING });
  });
}

function sealedTokens(keyRing: KeyRing, workspaceId: string, id: string, tokens: ProvenCrm["tokens"]) {
  const sealed = (field: "apiToken" | "refreshToken" | "accessToken", value: string) =>
    seal(keyRing, crmTokenPlace(workspaceId, id, field), value);
  if ("apiToken" in tokens) {
    return {
      sealedApiToken: sealed("apiToken", tokens.apiToken),
      sealedRefreshToken: null,
      sealedAccessToken: null,
      accessExpiresAt: null,
    };
  }
  return {
    sealedApiToken: null,
    sealedRefreshToken: sealed("refreshToken", tokens.refreshToken),
    sealedAccessToken: sealed("accessToken", tokens.accessToken),
    accessExpiresAt: tokens.expiresAt,
  };
}

/** @throws AppError CONNECTION_NOT_FOUND, also for a connection of another workspace */
export async function loadConnection(workspaceId: string, connectionId: string): Promise<CrmConnection> {
  const found = await scoped(workspaceId).CrmConnection.get(connectionId);
  if (found === null) throw new AppError("CONNECTION_NOT_FOUND", "No CRM connection has this id");
  return found;
}

/**
 * Takes the lease for fetching a new token, which only one process has at a time. Null when another process has the
 * lease or the connection is not connected.
 */
export function leaseConnection(
  workspaceId: string,
  connectionId: string,
  leaseId: string,
): Promise<CrmConnection | null> {
  const free = { $or: [{ $eq: ["$leaseUntil", null] }, { $lt: ["$leaseUntil", "$$NOW"] }] };
  const leaseUntil = { $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount: LEASE_MS } };
  const own = { _id: connectionId, status: "CONNECTED", $expr: free };
  return scoped(workspaceId).CrmConnection.changeOne(own, [{ $set: { leaseId, leaseUntil } }]);
}

/**
 * Ends the lease and stores the result, if there is one. Changes nothing when the lease was lost. Returns whether the
 * lease was still held.
 */
export async function releaseConnection(
  workspaceId: string,
  connectionId: string,
  leaseId: string,
  got: Partial<Pick<CrmConnection, "sealedAccessToken" | "sealedRefreshToken" | "accessExpiresAt" | "base">> = {},
): Promise<boolean> {
  const set = { ...got, leaseId: null, leaseUntil: null };
  return (await scoped(workspaceId).CrmConnection.updateOne({ _id: connectionId, leaseId }, { $set: set })) > 0;
}

/** Deletes an access token that the vendor no longer accepts, so that the next call fetches a new one. */
export async function forgetCrmToken(workspaceId: string, connectionId: string, sealed: Sealed): Promise<void> {
  await scoped(workspaceId).CrmConnection.updateOne(
    { _id: connectionId, "sealedAccessToken.data": sealed.data },
    { $set: { sealedAccessToken: null, accessExpiresAt: null } },
  );
}

/**
 * Records that a connection needs a person, because the vendor no longer accepts any of its tokens. A connection that
 * was reconnected meanwhile does not change.
 */
export async function loseConnection({ workspaceId, _id, connectedAt }: CrmConnection, reason: string): Promise<void> {
  await scoped(workspaceId).CrmConnection.updateOne(
    { _id, connectedAt, status: "CONNECTED" },
    { $set: { status: "RECONNECT_REQUIRED", statusReason: reason, sealedAccessToken: null, accessExpiresAt: null } },
  );
}

/**
 * Changes which events are written to the CRM. Earlier events are not written. @throws AppError CONNECTION_NOT_FOUND
 */
export async function changeWriteBack(
  workspaceId: string,
  connectionId: string,
  changes: Partial<CrmWriteBack>,
): Promise<CrmConnection> {
  return inTransaction(async () => {
    const before = await loadConnection(workspaceId, connectionId);
    const writeBack = { ...before.writeBack, ...changes };
    const isTold = writeBack.activities || writeBack.doNotContact;
    const toldUntil = isTold ? (before.toldUntil ?? new Date()) : null;
    const writesBackSince = (flag: keyof CrmWriteBack) =>
      writeBack[flag] ? (before.toldFrom[flag] ?? new Date()) : null;
    const toldFrom = { activities: writesBackSince("activities"), doNotContact: writesBackSince("doNotContact") };
    const change = { $set: { writeBack, toldFrom, toldUntil } };
    return (await scoped(workspaceId).CrmConnection.findOneAndUpdate({ _id: connectionId }, change)) ?? before;
  });
}

const PAGE = 1_000;

/**
 * Deletes a connection with its tokens, its imports and the data stored about its contacts. Leads and lists are kept.
 */
export async function removeConnection(workspaceId: string, connectionId: string): Promise<void> {
  const { CrmActivity, CrmConnection, CrmImport, CrmMember, CrmSegments } = scoped(workspaceId);
  await inTransaction(async () => {
    await loadConnection(workspaceId, connectionId);
    await CrmConnection.deleteOne({ _id: connectionId });
    await CrmImport.deleteMany({ connectionId });
    await CrmSegments.deleteOne({ _id: connectionId });
  });
  // A running job loads the connection in the transaction of each page, so nothing is added after this
  for (;;) {
    const members = await CrmMember.read({ connectionId }, { select: { _id: 1 }, limit: PAGE });
    if (members.length === 0) break;
    await CrmMember.deleteMany({ _id: trusted({ $in: members.map(({ _id }) => _id) }) });
  }
  await CrmActivity.deleteMany({ connectionId });
}
