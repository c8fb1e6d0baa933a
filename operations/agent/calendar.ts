import { z } from "zod";
import { CALENDAR_READ, type CalendarReadOutcome } from "../../domain/agent/calendar-contract.ts";
import { AHEAD_MS, type BusyTime, freeSlots, writtenIn } from "../../domain/agent/free-slots.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { zoneField } from "../../domain/values/zone-field.ts";
import {
  busyAtHand,
  changeCalendar,
  disconnectCalendar,
  loadCalendar,
  loadMeetingHours,
} from "../../store/meeting-calendars.ts";
import { calendarReadRun } from "../../temporal/runs.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { changing, instant, nullable, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { connect } from "./calendar-consent-start.ts";

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time like 09:00, at most 24:00");
const hours = z
  .strictObject({
    days: z.array(z.number().int().min(1).max(7)).min(1).max(7).describe("ISO weekdays, 1 is Monday"),
    from: clock.describe("Local time `HH:mm` at which meetings may begin"),
    to: clock.describe("Local time `HH:mm` by which they must end, at most 24:00"),
  })
  .refine(({ from, to }) => from < to, { message: "`from` must be before `to`", params: { code: "WINDOW_EMPTY" } });
const url = z.url({ protocol: /^https$/, error: "must be an https address" }).max(2_000);

const Calendar = z
  .object({
    connected: z.boolean().describe("Whether busy times are read"),
    provider: nullable(z.enum(["PROVIDERA", "PROVIDERB"])).describe("The calendar's provider; null without one"),
    status: nullable(z.enum(["CONNECTED", "LOST"])).describe("LOST: its user withdrew the consent; connect again"),
    timezone: z.string().describe("IANA time zone of the working hours"),
    workingHours: z
      .array(
        z.object({
          days: z.array(z.number()).describe("ISO weekdays"),
          from: z.string().describe("From"),
          to: z.string().describe("Until"),
        }),
      )
      .describe("When meetings may take place"),
    bookingUrl: nullable(z.string()).describe("The page where people book a meeting"),
  })
  .meta({ id: "MeetingCalendar", description: "When the workspace takes meetings" });

const nothing = z.strictObject({});

const get = operation({
  summary: "Read working hours, booking address, and whether a calendar is connected",
  scope: "inbox:read",
  input: nothing,
  output: Calendar,
  run: ({ workspaceId }) => viewOf(workspaceId),
});

const availability = operation({
  summary: "Free slots: working hours without the busy times of the connected calendar, in the time zone of the lead",
  scope: "inbox:read",
  errors: ["PROVIDER_NOT_CONFIGURED"],
  input: z.strictObject({
    from: instant.optional().describe("From when; default now"),
    to: instant.optional().describe("Until when, at most 60 days later; default a week"),
    timezone: zoneField
      .optional()
      .describe("The lead's IANA zone: slots are given in it, and lie between 08:00 and 20:00 there"),
    durationMinutes: wholeNumber(5, 480).default(30).describe("How long the meeting is"),
  }),
  output: z.object({
    slots: z
      .array(
        z.object({ start: z.string().describe("Start, with the offset from UTC"), end: z.string().describe("End") }),
      )
      .describe("At most 100, the earliest first"),
    busyChecked: z.boolean().describe("Whether busy times were left out; false while no calendar is connected"),
  }),
  async run(ctx, { from: begin = new Date(), to: end, timezone, durationMinutes }) {
    const from = Math.max(begin.getTime(), Date.now());
    const to = end?.getTime() ?? from + AHEAD_MS.usual;
    if (to <= from) throw invalid("to", "must be in the future, and after `from`", "RANGE_EMPTY");
    if (to - from > AHEAD_MS.most) throw invalid("to", "must be at most 60 days after `from`", "RANGE_TOO_LONG");
    const own = await viewOf(ctx.workspaceId);
    const busy = own.connected ? await busyTimes(ctx, from, to) : null;
    const asked = { zone: own.timezone, windows: own.workingHours, theirZone: timezone ?? null, busy: busy ?? [] };
    const shown = timezone ?? own.timezone;
    const slots = freeSlots({ ...asked, from, to, durationMs: durationMinutes * MINUTE_MS });
    return {
      slots: slots.map(({ start, end }) => ({ start: writtenIn(shown, start), end: writtenIn(shown, end) })),
      busyChecked: busy !== null,
    };
  },
});

