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
/** Only says when another process may try: a process that lost the row cannot commit. */
const LOCK_MS = 10_000;
/** A verb that awaits a workflow runs outside a transaction, and its row is its only lock. */
const APART_LOCK_MS = 90_000;
const MOST_TRIES = 3;
/**
 * The newest form of a row that this version reads, and the seconds after which a caller may have reached a newer
 * version.
 */
const [NEWEST_FORM, NEWER_SECONDS] = [1, 5];
const LONGEST_MS = 5_000;

/** The name that a caller gave one write, to have it run once. */
export interface WriteKey {
  key: string;
  /**
   * Where the key counts, besides its workspace: the method and path of a request, so that two doors never share one.
   */
  place: readonly string[];
}

export interface NamedWrite extends WriteKey {
  /**
   * What puts mail on the wire is claimed by its own key and awaits a worker, which sees nothing of an open
   * transaction.
   */
  sends: boolean;
  /** Fields of the answer that are not kept for a replay (rules/security 5.2). */
  showsOnce: readonly string[];
  input: unknown;
}

/** As a row keeps it. Rows of earlier versions also have the status of HTTP, which follows from the place. */
interface Answered {
  body: unknown;
}

type Outcome = Answered | { refusal: { code: ErrorCode; message: string; details?: Record<string, unknown> } };
type Run = (ctx: Context) => Promise<unknown>;

/**
 * Runs a write once per key, for 24 h (rules/security 7.1). The response is stored in the transaction of the effect, so
 * a process killed between the two leaves both or neither. `onReplay` is called when the stored response is returned.
 * @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, and whatever the write refuses with.
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
  { key, place, input, showsOnce }: NamedWrite,
): Promise<Claimed | { stored: Outcome }> {
  const { IdempotencyKey } = scoped(ctx.workspaceId);
  const id = hash([ctx.workspaceId, ...place, key]);
  const body = bodyOf(ctx, input);
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
 * A transaction cannot hold this work: it awaits the engine, lasts too long or fails in a part after which it would
 * continue.
 */
class Apart extends Error {}

/**
 * Runs `work` in one transaction, with a context whose engine no one may await. Null: a transaction cannot hold it, and
 * nothing of it is there.
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

/** The database refused a command because of the transaction around it, so nothing of it is there. */
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
    await scoped(ctx.workspaceId).IdempotencyKey.get(row.id); // opens the transaction before the verb reads in parallel
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

/** @throws AppError IDEMPOTENCY_IN_PROGRESS when another took the row over: then this write must not commit. */
async function store(ctx: Context, row: Claimed, outcome: Outcome): Promise<void> {
  const kept = "refusal" in outcome ? outcome : { body: keptOf(outcome.body, row.showsOnce) };
  const answer = seal(ctx.services.keyRing, placeOf(ctx, row.id), JSON.stringify(kept));
  const mine = { _id: row.id, isDone: false, lockedUntil: row.lockedUntil };
  if ((await scoped(ctx.workspaceId).IdempotencyKey.updateOne(mine, { $set: { isDone: true, answer } })) === 0)
    throw inProgress(1);
}

/** An answer without what is shown once. */
function keptOf(body: unknown, showsOnce: readonly string[]): unknown {
  if (showsOnce.length === 0 || typeof body !== "object" || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !showsOnce.includes(name)));
}

/** What failed on our side may be tried again at once; when even this fails the lock's end lets it. */
async function release(ctx: Context, row: Claimed, err: unknown): Promise<void> {
  const { IdempotencyKey } = scoped(ctx.workspaceId);
  const released = IdempotencyKey.deleteOne({ _id: row.id, isDone: false, lockedUntil: row.lockedUntil }).catch(
    () => 0,
  );
  // A database that was just waited for in vain is not waited for again
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
 * Refusals that leave the key to the corrected call: the key itself is in use, or the mail may not be sent so, or not
 * today.
 */
const LEFT_OPEN: readonly ErrorCode[] = [
  "IDEMPOTENCY_IN_PROGRESS",
  "PLAN_REQUIRED",
  "PLAN_STALE",
  "SEND_BUDGET_EXCEEDED",
  "SENDING_NOT_ALLOWED",
  "EFFECT_NOT_ALLOWED",
];

/** 429 and 5xx are not stored, nor is what leaves the key open. */
function isFinal(err: unknown): err is AppError {
  return err instanceof AppError && err.status < 500 && err.status !== 429 && !LEFT_OPEN.includes(err.code);
}

/**
 * What a request said, as the row keeps it: a keyed hash, since a body may hold a password that could be guessed from a
 * plain one. Rows of earlier versions have that plain one, for the day that they live.
 */
function bodyOf({ services: { signing } }: Context, input: unknown): { hash: string; is(kept: string): boolean } {
  const plain = hash(input);
  const keyed = ({ kid, key }: PurposeKey) => `${kid}.${createHmac("sha256", key).update(plain).digest("base64url")}`;
  return {
    hash: keyed(signing.idempotency[0]),
    is: (kept) => kept === plain || signing.idempotency.some((key) => kept === keyed(key)),
  };
}

function hash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
