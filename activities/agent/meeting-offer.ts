import type { CalendarReadIds, CalendarReadOutcome } from "../../domain/agent/calendar-contract.ts";
import {
  AHEAD_MS,
  type BusyTime,
  freeSlots,
  MEETING_MS,
  type MeetingOffer,
  NOTICE_MS,
  offeredSlots,
} from "../../domain/agent/free-slots.ts";
import type { MeetingCalendar } from "../../models/agent/meeting-calendar.ts";
import { busyAtHand, loadCalendar, loadMeetingHours } from "../../store/meeting-calendars.ts";

/** Reads when the owner of a connected calendar is busy, and stores it. */
export type ReadBusy = (ids: CalendarReadIds) => Promise<CalendarReadOutcome>;

/**
 * The free slots and the booking address that an email may offer for a meeting, in the time zone `zone` (null: the
 * workspace's); null for a workspace without such settings. Slots are offered only when a connected calendar has
 * reported which are free. Without a calendar, or while it cannot be reached, only the booking address is offered.
 */
export async function meetingOfferOf(
  workspaceId: string,
  zone: string | null,
  readBusy: ReadBusy,
): Promise<MeetingOffer | null> {
  const { timezone, workingHours: windows, bookingUrl, calendar } = await loadMeetingHours(workspaceId);
  const from = Date.now() + NOTICE_MS;
  const to = from + AHEAD_MS.usual;
  const busy = calendar?.status === "CONNECTED" ? await busyTimes(calendar, { from, to }, readBusy) : null;
  const free =
    busy === null
      ? []
      : freeSlots({ zone: timezone, windows, theirZone: zone, busy, from, to, durationMs: MEETING_MS });
  const slots = offeredSlots(free, zone ?? timezone);
  return bookingUrl === null && slots.length === 0 ? null : { bookingUrl, slots };
}

async function busyTimes(
  calendar: MeetingCalendar,
  { from, to }: { from: number; to: number },
  readBusy: ReadBusy,
): Promise<BusyTime[] | null> {
  const { workspaceId } = calendar;
  const atHand = busyAtHand(calendar, from, to);
  if (atHand !== null) return atHand;
  if ((await readBusy({ v: 1, workspaceId, from, to })).kind !== "read") return null;
  const read = await loadCalendar(workspaceId);
  return read?.status === "CONNECTED" ? (read.busy?.times ?? null) : null;
}
