/**
 * What a request for a tracked address was for: the pixel, a link, or the invisible link, which is no click
 * (rules/tracking 1.6).
 */
const HIT_KINDS = ["OPEN", "CLICK", "HIDDEN"] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** Who made it (rules/tracking 3). */
const HIT_CLASSES = ["HUMAN", "UNKNOWN", "PRIVACY_PROXY", "BOT", "SELF"] as const;
export type HitClass = (typeof HIT_CLASSES)[number];

/** The classes that fire events, counters and stops. */
export const COUNTED_CLASSES: readonly HitClass[] = ["HUMAN", "UNKNOWN"];

/** Milliseconds after a hit at which its class is settled: later links can turn it BOT until then. */
export const VERDICT_MS = 5_000;

/**
 * What one mail carries for tracking. It is fixed when the mail is written: the token in an address names a link by its
 * index alone.
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
  /** Where it leads, `svc` included where it feeds conversions. */
  url: string;
  /** Whether its clicks feed conversions: those are stored before the redirect (rules/tracking 2). */
  converts: boolean;
  /** When a person, or a program that may be one, first followed it. */
  clickedAt?: Date;
  /** When its CLICK event was published. It is published only once. */
  toldAt?: Date;
}

/** Days for which the address of a hit is kept whole; then its network alone (rules/tracking 3.6). */
export const ADDRESS_DAYS = 30;
