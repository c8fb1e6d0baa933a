import { AppError, type ErrorCode } from "../../domain/errors.ts";
import { createRateLimit, type Rate } from "../../mongo/rate-limit.ts";
import { hashOf } from "../access/secrets.ts";

const WINDOW_SECONDS = 60;
/** Wrong passwords, codes and passkeys a minute for each name that they count against (rules/access 2.4). */
const MOST_WRONG = 10;
/** Wrong credentials a minute from an address (rules/limits 1.1). */
const MOST_BAD_CREDENTIALS = 300;

const countSecret = createRateLimit("secrets", MOST_WRONG, WINDOW_SECONDS);
const countCredential = createRateLimit("credentials", MOST_BAD_CREDENTIALS, WINDOW_SECONDS);

/** The source of an attempt to sign in or to guess a secret. */
export interface AttemptSource {
  /** The network address as limits count it. */
  address: string;
  /** The cookie of a browser in which a password was once right; null in any other. */
  knownBrowser: string | null;
}

/**
 * Checks a secret that a person could guess: a password, a code, a passkey. The try is counted against each name before
 * it is made, so that a thousand at once are not all let through. A right try, and one that failed on our side, is not
 * counted in the end; a refused one is.
 * @throws AppError RATE_LIMITED, and what `check` throws
 */
export async function guess<T>(against: readonly string[], what: string, check: () => Promise<T>): Promise<T> {
  const takeBack = await countTry(against, what);
  try {
    const checked = await check();
    await takeBack();
    return checked;
  } catch (err) {
    if (!(err instanceof AppError) || err.status >= 500) await takeBack();
    throw err;
  }
}

/**
 * Counts a try that stays counted when it was right, because each one costs something. Returns what takes it back.
 * @throws AppError RATE_LIMITED
 */
export async function countTry(against: readonly string[], what: string): Promise<() => Promise<void>> {
  const counts = await Promise.all(against.map((name) => countSecret(hashOf(name))));
  const takeBack = async () => {
    await Promise.all(counts.map((count) => count.takeBack()));
  };
  const refusals = counts.filter(({ isAllowed }) => !isAllowed);
  if (refusals.length === 0) return takeBack;
  // What was not checked is no guess
  await takeBack();
  throw tooMany(what, refusals);
}

const UNKNOWN: readonly ErrorCode[] = ["UNAUTHENTICATED", "ROUTE_NOT_FOUND"];

/**
 * Finds what a long random credential opens: a key, a cookie, the token of a link. One that is wrong (null, or a
 * refusal of these codes) is counted against its address. A right one always passes, since many people share an
 * address.
 * @throws AppError RATE_LIMITED instead of the refusal, and what `find` throws
 */
export async function credential<T>(
  address: string,
  find: () => Promise<T>,
  unknown: readonly ErrorCode[] = UNKNOWN,
): Promise<T> {
  try {
    const found = await find();
    if (found === null) await refuseTooManyBad(address);
    return found;
  } catch (err) {
    if (err instanceof AppError && unknown.includes(err.code)) await refuseTooManyBad(address);
    throw err;
  }
}

async function refuseTooManyBad(address: string): Promise<void> {
  const count = await countCredential(address);
  if (!count.isAllowed) throw tooMany("wrong credentials", [count]);
}

function tooMany(what: string, refusals: readonly Rate[]): AppError {
  const retryAfterSeconds = Math.max(1, ...refusals.map(({ resetMs }) => Math.ceil(resetMs / 1_000)));
  const wait = retryAfterSeconds === 1 ? "a second" : `${retryAfterSeconds} seconds`;
  return new AppError("RATE_LIMITED", `Too many ${what}: try again in ${wait}`, { retryAfterSeconds });
}
