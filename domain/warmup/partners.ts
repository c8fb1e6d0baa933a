import type { Band } from "../mailboxes/band.ts";
import { SHARED } from "./enrolment.ts";

/** A mailbox in the plan of a day. Paused and disconnected ones are left out. */
export interface PlannedMailbox {
  mailboxId: string;
  workspaceId: string;
  /** The registrable domain; partners never share it. */
  organisation: string;
  provider: "PROVIDERA" | "PROVIDERB" | "SMTP";
  /** A BLOCKED mailbox neither gets nor sends anything. */
  band: Band;
  /** Its emails of the whole day, which determine how many it may receive; with 0 it receives nothing. */
  target: number;
  /** What is still to be planned for this day, by pool: SHARED, or the id of a private pool. */
  openings: readonly { pool: string; count: number }[];
  /** The pools in which it takes part, and in which it may therefore receive. */
  pools: readonly string[];
  /** How many openings of this day are planned already. They have used the numbers below this one. */
  planned: number;
  /**
   * How many openings to it are planned for this day already, and how many of them come from THROTTLED or QUARANTINED
   * mailboxes.
   */
  received: number;
  receivedFromWeak: number;
}

/** How much of its own target a mailbox may receive, and how much at least, whatever its target (rules/warmup 2.4). */
const RECEIVED_SHARE = 1.3;
const RECEIVED_AT_LEAST = 2;
/** One in this many emails that a HEALTHY mailbox may receive comes from a weak one (rules/warmup 2.3). */
const WEAK_ONE_IN = 5;
const ROUNDING = 1e-9;

/** Who writes to whom depends on three kinds of mailboxes. A higher kind means less trust. */
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

/** Null for a mailbox that takes no part. */
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
 * Whether partners in a pool must belong to different workspaces. If there is only one workspace, its mailboxes have no
 * one else.
 */
export function isAcrossWorkspaces(pool: string, mailboxes: readonly Pick<PlannedMailbox, "workspaceId">[]): boolean {
  return pool === SHARED && mailboxes.some(({ workspaceId }) => workspaceId !== mailboxes[0]?.workspaceId);
}

/**
 * Whether a mailbox has anyone to write to, on a day when both have emails to send. If it has no one, its warmup stands
 * still until a person acts. If its partners are only full or free on that day, it waits for the next day.
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
