import { firstFreeSlot } from "../domain/pacing.ts";
import type { Throttle } from "../domain/throttle.ts";
import type { MailboxDay } from "../models/mailbox-day.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import type { BookingRequest } from "./book.ts";
import { countedDayOf, type DayLimit, findPlace, reachedLimit } from "./places.ts";
import { capsOf, type SlotRequest } from "./slots.ts";

/** Why a place is not earlier. Instants are epoch milliseconds: it held from `from` until `until`. */
export type Passed = { from: number; until: number } & (
  | { by: "WINDOW" }
  | { by: "THROTTLE"; throttle: Throttle }
  | DayLimit
  | { by: "MAILBOX_DAILY_LIMIT" | "MAILBOX_CAMPAIGN_LIMIT"; used: number; limit: number }
  | { by: "MAILBOX_GAP"; gapMs: number; nextAt: number | null }
);

export interface Peeked {
  /** Null: none before `latest`. */
  slotAt: number | null;
  passed: Passed[];
}

/**
 * The place that booking this would get, and what stands in its way, by the very walk that books and without a write. A booking
 * that the recipient has already, `own`, is counted as given back.
 */
export async function peekPlace(request: BookingRequest, own: Send | null): Promise<Peeked> {
  const passed: Passed[] = [];
  const place = await findPlace(request, own?._id ?? "snd_of_nobody_yet", {
    without: own?.state === "RESERVED" ? (own.throttled?.ids ?? []) : [],
    async campaignDay(asked, at) {
      const counted = await countedDayOf(asked, at);
      if (counted === null) return null;
      const isOwn = own?.state === "RESERVED" && own.campaignDay === counted.day;
      const less = { total: counted.total - (isOwn ? 1 : 0), newLeads: counted.newLeads - (isOwn && own.countsAsNew ? 1 : 0) };
      const reached = reachedLimit({ ...counted, ...less });
      if (reached === null) return counted.day;
      passed.push({ ...reached, from: at, until: at });
      return "FULL";
    },
    giveBack: async () => {},
    slot: (slot) => peekSlot(slot, passed),
    count: async () => null,
    passed: (why, from, until) => void passed.push({ ...why, from, until }),
  });
  return { slotAt: place?.slotAt.getTime() ?? null, passed: lasting(passed, place?.slotAt.getTime() ?? request.latest) };
}

/** What `takeSlot` would take. */
async function peekSlot({ mailbox, sendId, campaignId, campaignLimit, day, from, until, gapMs }: SlotRequest, passed: Passed[]) {
  const known = await scoped(mailbox.workspaceId).MailboxDay.get(`${mailbox._id}:${day}`);
  const taken = (known?.taken ?? []).filter((slot) => slot.sendId !== sendId);
  const reached = fullBy({ taken, sent: known?.sent ?? 0, sentBy: known?.sentBy ?? {} }, campaignId, capsOf(mailbox, campaignLimit));
  if (reached !== null) {
    passed.push({ ...reached, from, until });
    return null;
  }
  const nextAt = mailbox.nextAt?.getTime() ?? null;
  const at = firstFreeSlot(
    taken.map((slot) => slot.at.getTime()),
    Math.max(from, nextAt ?? 0),
    until,
    gapMs,
  );
  if (at !== from)
    passed.push({ by: "MAILBOX_GAP", gapMs, nextAt: nextAt !== null && nextAt > from ? nextAt : null, from, until: at ?? until });
  return at === null ? null : new Date(at);
}

type Day = Pick<MailboxDay, "taken" | "sent" | "sentBy">;

function fullBy({ taken, sent, sentBy }: Day, campaignId: string, { cap, share }: ReturnType<typeof capsOf>) {
  const used = taken.length + sent;
  if (used >= cap) return { by: "MAILBOX_DAILY_LIMIT" as const, used, limit: cap };
  const ours = taken.filter((slot) => slot.campaignId === campaignId).length + (sentBy[campaignId] ?? 0);
  return ours >= share ? { by: "MAILBOX_CAMPAIGN_LIMIT" as const, used: ours, limit: share } : null;
}

/** Each reason once: closed hours until they first open, a limit that is met day after day until the first day that has room. */
function lasting(passed: readonly Passed[], slotAt: number): Passed[] {
  const keyOf = (one: Passed) => (one.by === "THROTTLE" ? `${one.by} ${one.throttle.scope}` : one.by);
  const kept = new Map<string, Passed>();
  for (const [index, one] of passed.entries()) {
    const known = kept.get(keyOf(one));
    if (one.by === "WINDOW" || one.by === "MAILBOX_GAP") {
      if (known === undefined) kept.set(keyOf(one), one);
      continue;
    }
    const until = passed.slice(index + 1).find(({ by }) => by !== "WINDOW")?.from ?? slotAt;
    kept.set(keyOf(one), { ...(known ?? one), until });
  }
  return [...kept.values()];
}
