import { DAY_MS } from "../time/durations.ts";

/** States of a mailbox's warmup (rules/warmup 1). */
export const WARMUP_STATUSES = ["ACTIVE", "PAUSED", "STOPPED", "RECONNECT_REQUIRED", "SUSPENDED"] as const;
export type WarmupStatus = (typeof WARMUP_STATUSES)[number];

export const WARMUP_PRESETS = ["COLD", "WARM", "AGGRESSIVE", "CUSTOM"] as const;
export type WarmupPreset = (typeof WARMUP_PRESETS)[number];

export const WARMUP_LANGUAGES = ["en", "de", "fr", "es"] as const;
export type WarmupLanguage = (typeof WARMUP_LANGUAGES)[number];

/** How a mailbox warms up. Rates are shares of 0 to 1. */
export interface WarmupConfig {
  /** The number of emails on the first day, and how many more are sent on each later day, up to `max`. */
  start: number;
  increment: number;
  max: number;
  /** The share of the mailbox's emails that are answers, and of its opening emails that get an answer. */
  replyRate: number;
  weekdaysOnly: boolean;
  /**
   * The share of received emails in Junk that are taken out, and of all received emails that are marked as important.
   */
  spamRescueRate: number;
  importantRate: number;
  /** The folder to which received emails are moved; empty: they stay where they arrived. */
  folder: string;
  language: WarmupLanguage;
}

type Ramp = Pick<WarmupConfig, "start" | "increment" | "max" | "replyRate">;

const RAMPS: Record<Exclude<WarmupPreset, "CUSTOM">, Ramp> = {
  COLD: { start: 3, increment: 1, max: 20, replyRate: 0.3 },
  WARM: { start: 10, increment: 2, max: 40, replyRate: 0.3 },
  AGGRESSIVE: { start: 15, increment: 4, max: 50, replyRate: 0.35 },
};

export const DEFAULT_CONFIG: WarmupConfig = {
  ...RAMPS.COLD,
  weekdaysOnly: false,
  spamRescueRate: 1,
  importantRate: 0.2,
  folder: "Warmup",
  language: "en",
};

/** A configuration in which a preset replaces the values that it sets; CUSTOM leaves it unchanged. */
export function withPreset(config: WarmupConfig, preset: WarmupPreset): WarmupConfig {
  return preset === "CUSTOM" ? config : { ...config, ...RAMPS[preset] };
}

/** The share of a mailbox's emails that goes to one pool: SHARED, or the id of a private pool. */
export interface PoolShare {
  type: string;
  share: number;
}

export const SHARED = "SHARED";
export const DEFAULT_POOLS: readonly PoolShare[] = [{ type: SHARED, share: 1 }];

/** The most warmup emails a day while the mailbox sends campaigns. */
const BESIDE_CAMPAIGNS = 5;

/** The emails of a day by the ramp; `dayNumber` is 1 on the first day. */
export function rampTarget(
  config: WarmupConfig,
  dayNumber: number,
  warmupDailyLimit: number,
  sendsCampaigns: boolean,
): number {
  const ramp = Math.min(config.max, config.start + config.increment * (Math.max(1, dayNumber) - 1));
  return Math.min(ramp, warmupDailyLimit, sendsCampaigns ? BESIDE_CAMPAIGNS : Number.POSITIVE_INFINITY);
}

/**
 * Added before rounding, so that a product that is exactly whole is not rounded down because of floating-point errors.
 */
const ROUNDING = 1e-9;

/**
 * How many of a day's emails are replies. At least one email opens a conversation, because in a pool of only replies no
 * conversation would ever begin.
 */
export function answersOf(target: number, replyRate: number): number {
  return Math.max(0, Math.min(target - 1, Math.round(target * replyRate + ROUNDING)));
}

/**
 * Splits a number of emails by shares, by the largest remainders. If the shares add up to less than 1, the rest of the
 * emails is not sent; if they add up to more, they are reduced in proportion. Among equal remainders the first share
 * gets the email.
 */
export function splitByShares(mails: number, pools: readonly PoolShare[]): { type: string; count: number }[] {
  const sum = pools.reduce((total, { share }) => total + share, 0);
  const parts = pools.map(({ type, share }) => {
    const exact = (share * mails) / Math.max(1, sum);
    const count = Math.floor(exact + ROUNDING);
    return { type, count, rest: exact - count };
  });
  let left = Math.floor(Math.min(1, sum) * mails + ROUNDING) - parts.reduce((total, { count }) => total + count, 0);
  for (const part of parts.toSorted((one, other) => other.rest - one.rest)) {
    if (left <= 0) break;
    part.count += 1;
    left -= 1;
  }
  return parts.map(({ type, count }) => ({ type, count }));
}

/** How long a mailbox needs to become warm: calendar days since the start, and days on which the warmup was active. */
const WARM_DAYS = { enrolled: 14, active: 10 } as const;
/**
 * The least campaign emails a day with which a warm mailbox begins, and how many more each day adds (rules/warmup 6.2).
 */
const LEAST_COLD = 5;
const COLD_STEP = 5;

/**
 * Whether the warmup has lasted long enough for its mailbox to be warm (rules/warmup 6.1). `dayNumber` is the number of
 * the next warmup day.
 */
export function hasWarmed(
  { startedAt, dayNumber }: { startedAt: Date | null; dayNumber: number },
  now: number,
): boolean {
  return startedAt !== null && now - startedAt.getTime() >= WARM_DAYS.enrolled * DAY_MS && dayNumber > WARM_DAYS.active;
}

/**
 * The daily limit for campaign emails of a warm mailbox after one more day. It begins with the number of emails on the
 * busiest of the last fourteen days, and grows each day on which the mailbox is healthy.
 */
export function nextColdLimit(before: number | null, busiestDay: number, isHealthy: boolean): number {
  if (before === null) return Math.max(LEAST_COLD, busiestDay);
  return isHealthy ? before + COLD_STEP : before;
}

export type WarmupAction = "start" | "pause" | "stop" | "reconnect";

/**
 * For each action, the states in which it is allowed and the state to which it leads. Null stands for a mailbox without
 * a warmup, or whose warmup was removed (rules/warmup 1.2).
 */
const MOVES: Record<WarmupAction, { from: readonly (WarmupStatus | null)[]; to: WarmupStatus }> = {
  start: { from: [null, "STOPPED", "PAUSED"], to: "ACTIVE" },
  pause: { from: ["ACTIVE"], to: "PAUSED" },
  stop: { from: ["ACTIVE", "PAUSED", "RECONNECT_REQUIRED", "SUSPENDED"], to: "STOPPED" },
  reconnect: { from: ["RECONNECT_REQUIRED"], to: "ACTIVE" },
};

/** The state after an action: the same if the mailbox is already in it, null if the action does not fit. */
export function stateAfter(action: WarmupAction, from: WarmupStatus | null): WarmupStatus | null {
  const move = MOVES[action];
  return move.to === from || move.from.includes(from) ? move.to : null;
}

/** Whether the ramp begins again from the first day. After a pause or a lost connection of the mailbox it continues. */
export function restartsRamp(from: WarmupStatus | null): boolean {
  return from === null || from === "STOPPED";
}
