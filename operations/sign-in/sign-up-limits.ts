import { networkOf } from "../../domain/access/networks.ts";
import { countedAddress, type SignUpLimits } from "../../domain/access/sign-up.ts";
import { AppError } from "../../domain/errors.ts";
import { DAY_SECONDS, HOUR_MS } from "../../domain/time/durations.ts";
import { createRateLimit, type Rate } from "../../mongo/rate-limit.ts";
import { hashOf } from "../access/secrets.ts";
import type { AttemptSource } from "./attempts.ts";

/**
 * Counts a sign-up, and returns a function that takes the count back. @throws AppError RATE_LIMITED, without counting
 */
export type CountSignUp = (email: string, visitor: Pick<AttemptSource, "address">) => Promise<() => Promise<void>>;

/**
 * Counts sign-ups within 24 hours for an email address, a network and the deployment, across all processes
 * (rules/access 2.6). An address counts the same whether it has an account or not.
 */
export function signUpCounts({ perAddress, perNetwork, perDay }: SignUpLimits): CountSignUp {
  const ofAddress = createRateLimit("signup-address", perAddress, DAY_SECONDS);
  const ofNetwork = createRateLimit("signup-network", perNetwork, DAY_SECONDS);
  const ofAll = createRateLimit("signup-day", perDay, DAY_SECONDS);
  return async (email, { address }) => {
    const [plain = ""] = address.split("/", 1); // an IPv6 client is known by a network
    const counts: [string, () => Promise<Rate>][] = [
      ["with this email address", () => ofAddress(hashOf(countedAddress(email)))],
      ["from your network", () => ofNetwork(hashOf(networkOf(plain) ?? address))],
      ["to this service", () => ofAll("all")],
    ];
    const counted: Rate[] = [];
    const takeBack = async () => {
      await Promise.all(counted.map((rate) => rate.takeBack()));
    };
    // In order, so that what one limit refuses uses up nothing of the next
    for (const [where, count] of counts) {
      const rate = await count();
      counted.push(rate);
      if (rate.isAllowed) continue;
      await takeBack();
      throw tooMany(where, rate);
    }
    return takeBack;
  };
}

function tooMany(where: string, { resetMs }: Rate): AppError {
  const hours = Math.max(1, Math.ceil(resetMs / HOUR_MS));
  const wait = hours === 1 ? "an hour" : `${hours} hours`;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1_000));
  return new AppError("RATE_LIMITED", `Too many sign-ups ${where}: try again in ${wait}`, { retryAfterSeconds });
}
