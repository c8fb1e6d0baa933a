import type { Guard } from "../guard.ts";

const [DOORS, SLOTS, ANSWERS] = [
  "test/agent/calendar.test.ts",
  "test/agent/free-slots.test.ts",
  "test/inbox/accepted-invitations.test.ts",
];

export const CALENDARS: Guard[] = [
  {
    guard: "A slot touches nothing that is busy",
    file: "domain/agent/free-slots.ts",
    text: "busy.every((taken) => taken.end <= slot.start || taken.start >= slot.end) && ",
    instead: "busy.every((taken) => taken.start !== slot.start) && ",
    test: SLOTS,
  },
  {
    guard: "No one is offered a meeting in their night",
    file: "domain/agent/free-slots.ts",
    text: "day !== null && day.at === start && day.until >= end",
    instead: "day !== null",
    test: SLOTS,
  },
  {
    guard: "A calendar whose busy times cannot be is not believed",
    file: "connectors/busy-times.ts",
    text: 'if (times.some(({ start, end }) => !(start <= end))) throw new CalendarTrouble("away");',
    instead: "",
    test: DOORS,
    only: "when the calendar's answer is invalid",
  },
  {
    guard: "A calendar with errors was not read",
    file: "connectors/busy-times.ts",
    text: "if (primary === undefined || primary.errors.length > 0)",
    instead: "if (primary === undefined)",
    test: DOORS,
    only: "a calendar without permission to read",
  },
  {
    guard: "A 403 for the rate loses no calendar",
    file: "connectors/busy-times.ts",
    text: "if (status === 429 || (status === 403 && isRate))",
    instead: "if (status === 429)",
    test: DOORS,
    only: "when the calendar's answer is invalid",
  },
  {
    guard: "An invitation is accepted by whoever wrote, for themselves",
    file: "store/inbox/meeting.ts",
    text: "reply?.isAccepted === true && reply.attendee === message.from?.address ? reply : null",
    instead: "reply?.isAccepted === true ? reply : null",
    test: ANSWERS,
  },
  {
    guard: "A forged answer books nothing",
    file: "store/inbox/meeting.ts",
    text: ' || arrival.authentication === "FAIL" || ',
    instead: " || ",
    test: ANSWERS,
  },
  {
    guard: "An answer that answers nothing of ours counts only for an invitation of ours, from a proven address",
    file: "store/inbox/meeting.ts",
    text: 'reply.organizer !== mailbox.email || authentication !== "PASS"',
    instead: 'authentication === "FAIL"',
    test: ANSWERS,
  },
];
