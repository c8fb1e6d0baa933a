import { createHash, createHmac } from "node:crypto";
import { open, type Sealed, seal } from "../domain/access/seal.ts";
import { AppError, type ErrorCode } from "../domain/errors.ts";
import { DAY_MS } from "../domain/time/durations.ts";
import type { IdempotencyKey } from "../models/access/idempotency-key.ts";
import { scoped } from "../models/scoped.ts";
import { isDuplicateKey } from "../mongo/duplicate.ts";
import { hasFailedPart, inTransaction } from "../mongo/transaction.ts";
import type { PurposeKey } from "./access/signing-keys.ts";
import type { Context } from "./context.ts";

const KEPT_MS = DAY_MS;
/** The time after which another process may take over the key. The previous process then cannot commit. */
const LOCK_MS = 10_000;
/** An operation that waits for a workflow runs outside a transaction, so the row is its only lock. */
const APART_LOCK_MS = 90_000;
const MOST_TRIES = 3;
/** The newest row format that this version reads, and the seconds after which a retry may reach a newer version. */
const [NEWEST_FORM, NEWER_SECONDS] = [1, 5];
const LONGEST_MS = 5_000;

/** The idempotency key that a caller gave one write. */
export interface WriteKey {
  key: string;
  /**
   * The scope of the key within its workspace: the method and path of a request, or the tool. The API and the tool
   * server therefore never share a key.
   */
  place: readonly string[];
}

export interface NamedWrite extends WriteKey {
  /**
   * True for an operation that sends emails. It waits for a worker, which could not see an open transaction, and its
   * send is stored under the same key.
   */
  sends: boolean;
  /** Response fields that are not kept for a replay (rules/security 5.2). */
  showsOnce: readonly string[];
  /** What a repetition must equal: the input, with the name of the selected action. */
  request: unknown;
}

/** The stored response. Rows of earlier versions also contain the HTTP status, which follows from the path. */
interface Answered {
  body: unknown;
}

type Outcome = Answered | { refusal: { code: ErrorCode; message: string; details?: Record<string, unknown> } };
type Run = (ctx: Context) => Promise<unknown>;

/**
 * Runs a write once per key, for 24 h (rules/security 7.1). The response is stored in the transaction of the effect, so
 * after a crash both exist or neither. `onReplay` is called when the stored response is returned.
 * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, and errors of the write
 */
export async function once(ctx: Context, write: NamedWrite, run: Run, onReplay = () => {}): Promise<unknown> {
  const row = await claim(ctx, write);
  if ("stored" in row) {
    onReplay();
    if ("refusal" in row.stored) throw refusalOf(row.stored.refusal);
    return keptOf(row.stored.body, write.showsOnce);
  }
  try {
    return await (write.sends ? apart(ctx, row, run) : together(ctx, row, run));
  } catch (err) {
    if (isFinal(err))
      await store(ctx, row, {
        refusal: { code: err.code, message: err.message, ...(err.details && { details: err.details }) },
      });
    else await release(ctx, row, err);
    throw err;
  }
}

interface Claimed {
  id: string;
  lockedUntil: Date;
  showsOnce: readonly string[];
}

async function claim(
  ctx: Context,
  { key, place, request, showsOnce }: NamedWrite,
): Promise<Claimed | { stored: Outcome }> {
  const { IdempotencyKey } = scoped(ctx.workspaceId);
  const id = hash([ctx.workspaceId, ...place, key]);
  const body = bodyOf(ctx, request);
  const now = new Date();
  const lockedUntil = new Date(now.getTime() + LOCK_MS);
  try {
    await IdempotencyKey.insert({
      _id: id,
      bodyHash: body.hash,
      lockedUntil,
      expiresAt: new Date(now.getTime() + KEPT_MS),
    });
    return { id, lockedUntil, showsOnce };
  } catch (err) {
    if (!isDuplicateKey(err)) throw err;
  }
  const row = await IdempotencyKey.get(id);
  if (row === null) throw inProgress(1);
  if ((row.form ?? 1) > NEWEST_FORM) throw inProgress(NEWER_SECONDS);
  if (!body.is(row.bodyHash))
    throw new AppError("IDEMPOTENCY_KEY_REUSED", "This idempotency key belongs to another request");
  if (row.isDone) return { stored: unseal(ctx, row) };
  if (row.lockedUntil > now) throw inProgress(Math.ceil((row.lockedUntil.getTime() - now.getTime()) / 1_000));
  const taken = await IdempotencyKey.updateOne(
    { _id: id, isDone: false, lockedUntil: row.lockedUntil },
    { $set: { lockedUntil } },
  );
  if (taken === 0) throw inProgress(1);
  return { id, lockedUntil, showsOnce };
}

/**
 * Thrown when work does not fit in a transaction: it waits for a workflow, takes too long, continues after a part of it
 * failed, or needs a rehearsal, which would wait for its writes.
 */
export class Apart extends Error {}

/**
 * Runs `work` in one transaction, with a context that refuses to wait for Temporal. Returns null when a transaction
 * cannot hold the work; then nothing of it is stored.
 */
export async function asOneTransaction<T>(
  ctx: Context,
  work: (ctx: Context) => Promise<T>,
  atEnd: (answer: T) => Promise<void> = async () => {},
): Promise<{ answer: T } | null> {
  let awaitsEngine = false;
  const leave = async () => {
    awaitsEngine = true;
    throw new Apart();
  };
  const engine = { ...ctx.services.engine, execute: leave, start: leave, isReachable: leave };
  try {
    return await inTransaction(async () => {
      const answer = await work({ ...ctx, services: { ...ctx.services, engine } });
      if (awaitsEngine || hasFailedPart()) throw new Apart();
      await atEnd(answer);
      return { answer };
    });
  } catch (err) {
    if (awaitsEngine || err instanceof Apart || isRefusedInTransaction(err)) return null;
    throw err;
  }
}

