import type { Band } from "../mailboxes/band.ts";
import { SHARED } from "./enrolment.ts";

/** A mailbox in the plan of a day. Paused and disconnected ones are left out. */
export interface PlannedMailbox {
  mailboxId: string;
  workspaceId: string;
  /** The registrable domain. Two mailboxes of one domain are never partners. */
  organisation: string;
  provider: "PROVIDERA" | "PROVIDERB" | "SMTP";
  /** The health band. A BLOCKED mailbox neither receives nor sends warmup emails. */
  band: Band;
  /**
   * How many emails the mailbox sends on the whole day. They determine how many it may receive; with 0 it receives
   * none.
   */
  target: number;
  /** How many openings are still to be planned for this day, by pool: SHARED, or the id of a private pool. */
  openings: readonly { pool: string; count: number }[];
  /** The pools in which it takes part, and in which it may therefore receive. */
  pools: readonly string[];
  /** How many openings of this day are planned already. The next opening has this number. */
  planned: number;
  /**
   * How many openings to it are planned for this day already, and how many of them come from THROTTLED or QUARANTINED
   * mailboxes.
   */
  received: number;
  receivedFromWeak: number;
}

/**
 * The most emails that a mailbox may receive, as a multiple of its own target, and the number that every mailbox may
 * receive at least (rules/warmup 2.4).
 */
const RECEIVED_SHARE = 1.3;
const RECEIVED_AT_LEAST = 2;
/**
 * One in this many of the emails that a HEALTHY mailbox may receive can come from a weak mailbox (rules/warmup 2.3).
 */
const WEAK_ONE_IN = 5;
const ROUNDING = 1e-9;

/** The three kinds of mailboxes that decide who writes to whom. A higher kind means a mailbox in worse health. */
export const KINDS = [0, 1, 2] as const;
export type PartnerKind = (typeof KINDS)[number];
const [SOUND, WATCHED, WEAK] = KINDS;

const KIND_OF: Record<Band, PartnerKind | null> = {
  HEALTHY: SOUND,
  WATCH: WATCHED,
  THROTTLED: WEAK,
  QUARANTINED: WEAK,
  BLOCKED: null,
};

/** The kind of a mailbox; null if it takes no part in warmup. */
export function kindOf({ band }: Pick<PlannedMailbox, "band">): PartnerKind | null {
  return KIND_OF[band];
}

export function isWeak(kind: PartnerKind): boolean {
  return kind === WEAK;
}

/** Whether the bands of two mailboxes let them write to each other, in either direction. */
export function isFitFor(one: PartnerKind, other: PartnerKind): boolean {
  if (one === WEAK) return other === SOUND;
  return other !== WEAK || one === SOUND;
}

export function receiveLimitOf(target: number): number {
  return target <= 0 ? 0 : Math.max(RECEIVED_AT_LEAST, Math.floor(target * RECEIVED_SHARE + ROUNDING));
}

export function weakLimitOf(receiveLimit: number): number {
  return receiveLimit === 0 ? 0 : Math.max(1, Math.floor(receiveLimit / WEAK_ONE_IN));
}

/**
 * Whether partners in a pool must belong to different workspaces. If a pool has mailboxes of only one workspace, they
 * may be partners of each other.
 */
export function isAcrossWorkspaces(pool: string, mailboxes: readonly Pick<PlannedMailbox, "workspaceId">[]): boolean {
  return pool === SHARED && mailboxes.some(({ workspaceId }) => workspaceId !== mailboxes[0]?.workspaceId);
}

/**
 * Whether a mailbox has any possible partner on a day when both have emails to send. Without one, its warmup does not
 * continue until a person acts. If its partners only cannot receive more on one day, it waits for the next day.
 */
export function hasPartner(mailbox: PlannedMailbox, all: readonly PlannedMailbox[]): boolean {
  const kind = kindOf(mailbox);
  if (kind === null) return false;
  return mailbox.pools.some((pool) => {
    const apart = isAcrossWorkspaces(pool, [mailbox, ...all]);
    return all.some((other) => {
      const otherKind = kindOf(other);
      if (otherKind === null || !isFitFor(kind, otherKind) || !other.pools.includes(pool)) return false;
      return other.organisation !== mailbox.organisation && !(apart && other.workspaceId === mailbox.workspaceId);
    });
  });
}
