import { type KeyRing, type Sealed, type SealPlace, seal } from "../domain/access/seal.ts";
import type { BusyTime } from "../domain/agent/free-slots.ts";
import type { ProviderName } from "../domain/mailboxes/provider.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { Window } from "../domain/time/schedule.ts";
import { Workspace } from "../models/access/workspace.ts";
import type { MeetingCalendar } from "../models/agent/meeting-calendar.ts";
import { scoped } from "../models/scoped.ts";

const USUAL_HOURS: Window[] = [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }];

export function calendarTokenPlace(workspaceId: string, field: "refreshToken" | "accessToken"): SealPlace {
  return { workspaceId, collection: "meeting_calendars", documentId: workspaceId, field };
}

/** The place to which the encrypted secrets of a consent in progress are bound. */
export function calendarConsentPlace(workspaceId: string, documentId: string, field: "code" | "verifier"): SealPlace {
  return { workspaceId, collection: "calendar_consents", documentId, field };
}

/** When meetings may take place, and the calendar that shows busy times, if there is one. */
export interface MeetingHours {
  timezone: string;
  workingHours: Window[];
  bookingUrl: string | null;
  calendar: MeetingCalendar | null;
}

export async function loadMeetingHours(workspaceId: string): Promise<MeetingHours> {
  const [calendar, workspace] = await Promise.all([
    loadCalendar(workspaceId),
    Workspace.findOne({ _id: workspaceId }, { timezone: 1 }).lean<Pick<Workspace, "timezone">>(),
  ]);
  return {
    timezone: calendar?.timezone ?? workspace?.timezone ?? "UTC",
    workingHours: calendar?.workingHours ?? USUAL_HOURS,
    bookingUrl: calendar?.bookingUrl ?? null,
    calendar,
  };
}

/** Busy times that cover the whole span and were read at most a minute ago; null when they must be read. */
export function busyAtHand({ busy, busyReadAt }: MeetingCalendar, from: number, to: number): BusyTime[] | null {
  const isFresh = busyReadAt !== null && Date.now() - busyReadAt.getTime() < FRESH_MS;
  return isFresh && busy !== null && busy.from <= from && busy.to >= to ? busy.times : null;
}

const FRESH_MS = MINUTE_MS;

export function loadCalendar(workspaceId: string): Promise<MeetingCalendar | null> {
  return scoped(workspaceId).MeetingCalendar.get(workspaceId);
}

/** Changes the settings of the calendar. Absent ones do not change. */
export async function changeCalendar(
  workspaceId: string,
  settings: Partial<Pick<MeetingCalendar, "timezone" | "workingHours" | "bookingUrl">>,
): Promise<void> {
  await scoped(workspaceId).MeetingCalendar.updateOne({ _id: workspaceId }, { $set: settings }, { upsert: true });
}

/** Stores a calendar with the tokens that read it. It replaces an earlier calendar. */
export async function connectCalendar(
  ring: KeyRing,
  workspaceId: string,
  proven: { provider: ProviderName; address: string; refreshToken: string; accessToken: string; expiresAt: Date },
): Promise<void> {
  const { provider, address, refreshToken, accessToken, expiresAt: accessExpiresAt } = proven;
  const sealedRefreshToken = seal(ring, calendarTokenPlace(workspaceId, "refreshToken"), refreshToken);
  const sealedAccessToken = seal(ring, calendarTokenPlace(workspaceId, "accessToken"), accessToken);
  const secrets = { sealedRefreshToken, sealedAccessToken, accessExpiresAt };
  const change = {
    $set: { provider, address, status: "CONNECTED" as const, ...secrets, busy: null, busyReadAt: null },
  };
  await scoped(workspaceId).MeetingCalendar.updateOne({ _id: workspaceId }, change, { upsert: true });
}

const NOTHING = {
  sealedRefreshToken: null,
  sealedAccessToken: null,
  accessExpiresAt: null,
  busy: null,
  busyReadAt: null,
} as const;

/** Deletes the calendar with its tokens. Working hours and booking URL are kept. */
export async function disconnectCalendar(workspaceId: string): Promise<void> {
  const change = { $set: { provider: null, status: null, address: null, ...NOTHING } };
  await scoped(workspaceId).MeetingCalendar.updateOne({ _id: workspaceId }, change);
}

/** Records that the consent is no longer valid. A calendar that was reconnected meanwhile does not change. */
export async function loseCalendar({ workspaceId, sealedRefreshToken }: MeetingCalendar): Promise<void> {
  const same = { _id: workspaceId, "sealedRefreshToken.data": sealedRefreshToken?.data };
  await scoped(workspaceId).MeetingCalendar.updateOne(same, { $set: { status: "LOST", ...NOTHING } });
}

/** Stores a renewed token, unless the calendar was reconnected meanwhile. */
export async function keepCalendarToken(
  { workspaceId, sealedRefreshToken: before }: MeetingCalendar,
  renewed: { sealedAccessToken: Sealed; accessExpiresAt: Date; sealedRefreshToken?: Sealed },
): Promise<void> {
  await scoped(workspaceId).MeetingCalendar.updateOne(
    { _id: workspaceId, "sealedRefreshToken.data": before?.data },
    { $set: renewed },
  );
}

/** Stores busy times, unless another calendar was connected meanwhile. */
export async function keepBusyTimes(
  { workspaceId, address, provider }: MeetingCalendar,
  busy: { from: number; to: number; times: BusyTime[] },
  busyReadAt: Date,
): Promise<void> {
  const same = { _id: workspaceId, address, provider, status: "CONNECTED" as const };
  await scoped(workspaceId).MeetingCalendar.updateOne(same, { $set: { busy, busyReadAt } });
}
