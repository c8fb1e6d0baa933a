import { createHash } from "node:crypto";
import { DAY_MS, DAY_SECONDS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { ConnectorGrant } from "../../models/access/connector-grant.ts";
import { OAuthRecord } from "../../models/access/oauth-record.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";

/**
 * Kinds of records that are secrets. A secret's row is found by its digest, from which no one can recover the secret.
 */
const SECRETS: ReadonlySet<string> = new Set(["AccessToken", "RefreshToken", "AuthorizationCode"]);
const CLIENT = "Client";
/** A registered application that is unused for this time must register again (rules/access 5.6). */
const CLIENT_KEPT_MS = 90 * DAY_MS;

/** Lifetimes in seconds of what the authorization server issues (rules/access 5.5). */
export const LIFE_SECONDS = {
  code: MINUTE_MS / SECOND_MS,
  accessToken: HOUR_MS / SECOND_MS,
  /** Restarts with each rotation. */
  refreshToken: 30 * DAY_SECONDS,
  /** Longer than any token of the grant. */
  grant: 365 * DAY_SECONDS,
  /** From the application's request to the person's decision. */
  page: (15 * MINUTE_MS) / SECOND_MS,
  document: { min: MINUTE_MS / SECOND_MS, max: DAY_SECONDS },
} as const;

export interface FoundRecord {
  payload: Record<string, unknown>;
  consumedAt: Date | null;
}

export interface NewRecord {
  kind: string;
  id: string;
  payload: object;
  /** Seconds; undefined for a client, which expires some time after its last use. */
  expiresInSeconds: number | undefined;
}

/** Inserts or replaces a record. A connector grant expires no sooner than the last code or token made from it. */
export async function storeRecord({ kind, id, payload, expiresInSeconds }: NewRecord, now: Date): Promise<void> {
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(payload)); // leaves out what is undefined
  if (SECRETS.has(kind)) delete plain["jti"];
  const expiresAt = new Date(
    now.getTime() + (expiresInSeconds === undefined ? CLIENT_KEPT_MS : expiresInSeconds * SECOND_MS),
  );
  const [grantId, uid] = [textOf(plain["grantId"]), textOf(plain["uid"])];
  const fields = { payload: plain, grantId, uid, expiresAt };
  await OAuthRecord.updateOne({ _id: recordId(kind, id) }, { $set: fields }, { upsert: true, ...sessionOption() });
  if (grantId === null || !SECRETS.has(kind)) return;
  const across = { acrossWorkspaces: true, ...sessionOption() };
  await ConnectorGrant.updateOne({ _id: grantId }, { $max: { expiresAt } }, across);
}

/**
 * Finds a record by its id; null when there is none or it has expired. Restores the id of a token, which the row does
 * not contain.
 */
export async function findRecord(kind: string, id: string, now: Date): Promise<FoundRecord | null> {
  const live = { _id: recordId(kind, id), expiresAt: trusted({ $gt: now }) };
  const row = await OAuthRecord.findOne(live, null, sessionOption()).lean<OAuthRecord>();
  if (row === null) return null;
  if (kind === CLIENT) await keepClient(row, now);
  return { payload: SECRETS.has(kind) ? { ...row.payload, jti: id } : row.payload, consumedAt: row.consumedAt };
}

export async function findRecordByUid(kind: string, uid: string, now: Date): Promise<FoundRecord | null> {
  const live = { uid, _id: trusted({ $gte: `${kind}:`, $lt: `${kind};` }), expiresAt: trusted({ $gt: now }) };
  return OAuthRecord.findOne(live, null, sessionOption()).lean<OAuthRecord>();
}

/** Marks a record as used. Returns true when this call did it; only one of several concurrent calls gets true. */
export async function consumeRecord(kind: string, id: string, now: Date): Promise<boolean> {
  const fresh = { _id: recordId(kind, id), consumedAt: null };
  return (await OAuthRecord.updateOne(fresh, { $set: { consumedAt: now } }, sessionOption())).modifiedCount === 1;
}

export async function deleteRecord(kind: string, id: string): Promise<void> {
  await OAuthRecord.deleteOne({ _id: recordId(kind, id) }, sessionOption());
}

export function recordId(kind: string, id: string): string {
  return `${kind}:${SECRETS.has(kind) ? createHash("sha256").update(id).digest("base64url") : id}`;
}

/** Extends the lifetime of a client, at most once a day. */
async function keepClient({ _id, expiresAt }: OAuthRecord, now: Date): Promise<void> {
  const until = new Date(now.getTime() + CLIENT_KEPT_MS);
  if (until.getTime() - expiresAt.getTime() < DAY_MS) return;
  await OAuthRecord.updateOne({ _id }, { $max: { expiresAt: until } }, sessionOption());
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
