import { bandOf, isShut, type MailboxHealth } from "../mailboxes/band.ts";
import { dayLimit, type ProvidedMailbox } from "./provider-limits.ts";

/** The fields of a mailbox that decide how many campaign emails it may send on a day. */
export interface RoomyMailbox extends ProvidedMailbox {
  dailySendLimit: number;
  warmupTarget: number;
  coldLimit: number | null;
  health: MailboxHealth | null;
}

/** Why a mailbox may send fewer campaign emails than its daily limit. */
export type RoomReason = "MAILBOX_BAND" | "COLD_LIMIT" | "WARMUP_ROOM";

/**
 * The most emails that all campaigns together may send from a mailbox on one UTC day, and what limits them
 * (rules/health 4.1); null if only the mailbox's own limits apply.
 */
export function campaignRoom(mailbox: RoomyMailbox): { limit: number; by: RoomReason } | null {
  // Mailboxes that an earlier version created have none of these fields
  const { warmupTarget = 0, coldLimit = null } = mailbox;
  if (isShut(bandOf(mailbox))) return { limit: 0, by: "MAILBOX_BAND" };
  const day = dayLimit(mailbox);
  const step = mailbox.health?.step ?? 100;
  const isStepped = step < 100;
  const base = day === null ? (isStepped ? (mailbox.health?.busiestDay ?? 0) : null) : day - warmupTarget;
  const shares = [
    ...(base !== null && (isStepped || warmupTarget > 0)
      ? [
          {
            limit: Math.floor((step * base) / 100),
            by: isStepped ? ("MAILBOX_BAND" as const) : ("WARMUP_ROOM" as const),
          },
        ]
      : []),
    ...(coldLimit === null ? [] : [{ limit: coldLimit, by: "COLD_LIMIT" as const }]),
  ];
  const [least] = shares.sort((one, other) => one.limit - other.limit);
  return least === undefined ? null : { ...least, limit: Math.max(1, least.limit) };
}