/** Returns true when the database refused a command because of the surrounding transaction, so nothing was stored. */
function isRefusedInTransaction(err: unknown): boolean {
  if (!(err instanceof Error)) return false;
  const code = "code" in err ? err.code : null;
  return err.name === "MongoTransactionError" || code === 251 || code === 263 || code === 290;
}

async function together(ctx: Context, row: Claimed, run: Run): Promise<unknown> {
  const deadline = Date.now() + LONGEST_MS;
  let tries = 0;
  const write = async (within: Context) => {
    if (++tries > MOST_TRIES || (tries > 1 && Date.now() > deadline)) throw new Apart();
    await scoped(ctx.workspaceId).IdempotencyKey.get(row.id); // opens the transaction before parallel reads
    return run(within);
  };
  const done = await asOneTransaction(ctx, write, (body) => store(ctx, row, { body }));
  return done === null ? apart(ctx, row, run) : done.answer;
}

async function apart(ctx: Context, row: Claimed, run: Run): Promise<unknown> {
  const lockedUntil = new Date(Date.now() + APART_LOCK_MS);
  const mine = { _id: row.id, isDone: false, lockedUntil: row.lockedUntil };
  if ((await scoped(ctx.workspaceId).IdempotencyKey.updateOne(mine, { $set: { lockedUntil } })) === 0)
    throw inProgress(1);
  row.lockedUntil = lockedUntil;
  const body = await run(ctx);
  await store(ctx, row, { body });
  return body;
}

/**
 * @throws AppError IDEMPOTENCY_IN_PROGRESS when another process has taken over the row, so that this write cannot
 * commit
 */
async function store(ctx: Context, row: Claimed, outcome: Outcome): Promise<void> {
  const kept = "refusal" in outcome ? outcome : { body: keptOf(outcome.body, row.showsOnce) };
  const answer = seal(ctx.services.keyRing, placeOf(ctx, row.id), JSON.stringify(kept));
  const mine = { _id: row.id, isDone: false, lockedUntil: row.lockedUntil };
  if ((await scoped(ctx.workspaceId).IdempotencyKey.updateOne(mine, { $set: { isDone: true, answer } })) === 0)
    throw inProgress(1);
}

/** A response without the fields that are shown only once. */
function keptOf(body: unknown, showsOnce: readonly string[]): unknown {
  if (showsOnce.length === 0 || typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !showsOnce.includes(name)));
}

/**
 * Deletes the row, so that the caller can retry an internal error immediately. If deleting fails, a retry works once
 * the lock has expired.
 */
async function release(ctx: Context, row: Claimed, err: unknown): Promise<void> {
  const { IdempotencyKey } = scoped(ctx.workspaceId);
  const released = IdempotencyKey.deleteOne({ _id: row.id, isDone: false, lockedUntil: row.lockedUntil }).catch(
    () => 0,
  );
  // After a database error this does not wait for the database again
  if (!(err instanceof Error && err.name.startsWith("Mongo"))) await released;
}

function unseal(ctx: Context, row: IdempotencyKey): Outcome {
  return JSON.parse(open(ctx.services.keyRing, placeOf(ctx, row._id), row.answer as Sealed)); // only `store` writes it
}

function placeOf({ workspaceId }: Context, documentId: string) {
  return { workspaceId, collection: "idempotency_keys", documentId, field: "answer" };
}

function refusalOf({
  code,
  message,
  details,
}: {
  code: ErrorCode;
  message: string;
  details?: Record<string, unknown>;
}): AppError {
  return new AppError(code, message, details);
}

function inProgress(retryAfterSeconds: number): AppError {
  return new AppError("IDEMPOTENCY_IN_PROGRESS", "The request of this idempotency key is still running", {
    retryAfterSeconds,
  });
}

/**
 * Refusals that do not use up the key: the key is in use, or the emails may not be sent without a plan or approval, or
 * not today.
 */
const LEFT_OPEN: readonly ErrorCode[] = [
  "IDEMPOTENCY_IN_PROGRESS",
  "PLAN_REQUIRED",
  "PLAN_STALE",
  "SEND_BUDGET_EXCEEDED",
  "SENDING_NOT_ALLOWED",
  "EFFECT_NOT_ALLOWED",
  "WORKSPACE_SUSPENDED",
  "ADDRESS_NOT_CONFIRMED",
];

/** Returns true for a refusal to store. 429, 5xx and the codes of LEFT_OPEN are not stored. */
function isFinal(err: unknown): err is AppError {
  return err instanceof AppError && err.status < 500 && err.status !== 429 && !LEFT_OPEN.includes(err.code);
}

/**
 * The hash of a request for the row. It is keyed, because an input may contain a password that could be guessed
 * from a plain hash. Rows of earlier versions contain a plain hash until they expire after a day. Those of a selected
 * action have no action in their hash, so a repetition by this version is refused and changes nothing.
 */
function bodyOf({ services: { signing } }: Context, request: unknown): { hash: string; is(kept: string): boolean } {
  const plain = hash(request);
  const keyed = ({ kid, key }: PurposeKey) => `${kid}.${createHmac("sha256", key).update(plain).digest("base64url")}`;
  return {
    hash: keyed(signing.idempotency[0]),
    is: (kept) => kept === plain || signing.idempotency.some((key) => kept === keyed(key)),
  };
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
