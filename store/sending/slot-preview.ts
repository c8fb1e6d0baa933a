import type { MailboxHealth } from "../../domain/mailboxes/band.ts";
import { type UsedDay, usedOn } from "../../domain/sending/day-use.ts";
import { campaignRoom } from "../../domain/sending/mailbox-room.ts";
import { firstFreeSlot } from "../../domain/sending/pacing.ts";
import { isProvidersLimit } from "../../domain/sending/provider-limits.ts";
import type { Throttle } from "../../domain/sending/throttle.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { localDate, utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { MailboxDay } from "../../models/mailboxes/mailbox-day.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { BookingRequest } from "./slot-search.ts";
import { type CountedDay, countedDayOf, type DayLimit, findPlace, reachedLimit } from "./slot-search.ts";
import { capsOf, type SlotRequest } from "./slots.ts";
import { type Full, fullPeriods } from "./throttles.ts";

/** Why a slot is not earlier. The reason applied from `from` until `until`, in epoch milliseconds. */
export type Passed = { from: number; until: number } & (
  | { by: "WINDOW" }
  | { by: "THROTTLE"; throttle: Throttle }
  | DayLimit
  | {
      by: "MAILBOX_DAILY_LIMIT" | "PROVIDER_DAILY_LIMIT" | "MAILBOX_CAMPAIGN_LIMIT" | "COLD_LIMIT" | "WARMUP_ROOM";
      used: number;
      limit: number;
    }
  | { by: "MAILBOX_BAND"; used: number; limit: number; health: MailboxHealth | null }
  | { by: "MAILBOX_GAP"; gapMs: number; nextAt: number | null }
);

export interface Peeked {
  /** Null when there is no slot before `latest`. */
  slotAt: number | null;
  passed: Passed[];
}

/** Data that several previews at one moment share, so that it is read only once. */
export interface Seen {
  mailboxDays: Map<string, MailboxDay | null>;
  campaignDays: Map<string, CountedDay | null>;
  full: Map<string, Full>;
}

/** Reads the next days of several mailboxes in one query, for several previews. `now` in epoch milliseconds. */
export async function preloadDays(workspaceId: string, mailboxIds: readonly string[], now: number): Promise<Seen> {
  const days = Array.from({ length: DAYS_SEEN }, (_, index) => utcDay(now + index * DAY_MS));
  const ids = mailboxIds.flatMap((mailboxId) => days.map((day) => `${mailboxId}:${day}`));
  const rows = await scoped(workspaceId).MailboxDay.read({ _id: { $in: ids } });
  const mailboxDays = new Map<string, MailboxDay | null>(ids.map((id) => [id, null]));
  for (const day of rows) mailboxDays.set(day._id, day);
  return { mailboxDays, campaignDays: new Map(), full: new Map() };
}

const DAYS_SEEN = 14;

/**
 * The slot that this booking would get, and what delays it. The search is the same as for a real booking, but writes
 * nothing. An existing booking of the recipient, `own`, counts as released.
 */
export async function peekPlace(
  request: BookingRequest,
  own: Send | null,
  seen: Seen = nothingSeen(),
): Promise<Peeked> {
  const passed: Passed[] = [];
  const place = await findPlace(request, own?._id ?? "snd_of_nobody_yet", {
    full(workspaceId, throttles, from) {
      const without = own?.state === "RESERVED" ? (own.throttled?.ids ?? []) : [];
      const key = [from, ...throttles.map(({ scope }) => scope)].join(" ");
      return readOnce(seen.full, key, () => fullPeriods(workspaceId, throttles, from, without));
    },
    async campaignDay(bookingRequest, at) {
      const counted = await readOnce(seen.campaignDays, localDate(at, bookingRequest.settings.timezone), () =>
        countedDayOf(bookingRequest, at),
      );
      if (counted === null) return null;
      const isOwn = own?.state === "RESERVED" && own.campaignDay === counted.day;
      const less = {
        total: counted.total - (isOwn ? 1 : 0),
        newLeads: counted.newLeads - (isOwn && own.countsAsNew ? 1 : 0),
      };
      const reached = reachedLimit({ ...counted, ...less });
      if (reached === null) return counted.day;
      passed.push({ ...reached, from: at, until: at });
      return "FULL";
    },
    giveBack: async () => {},
    slot: (slot) => peekSlot(slot, passed, seen),
    count: async () => null,
    passed: (why, from, until) => void passed.push({ ...why, from, until }),
  });
  return {
    slotAt: place?.slotAt.getTime() ?? null,
    passed: distinctReasons(passed, place?.slotAt.getTime() ?? request.latest),
  };
}

