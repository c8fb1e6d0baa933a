import type { Settings } from "../campaigns/settings.ts";

/** A mailbox that can still send today, as a candidate of the rotation. */
export interface Sender {
  id: string;
  provider: "SMTP" | "PROVIDERA" | "PROVIDERB";
  /** No campaign email is sent before this instant (epoch ms); 0 when the mailbox has never sent. */
  nextAt: number;
  /** How many emails the mailbox may still send today. */
  room: number;
}

export type LeadProvider = "PROVIDERA" | "PROVIDERB" | "OTHER" | "UNKNOWN";
type Rules = Pick<Settings, "rotation" | "providerMatching">;

/**
 * The mailboxes in the order of the rotation: the one that was unused for the longest time first; or under ROUND_ROBIN
 * by id, starting after `lastId`.
 */
export function inTurn<S extends Sender>(
  senders: readonly S[],
  rotation: Settings["rotation"],
  lastId: string | null,
): S[] {
  if (rotation !== "ROUND_ROBIN")
    return [...senders].sort((one, other) => one.nextAt - other.nextAt || (one.id < other.id ? -1 : 1));
  const byId = [...senders].sort((one, other) => (one.id < other.id ? -1 : 1));
  const next = byId.findIndex(({ id }) => lastId !== null && id > lastId);
  return next < 0 ? byId : [...byId.slice(next), ...byId.slice(0, next)];
}

/**
 * Chooses the mailbox for one recipient, from mailboxes in the order of the rotation: the one that was given the fewest
 * recipients so far, or under WEIGHTED the fewest in proportion to its remaining capacity. Under PREFER a mailbox at
 * the recipient's provider comes first, and under STRICT only such a mailbox is used (rules/sending 4.2). A recipient
 * whose provider is unknown gets any mailbox. Null: the recipient waits.
 */
export function senderFor<S extends Sender>(
  senders: readonly S[],
  counts: ReadonlyMap<string, number>,
  provider: LeadProvider,
  { rotation, providerMatching }: Rules,
): S | null {
  const alike =
    providerMatching === "OFF" || provider === "UNKNOWN"
      ? senders
      : senders.filter((sender) => matchesProvider(sender, provider));
  const candidates = alike.length > 0 || providerMatching === "STRICT" ? alike : senders;
  const burden = ({ id, room }: S) => ((counts.get(id) ?? 0) + 1) / (rotation === "WEIGHTED" ? Math.max(1, room) : 1);
  return candidates.reduce<S | null>(
    (least, sender) => (least !== null && burden(least) <= burden(sender) ? least : sender),
    null,
  );
}

/**
 * Whether a mailbox is at the recipient's provider. A mailbox with its own SMTP server counts for every other provider.
 */
function matchesProvider({ provider }: Sender, lead: LeadProvider): boolean {
  return lead === "OTHER" ? provider === "SMTP" : provider === lead;
}
