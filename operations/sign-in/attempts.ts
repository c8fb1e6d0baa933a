import { AppError, type ErrorCode } from "../../domain/errors.ts";
import { createRateLimit, type Rate } from "../../mongo/rate-limit.ts";
import { hashOf } from "../access/secrets.ts";

const WINDOW_SECONDS = 60;
/** The most wrong passwords, codes and passkeys per minute for each counted name (rules/access 2.4). */
const MOST_WRONG = 10;
/** The most wrong credentials per minute from an address (rules/limits 1.1). */
const MOST_BAD_CREDENTIALS = 300;

const countSecret = createRateLimit("secrets", MOST_WRONG, WINDOW_SECONDS);
const countCredential = createRateLimit("credentials", MOST_BAD_CREDENTIALS, WINDOW_SECONDS);

/** The source of an attempt to sign in or to guess a secret. */
export interface AttemptSource {
  /** The client address that limits count. */
  address: string;
  /** The cookie of a browser in which the password was correct before; null in any other browser. */
  knownBrowser: string | null;
}

/**
 * Checks a secret that a person could guess: a password, a code or a passkey. The attempt is counted for each name
 * before the check, so that a thousand concurrent attempts do not all pass. Afterwards, only a wrong attempt stays
 * counted; a correct one and an internal error do not.
 * @throws AppError RATE_LIMITED, and errors of `check`
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
 * Counts an attempt that stays counted even if it succeeds, because each one is expensive. Returns a function that
 * removes the count.
 * @throws AppError RATE_LIMITED
 */
export async function countTry(against: readonly string[], what: string): Promise<() => Promise<void>> {
  const counts = await Promise.all(against.map((name) => countSecret(hashOf(name))));
  const takeBack = async () => {
    await Promise.all(counts.map((count) => count.takeBack()));
  };
  const refusals = counts.filter(({ isAllowed }) => !isAllowed);
  if (refusals.length === 0) return takeBack;
  // An attempt that was refused before the check does not count
  await takeBack();
  throw tooMany(what, refusals);
}

const UNKNOWN: readonly ErrorCode[] = ["UNAUTHENTICATED", "ROUTE_NOT_FOUND"];

/**
 * Finds what a long random credential gives access to: an API key, a cookie or the token of a link. A wrong one (null,
 * or an error with one of the `unknown` codes) is counted for its address. A correct one always passes, because many
 * people can share an address.
 * @throws AppError RATE_LIMITED instead of the error, and errors of `find`
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
