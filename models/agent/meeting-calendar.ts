import type { Sealed } from "../../domain/access/seal.ts";
import type { BusyTime } from "../../domain/agent/free-slots.ts";
import { PROVIDERS, type ProviderName } from "../../domain/mailboxes/provider.ts";
import type { Window } from "../../domain/time/schedule.ts";
import { instant, mixed, type Owned, oneOf, secret, tenantModel, text } from "../../mongo/schema.ts";

/** When a workspace takes meetings, and the calendar that shows when it is busy. `_id` is the workspace. */
export interface MeetingCalendar extends Owned {
  /** Null: the workspace's own. */
  timezone: string | null;
  /** Null: Monday to Friday, 09:00 to 17:00. */
  workingHours: Window[] | null;
  bookingUrl: string | null;
  /** Null: no calendar is connected. */
  provider: ProviderName | null;
  /** LOST: the consent was revoked or has expired, and a person must connect the calendar again. */
  status: "CONNECTED" | "LOST" | null;
  /** Whose calendar it is. */
  address: string | null;
  sealedRefreshToken: Sealed | null;
  sealedAccessToken: Sealed | null;
  accessExpiresAt: Date | null;
  /** The busy times that were last read from the calendar. */
  busy: { from: number; to: number; times: BusyTime[] } | null;
  busyReadAt: Date | null;
}

export const MeetingCalendar = tenantModel<MeetingCalendar>("MeetingCalendar", "meeting_calendars", {
  timezone: text,
  workingHours: mixed,
  bookingUrl: text,
  provider: oneOf(PROVIDERS),
  status: oneOf(["CONNECTED", "LOST"]),
  address: text,
  sealedRefreshToken: secret,
  sealedAccessToken: secret,
  accessExpiresAt: instant,
  busy: mixed,
  busyReadAt: instant,
});
