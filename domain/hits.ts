/**
 * The kinds of requests to a tracking URL: the pixel, a link, or the invisible link, which does not count as a click
 * (rules/tracking 1.6).
 */
const HIT_KINDS = ["OPEN", "CLICK", "HIDDEN"] as const;
export type HitKind = (typeof HIT_KINDS)[number];

/** Who made it (rules/tracking 3). */
const HIT_CLASSES = ["HUMAN", "UNKNOWN", "PRIVACY_PROXY", "BOT", "SELF"] as const;
export type HitClass = (typeof HIT_CLASSES)[number];

/** The classes of hits that count: they cause events, increase counters and may stop a recipient. */
export const COUNTED_CLASSES: readonly HitClass[] = ["HUMAN", "UNKNOWN"];

/** Milliseconds after a hit at which its class is settled. Until then, further requests can change the class to BOT. */
export const VERDICT_MS = 5_000;

/**
 * The tracking data of one email. It never changes after the email is written, because the token in a tracking URL
 * names a link only by its index.
 */
export interface MailTracking {
  /** Whether it has a pixel. */
  opens: boolean;
  /** Whether the email's links are tracked as clicks. */
  clicks: boolean;
  links: TrackedLink[];
  /** Whether the email contains the invisible link; absent if it does not. */
  hiddenLink?: boolean;
  /** When its OPEN event was published. It is published only once. */
  toldAt?: Date;
}

export interface TrackedLink {
  /** The target of the link. It contains `svc` if the link is used to attribute conversions. */
  url: string;
  /**
   * Whether clicks on the link are used to attribute conversions. Such clicks are stored before the redirect
   * (rules/tracking 2).
   */
  converts: boolean;
  /** When the link was first followed by a person, or by a visitor that may be a person. */
  clickedAt?: Date;
  /** When its CLICK event was published. It is published only once. */
  toldAt?: Date;
}

/**
 * Days for which the full IP address of a hit is stored. Afterwards only its network is stored (rules/tracking 3.6).
 */
export const ADDRESS_DAYS = 30;