const update = operation({
  summary: "Set working hours, their time zone and the booking address; fields left out stay, null is the default",
  scope: "inbox:write",
  effects: { DISCLOSES: true },
  input: z.strictObject({
    settings: changing(
      z.strictObject({
        timezone: zoneField.nullable().optional().describe("IANA zone of the working hours; null: the workspace's"),
        workingHours: z
          .array(hours)
          .max(21)
          .nullable()
          .optional()
          .describe("When meetings may take place; null: Monday to Friday, 09:00 to 17:00"),
        bookingUrl: url.nullable().optional().describe("An https address where people book a meeting; null: none"),
      }),
    ).describe("What changes"),
  }),
  output: Calendar,
  async run({ workspaceId }, { settings }) {
    const { timezone, workingHours, bookingUrl } = settings;
    const asked = {
      ...(timezone !== undefined && { timezone }),
      ...(workingHours !== undefined && { workingHours }),
      ...(bookingUrl !== undefined && { bookingUrl }),
    };
    await changeCalendar(workspaceId, asked);
    return viewOf(workspaceId);
  },
});

const disconnect = operation({
  summary: "Disconnect the calendar and delete its tokens; working hours and booking address stay",
  scope: "inbox:write",
  audits: "calendar.disconnect",
  input: nothing,
  output: Calendar,
  async run({ workspaceId }) {
    await disconnectCalendar(workspaceId);
    return viewOf(workspaceId);
  },
});

const manage = choice(
  "inbox:write",
  "Connect a calendar by consent, change working hours and booking address, or disconnect it",
  {
    connect,
    update,
    disconnect,
  },
);

async function viewOf(workspaceId: string) {
  const { calendar, ...hours } = await loadMeetingHours(workspaceId);
  const provider = calendar?.provider ?? null;
  return {
    connected: calendar?.status === "CONNECTED",
    provider: provider === null ? null : provider === "A" ? ("PROVIDERA" as const) : ("PROVIDERB" as const),
    status: calendar?.status ?? null,
    ...hours,
  };
}

/**
 * The busy times; null when the calendar is no longer connected. @throws AppError SERVICE_UNAVAILABLE while the
 * calendar does not respond, because no one may be offered a time that could be taken
 */
async function busyTimes({ workspaceId, services }: Context, from: number, to: number): Promise<BusyTime[] | null> {
  const storedCalendar = await loadCalendar(workspaceId);
  const atHand = storedCalendar === null ? null : busyAtHand(storedCalendar, from, to);
  if (atHand !== null) return atHand;
  const run = calendarReadRun({ v: 1, workspaceId, from, to });
  const outcome = await services.engine.execute<CalendarReadOutcome>(run, CALENDAR_READ.callerMs);
  if (outcome.kind === "read") {
    const read = await loadCalendar(workspaceId);
    return read?.status === "CONNECTED" ? (read.busy?.times ?? null) : null;
  }
  if (outcome.code === "LOST") return null;
  const retryAfterSeconds = outcome.code === "RATE_LIMITED" ? 60 : 5;
  throw new AppError("SERVICE_UNAVAILABLE", "The calendar did not return busy times: try again", {
    retryAfterSeconds,
  });
}

export const meetingCalendarDeclaration = {
  verbs: {
    "calendar.get": get,
    "calendar.listSlots": availability,
    "calendar.manage": manage,
  },
  routes: [
    ["get", "/calendar", get, 200, { after: "delete /lead-search/saved-searches/:savedSearchId" }],
    ["post", "/calendar", manage],
    ["get", "/calendar/slots", availability],
  ],
  tools: {
    agent: {
      agent_calendar: {
        operation: choice(
          "inbox:read",
          "Working hours, booking address and free slots for meetings; connect a calendar for its busy times",
          { get, availability, ...manage.actions },
          "get",
        ),
        after: "agent_approvals",
        title: "Calendar",
        destructive: true,
        openWorld: true,
        when: "availability takes the lead's timezone; busyChecked: whether a calendar was checked. connect returns an authUrl for a person.",
      },
    },
  },
  examples: {
    afterwards: [
      {
        at: "post /calendar",
        title: "Set the booking page",
        body: { action: "update", settings: { bookingUrl: "https://book.example.com/ann" } },
      },
      { at: "post /calendar", title: "Disconnect the calendar", body: { action: "disconnect" } },
    ],
  },
} as const satisfies Declaration;
