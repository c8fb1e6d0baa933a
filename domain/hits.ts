/**
 * What a request for a tracked address was for: the pixel, a link, or the invisible link, which does not count as a
 * click (rules/tracking 1.6).
 */
const HIT_KINDS = ["OPEN", "CLICK", "HIDDEN"] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** Who made it (rules/tracking 3). */
const HIT_CLASSES = ["HUMAN", "UNKNOWN", "PRIVACY_PROXY", "BOT", "SELF"] as const;
export type HitClass = (typeof HIT_CLASSES)[number];

/** The classes that fire events, counters and stops. */
export const COUNTED_CLASSES: readonly HitClass[] = ["HUMAN", "UNKNOWN"];

/** Milliseconds after a hit at which its class is settled. Until then later links can turn it into BOT. */
export const VERDICT_MS = 5_000;

/**
 * What one email carries for tracking. It is fixed when the email is written, because the token in an address names a
 * link only by its index.
 */
export interface MailTracking {
  /** Whether it has a pixel. */
  opens: boolean;
  /** Whether its links count as clicks. */
  clicks: boolean;
  links: TrackedLink[];
  /** Whether it has the invisible link; absent where it has none. */
  hiddenLink?: boolean;
  /** When its OPEN event was published. It is published only once. */
  toldAt?: Date;
}

export interface TrackedLink {
  /** Where it leads. It contains `svc` if it feeds conversions. */
  url: string;
  /** Whether its clicks feed conversions. Those clicks are stored before the redirect (rules/tracking 2). */
  converts: boolean;
  /** When a person, or a program that may be one, first followed it. */
  clickedAt?: Date;
  /** When its CLICK event was published. It is published only once. */
  toldAt?: Date;
}

/** Days for which the whole address of a hit is kept. Afterwards only its network is (rules/tracking 3.6). */
export const ADDRESS_DAYS = 30;
