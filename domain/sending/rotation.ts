import type { Settings } from "../campaigns/settings.ts";

/** A mailbox that has a place left, as the choice among several sees it. */
export interface Sender {
  id: string;
  provider: "SMTP" | "PROVIDERA" | "PROVIDERB";
  /** No campaign mail before this instant (epoch ms), 0 when it never sent. */
  nextAt: number;
  /** Mails it may still send today. */
  room: number;
}

export type LeadProvider = "PROVIDERA" | "PROVIDERB" | "OTHER" | "UNKNOWN";
type Rules = Pick<Settings, "rotation" | "providerMatching">;

/** The order in which mailboxes take turns: the longest unused first, or by id from the one after `lastId`. */
export function inTurn<S extends Sender>(senders: readonly S[], rotation: Settings["rotation"], lastId: string | null): S[] {
  if (rotation !== "ROUND_ROBIN") return [...senders].sort((one, other) => one.nextAt - other.nextAt || (one.id < other.id ? -1 : 1));
  const byId = [...senders].sort((one, other) => (one.id < other.id ? -1 : 1));
  const next = byId.findIndex(({ id }) => lastId !== null && id > lastId);
  return next < 0 ? byId : [...byId.slice(next), ...byId.slice(0, next)];
}

/**
 * The mailbox for one person among those in turn: who has got the fewest so far, under WEIGHTED by the room of each. B23: PREFER
 * takes one of the person's own provider where there is one, STRICT no other (null: the person waits); an unknown provider takes any.
 */
export function senderFor<S extends Sender>(
  senders: readonly S[],
  given: ReadonlyMap<string, number>,
  provider: LeadProvider,
  { rotation, providerMatching }: Rules,
): S | null {
  const alike = providerMatching === "OFF" || provider === "UNKNOWN" ? senders : senders.filter((sender) => matches(sender, provider));
  const candidates = alike.length > 0 || providerMatching === "STRICT" ? alike : senders;
  const burden = ({ id, room }: S) => ((given.get(id) ?? 0) + 1) / (rotation === "WEIGHTED" ? Math.max(1, room) : 1);
  return candidates.reduce<S | null>((least, sender) => (least !== null && burden(least) <= burden(sender) ? least : sender), null);
}

/** A server of one's own stands for every provider that has no name here. */
function matches({ provider }: Sender, lead: LeadProvider): boolean {
  return lead === "OTHER" ? provider === "SMTP" : provider === lead;
}
