import { fromStored, GRANT_POLICY, type Policy, toStored } from "../../domain/access/policy.ts";
import { AppError } from "../../domain/errors.ts";
import { isScope, type Scope } from "../../domain/scopes.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { ConnectorGrant } from "../../models/access/connector-grant.ts";
import { OAuthRecord } from "../../models/access/oauth-record.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { Principal } from "../context.ts";
import { appendAuditEntry } from "./audit.ts";
import { findRecord, LIFE_SECONDS, recordId } from "./oauth-records.ts";

const REMEMBERED_MS = 1_000;
const USE_NOTED_MS = MINUTE_MS;
const MOST_REMEMBERED = 10_000;
/** A grant that never leads to a code expires together with its consent page. */
const UNUSED_MS = LIFE_SECONDS.page * SECOND_MS;

/** The only resource for which tokens are issued: the URL of the tool server. */
export function toolServerUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

export interface NewGrant {
  /** From `newGrantId`. The authorization server's records of the grant have the same id. */
  id: string;
  workspaceId: string;
  userId: string;
  clientId: string;
  clientName: string;
  scopes: readonly Scope[];
  policy?: Policy;
  ip?: string | null;
  traceId?: string | null;
}

/** Who changes a grant: a person in the console, or the application itself. */
export type GrantActor = { kind: "CONSOLE" | "OAUTH"; id: string };

export function newGrantId(): string {
  return newId("gnt");
}

/** Stores what a person has just allowed. The caller must check that the person's role may grant it. */
export async function createGrant(
  { ip = null, traceId = null, policy = GRANT_POLICY, ...given }: NewGrant,
  now: Date,
): Promise<void> {
  const { id, workspaceId, userId, clientId, clientName, scopes } = given;
  const expiresAt = new Date(now.getTime() + UNUSED_MS);
  await inTransaction(async () => {
    await scoped(workspaceId).ConnectorGrant.insert({
      _id: id,
      userId,
      clientId,
      clientName,
      scopes: [...scopes],
      policy: toStored(policy),
      expiresAt,
    });
    const input = { id, userId, name: clientName, scopes, policy };
    const actor = { kind: "CONSOLE" as const, id: userId };
    await appendAuditEntry({ workspaceId, actor, action: "connectors.grant", input, ip, traceId }, "DONE", null);
  });
}

/** The permission that a person gave to an OAuth client, with the fields that its list shows. */
export type GrantListed = Pick<
  ConnectorGrant,
  "_id" | "workspaceId" | "userId" | "clientId" | "clientName" | "scopes" | "createdAt" | "lastUsedAt" | "expiresAt"
> & { policy: Policy };

/** The unexpired grants of a workspace, or of one of its members, newest first. */
export async function listGrants(workspaceId: string, userId: string | null, now: Date): Promise<GrantListed[]> {
  const living = { expiresAt: trusted({ $gt: now }), ...(userId !== null && { userId }) };
  return (await scoped(workspaceId).ConnectorGrant.find(living, { sort: { createdAt: -1, _id: -1 } })).map(listed);
}

function listed(grant: ConnectorGrant): GrantListed {
  return { ...grant, policy: fromStored(grant.policy) };
}

/** An unexpired grant; null for one that ended or belongs to another workspace. */
export async function findGrant(workspaceId: string, id: string, now: Date): Promise<GrantListed | null> {
  const grant = await scoped(workspaceId).ConnectorGrant.get(id);
  return grant === null || grant.expiresAt <= now ? null : listed(grant);
}

/** Finds a grant by its id alone, because the authorization server knows the grant before the workspace. */
export async function findGrantOf(id: string): Promise<GrantListed | null> {
  const grant = await ConnectorGrant.findOne({ _id: id }, null, {
    acrossWorkspaces: true,
    ...sessionOption(),
  }).lean<ConnectorGrant>();
  return grant === null ? null : listed(grant);
}

/** Changes the policy of a grant; it applies within a second. Returns false when there is no such grant. */
export async function changeGrantPolicy(
  workspaceId: string,
  id: string,
  policy: Policy,
  actor: GrantActor,
): Promise<boolean> {
  const isChanged = await inTransaction(async () => {
    const matched = await scoped(workspaceId).ConnectorGrant.updateOne(
      { _id: id },
      { $set: { policy: toStored(policy) } },
    );
    if (matched === 0) return null;
    await appendAuditEntry(
      { workspaceId, actor, action: "connectors.changePolicy", input: { id, policy } },
      "DONE",
      null,
    );
    return true;
  });
  forget(id);
  return isChanged ?? false;
}

/**
 * Revokes a grant with all its codes and tokens. Requests with them are refused after a second at most. Returns false
 * when it had already ended.
 */