/** The slot that `takeSlot` would book. */
async function peekSlot(
  { mailbox, sendId, campaignId, campaignLimit, day, from, until, gapMs }: SlotRequest,
  passed: Passed[],
  seen: Seen,
) {
  const id = `${mailbox._id}:${day}`;
  const mailboxDay = await readOnce(seen.mailboxDays, id, () => scoped(mailbox.workspaceId).MailboxDay.get(id));
  const taken = (mailboxDay?.taken ?? []).filter((slot) => slot.sendId !== sendId);
  const reached = fullBy(
    { taken, sent: mailboxDay?.sent ?? 0, sentBy: mailboxDay?.sentBy ?? {} },
    mailbox,
    campaignId,
    campaignLimit,
  );
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
    passed.push({
      by: "MAILBOX_GAP",
      gapMs,
      nextAt: nextAt !== null && nextAt > from ? nextAt : null,
      from,
      until: at ?? until,
    });
  return at === null ? null : new Date(at);
}

function nothingSeen(): Seen {
  return { mailboxDays: new Map(), campaignDays: new Map(), full: new Map() };
}

async function readOnce<T>(seen: Map<string, T>, key: string, read: () => Promise<T>): Promise<T> {
  const cached = seen.get(key);
  if (cached !== undefined) return cached;
  const found = await read();
  seen.set(key, found);
  return found;
}

function fullBy(day: UsedDay, mailbox: Mailbox, campaignId: string, campaignLimit: number) {
  const { cap, room, share } = capsOf(mailbox, campaignLimit);
  const { all, campaigns, ours } = usedOn(day, campaignId);
  const whose = isProvidersLimit(mailbox) ? "PROVIDER_DAILY_LIMIT" : "MAILBOX_DAILY_LIMIT";
  if (all >= cap) return { by: whose, used: all, limit: cap } as const;
  const by = campaignRoom(mailbox)?.by;
  if (by !== undefined && campaigns >= room) {
    const full = { used: campaigns, limit: room };
    return by === "MAILBOX_BAND" ? { by, ...full, health: mailbox.health } : { by, ...full };
  }
  return ours >= share ? { by: "MAILBOX_CAMPAIGN_LIMIT" as const, used: ours, limit: share } : null;
}

/**
 * Keeps each reason once: closed hours until they first open, and a limit that is reached on several days until the
 * first day that is not full.
 */
function distinctReasons(passed: readonly Passed[], slotAt: number): Passed[] {
  const reasonKeyOf = (one: Passed) => (one.by === "THROTTLE" ? `${one.by} ${one.throttle.scope}` : one.by);
  const reasons = new Map<string, Passed>();
  for (const [index, one] of passed.entries()) {
    const existing = reasons.get(reasonKeyOf(one));
    if (one.by === "WINDOW" || one.by === "MAILBOX_GAP") {
      if (existing === undefined) reasons.set(reasonKeyOf(one), one);
      continue;
    }
    const until = passed.slice(index + 1).find(({ by }) => by !== "WINDOW")?.from ?? slotAt;
    reasons.set(reasonKeyOf(one), { ...(existing ?? one), until });
  }
  return [...reasons.values()];
}
