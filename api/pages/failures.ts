import { ipKeyGenerator } from "express-rate-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { AppError } from "../../domain/errors.ts";

const WINDOW_SECONDS = 60;
/** Wrong passwords a minute from an address, and for an account (rules/access 2.4). */
const MOST_FAILURES = 10;

const limiter = new RateLimiterMemory({ points: MOST_FAILURES, duration: WINDOW_SECONDS });

export interface Attempt {
  ip: string | null;
  account: string;
  /** The cookie of a browser in which this account's password was once right; null for any other. */
  knownBrowser: string | null;
  /** What there were too many of; wrong passwords when unset. */
  what?: string;
}

/**
 * Counts a try before it is made, so that a thousand at once are not all let through. The browser of the account itself counts apart:
 * whoever guesses from elsewhere keeps nobody out. The function returned takes the count back; call it when the try was right.
 * @throws AppError RATE_LIMITED
 */
export async function countAttempt({ ip, account, knownBrowser, what = "wrong passwords" }: Attempt): Promise<() => Promise<void>> {
  const address = `address:${ipKeyGenerator(ip ?? "unknown")}`;
  const keys = knownBrowser === null ? [address, `account:${account.trim().toLowerCase()}`] : [`browser:${knownBrowser}`];
  for (const key of keys) {
    const { consumedPoints, msBeforeNext } = await limiter.penalty(key, 1);
    if (consumedPoints <= MOST_FAILURES) continue;
    const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
    throw new AppError("RATE_LIMITED", `Too many ${what}: wait a minute`, { retryAfterSeconds });
  }
  return async () => {
    for (const key of keys) await limiter.reward(key, 1);
  };
}