export async function revokeGrant(workspaceId: string, id: string, actor: GrantActor): Promise<boolean> {
  const isRevoked = await inTransaction(async () => {
    const deleted = await scoped(workspaceId).ConnectorGrant.deleteOne({ _id: id });
    if (deleted === 0) return null;
    await deleteRecordsOf(id);
    await appendAuditEntry({ workspaceId, actor, action: "connectors.revoke", input: { id } }, "DONE", null);
    return true;
  });
  forget(id);
  return isRevoked ?? false;
}

/** Revokes a grant on request of its application, or because one of its codes or tokens was used twice. */
export async function revokeOwnGrant(id: string): Promise<void> {
  const grant = await findGrantOf(id);
  if (grant === null) await deleteRecordsOf(id);
  else await revokeGrant(grant.workspaceId, id, { kind: "OAUTH", id });
}

/**
 * Revokes a member's grants that exceed these scopes, or all of them (null), in the running transaction if there is
 * one. Returns their number.
 */
export async function revokeGrantsBeyond(
  workspaceId: string,
  userId: string,
  allowed: readonly Scope[] | null,
  actor: GrantActor,
): Promise<number> {
  return inTransaction(async () => {
    const grants = await scoped(workspaceId).ConnectorGrant.find({ userId });
    const beyond = grants.filter(({ scopes }) => allowed === null || scopes.some((scope) => !allowed.includes(scope)));
    for (const { _id } of beyond) await revokeGrant(workspaceId, _id, actor);
    return beyond.length;
  });
}

async function deleteRecordsOf(grantId: string): Promise<number> {
  const either = { $or: [{ grantId }, { _id: recordId("Grant", grantId) }] };
  return (await OAuthRecord.deleteMany(either, sessionOption())).deletedCount;
}

interface Remembered {
  principal: Principal;
  until: number;
}

const remembered = new Map<string, Remembered>();

/**
 * Finds the principal of an access token at the tool server.
 * @throws AppError UNAUTHENTICATED, with the same message for an unknown, expired or revoked token and for a token for
 * another resource
 */
export async function verifyConnectorToken(value: string, publicUrl: string, now: Date): Promise<Principal> {
  const digested = recordId("AccessToken", value);
  const cached = remembered.get(digested);
  if (cached !== undefined && cached.until > now.getTime()) return cached.principal;
  remembered.delete(digested);
  const token = tokenOf((await findRecord("AccessToken", value, now))?.payload);
  if (token === null || token.aud !== toolServerUrl(publicUrl) || token.exp * 1_000 <= now.getTime())
    throw invalidToken();
  // A token that was issued while the grant was being revoked has no grant any more
  const grant = await findGrant(token.workspaceId, token.grantId, now);
  if (grant === null || grant.userId !== token.accountId) throw invalidToken();
  const principal = principalOf(grant, token.scope);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(digested, { principal, until: Math.min(now.getTime() + REMEMBERED_MS, token.exp * 1_000) });
  noteUse(grant, now);
  return principal;
}

function invalidToken(): AppError {
  return new AppError(
    "UNAUTHENTICATED",
    "A valid API key or connector token is needed: Authorization: Bearer <credential>",
  );
}

interface Token {
  accountId: string;
  grantId: string;
  workspaceId: string;
  aud: string;
  scope: string;
  exp: number;
}

function tokenOf(payload: Record<string, unknown> | undefined): Token | null {
  const { accountId, grantId, aud, exp, scope = "", extra } = payload ?? {};
  const workspaceId = typeof extra === "object" && extra !== null ? Reflect.get(extra, "workspaceId") : null;
  if (typeof accountId !== "string" || typeof grantId !== "string" || typeof workspaceId !== "string") return null;
  if (typeof aud !== "string" || typeof scope !== "string" || typeof exp !== "number") return null;
  return { accountId, grantId, workspaceId, aud: aud.replace(/\/$/, ""), scope, exp };
}

function principalOf({ _id, workspaceId, userId, clientName, scopes, policy }: GrantListed, scope: string): Principal {
  const grantedScopes = scope
    .split(" ")
    .filter(isScope)
    .filter((one) => scopes.includes(one));
  return {
    credentialId: _id,
    kind: "OAUTH",
    workspaceId,
    userId,
    name: clientName,
    scopes: new Set(grantedScopes),
    policy,
  };
}

/** Stores the time of use at most once a minute. The caller does not wait for it and does not fail because of it. */
function noteUse({ _id, workspaceId, lastUsedAt }: GrantListed, now: Date): void {
  if (lastUsedAt !== null && lastUsedAt.getTime() > now.getTime() - USE_NOTED_MS) return;
  scoped(workspaceId)
    .ConnectorGrant.updateOne({ _id }, { $max: { lastUsedAt: now } })
    .then(
      () => {},
      () => {},
    );
}

function forget(id: string): void {
  for (const [digested, { principal }] of remembered) if (principal.credentialId === id) remembered.delete(digested);
}
