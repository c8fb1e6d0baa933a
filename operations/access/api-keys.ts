import { createHash, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { fromStored, KEY_POLICY, type Policy, toStored } from "../../domain/access/policy.ts";
import { AppError } from "../../domain/errors.ts";
import { isScope, type Scope } from "../../domain/scopes.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import { currentSession, inTransaction } from "../../mongo/transaction.ts";
import type { Principal } from "../context.ts";
import { appendAuditEntry } from "./audit.ts";
import { findOwner } from "./workspaces.ts";

const FORM = /^(ocp_live_([0-9A-Za-z]{12})_([0-9A-Za-z]{32}))([0-9A-Za-z]{6})$/;
const REMEMBERED_MS = 1_000;
const USE_NOTED_MS = MINUTE_MS;
const MOST_REMEMBERED = 10_000;

export interface NewKey {
  workspaceId: string;
  name: string;
  scopes: readonly Scope[];
  createdBy: string;
  expiresAt?: Date;
  policy?: Policy;
}

/**
 * Stores a key and returns its text, which can never be shown again (rules/security 1.1). The caller must check who may
 * grant which scope.
 */
export async function createKey({
  workspaceId,
  name,
  scopes,
  createdBy,
  expiresAt,
  policy = KEY_POLICY,
}: NewKey): Promise<{ id: string; key: string }> {
  const keyId = randomBase62(12);
  const secret = randomBase62(32);
  const id = newId("key");
  const secretHash = digest(secret).toString("hex");
  const row = {
    _id: id,
    workspaceId,
    keyId,
    secretHash,
    name,
    scopes: [...scopes],
    createdBy,
    expiresAt: expiresAt ?? null,
    policy: toStored(policy),
  };
  await inTransaction(async () => {
    await new ApiKey(row).save({ session: currentSession() });
    await appendAuditEntry(
      { workspaceId, actor: { kind: "CONSOLE", id: createdBy }, action: "keys.create", input: { id, name, scopes } },
      "DONE",
      null,
    );
  });
  const text = `ocp_live_${keyId}_${secret}`;
  return { id, key: text + check(text) };
}

/** Revokes a key. Requests with it are refused after a second at most. Repeating the call changes nothing. */
export async function revokeKey(workspaceId: string, id: string, now: Date, by = "console"): Promise<void> {
  await inTransaction(async () => {
    const live = { _id: id, workspaceId, revokedAt: null };
    const { matchedCount } = await ApiKey.updateOne(live, { $set: { revokedAt: now } }).session(currentSession());
    if (matchedCount === 0) return;
    await appendAuditEntry(
      { workspaceId, actor: { kind: "CONSOLE", id: by }, action: "keys.revoke", input: { id } },
      "DONE",
      null,
    );
  });
  for (const [digested, { principal }] of remembered) if (principal.credentialId === id) remembered.delete(digested);
}

/**
 * Revokes a key of any workspace for the operator; the audit log names the owner of that workspace. Returns false when
 * no workspace has such a key.
 */
export async function revokeAnywhere(id: string, now: Date): Promise<boolean> {
  const key = await ApiKey.findOne({ _id: id }, { workspaceId: 1 }).lean<Pick<ApiKey, "workspaceId">>();
  if (key === null) return false;
  await revokeKey(key.workspaceId, id, now, await ownerNamed(key.workspaceId));
  return true;
}

const LISTED = ["_id", "workspaceId", "name", "scopes", "createdAt", "expiresAt", "lastUsedAt", "revokedAt"] as const;
export type KeyListed = Pick<ApiKey, (typeof LISTED)[number]>;

/**
 * Lists the keys of one workspace or of all, oldest first, for the operator. The audit log of each listed workspace
 * records it in the name of its owner. @throws Error when there is no such workspace
 */
export async function listKeys(workspaceId: string | null): Promise<KeyListed[]> {
  if (workspaceId !== null) await ownerNamed(workspaceId);
  const keys = await ApiKey.find(workspaceId === null ? {} : { workspaceId }, [...LISTED])
    .sort({ _id: 1 })
    .lean<KeyListed[]>();
  for (const listedWorkspaceId of new Set(keys.map((key) => key.workspaceId))) {
    const actor = { kind: "CONSOLE" as const, id: await ownerNamed(listedWorkspaceId) };
    await appendAuditEntry({ workspaceId: listedWorkspaceId, actor, action: "keys.list", input: {} }, "DONE", null);
  }
  return keys;
}

async function ownerNamed(workspaceId: string): Promise<string> {
  const owner = await findOwner(workspaceId);
  if (owner === null) throw new Error(`There is no workspace ${workspaceId}`);
  return owner;
}

interface Remembered {
  principal: Principal;
  until: number;
}

const remembered = new Map<string, Remembered>();

/**
 * Finds the principal of a key.
 * @throws AppError UNAUTHENTICATED, with the same message for a malformed, unknown, expired or revoked key
 */
export async function verifyApiKey(value: string, now: Date, ip: string | null = null): Promise<Principal> {
  const [, text = "", keyId = "", secret = "", sum = ""] = FORM.exec(value) ?? [];
  if (text === "" || check(text) !== sum) throw invalidKey();
  const digested = digest(value).toString("base64");
  const cached = remembered.get(digested);
  if (cached !== undefined && cached.until > now.getTime()) return cached.principal;
  remembered.delete(digested);
  const row = await ApiKey.findOne({ keyId }).lean<ApiKey>();
  // Compares also when there is no key, so that an unknown key takes as long as a known one
  const matches = timingSafeEqual(digest(secret), row === null ? DUMMY : Buffer.from(row.secretHash, "hex"));
  if (row === null || !matches || row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= now))
    throw invalidKey();
  const principal = principalOf(row);
  const until = Math.min(now.getTime() + REMEMBERED_MS, row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(digested, { principal, until });
  noteUse(row, now, ip);
  return principal;
}

export function invalidKey(): AppError {
  return new AppError("UNAUTHENTICATED", "A valid API key is needed: Authorization: Bearer <key>");
}

const DUMMY = Buffer.alloc(32);

function principalOf({ _id, workspaceId, createdBy, scopes, name, policy }: ApiKey): Principal {
  const permissions = { scopes: new Set(scopes.filter(isScope)), policy: fromStored(policy) };
  return { credentialId: _id, kind: "API_KEY", workspaceId, userId: createdBy, name, ...permissions };
}

/** Stores the time of use at most once a minute. The caller does not wait for it and does not fail because of it. */
function noteUse({ _id, lastUsedAt }: ApiKey, now: Date, ip: string | null): void {
  const before = new Date(now.getTime() - USE_NOTED_MS);
  if (lastUsedAt !== null && lastUsedAt > before) return;
  const stale = { _id, $or: [{ lastUsedAt: null }, { lastUsedAt: trusted({ $lte: before }) }] };
  ApiKey.updateOne(stale, { $set: { lastUsedAt: now, lastUsedIp: ip } }).then(
    () => {},
    () => {},
  );
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** The CRC-32 of the text in 6 base62 characters. Secret scanners use it to recognise a leaked key. */
function check(text: string): string {
  let sum = "";
  for (let rest = crc32(text); sum.length < 6; rest = Math.floor(rest / 62)) sum = BASE62.charAt(rest % 62) + sum;
  return sum;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
