import { expect, test } from "@jest/globals";
import { sumOfDecimals } from "../../../domain/decimals.ts";
import { DAY_MS } from "../../../domain/time/durations.ts";
import { isInWindow, openingOf } from "../../../domain/tracking/attribution-window.ts";
import { addressHash, ownEventId, readConversion } from "../../../domain/tracking/conversion-event.ts";

const event = (more: object = {}) => ({ event_name: "Purchase", user_data: { cid: "x7Gk2mQ9rT4vW1" }, ...more });
const worth = (value: unknown, currency: unknown = "EUR") => event({ custom_data: { value, currency } });
const reasonOf = (given: unknown) => {
  const reading = readConversion(given);
  return "reason" in reading ? reading.reason : "read";
};
const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

test.each([
  ["nothing", null, "malformed"],
  ["a text", "Purchase", "malformed"],
  ["a list", [event()], "malformed"],
  ["no cid", { event_name: "Purchase" }, "malformed"],
  ["a cid that is a number", event({ user_data: { cid: 5 } }), "malformed"],
  ["a cid behind a prototype", event({ user_data: Object.create({ cid: "x7Gk2mQ9rT4vW1" }) }), "malformed"],
  ["a name that is a number", event({ event_name: 5 }), "malformed"],
  ["an id that is a number", event({ event_id: 5 }), "malformed"],
  ["a text that is too long", event({ event_id: "x".repeat(513) }), "malformed"],
  ["half a character", event({ event_id: "\ud800" }), "malformed"],
  ["another name", event({ event_name: "purchase" }), "unknown_event"],
  ["a name of a prototype", event({ event_name: "constructor" }), "unknown_event"],
  ["not a number", worth(Number.NaN), "invalid_value"],
  ["an endless one", worth(Number.POSITIVE_INFINITY), "invalid_value"],
  ["a negative one", worth(-0.01), "invalid_value"],
  ["too large a one", worth(1e12 + 1), "invalid_value"],
  ["a number as text", worth("5"), "invalid_value"],
  ["two letters", worth(5, "EU"), "invalid_value"],
  ["a currency that is a number", worth(5, 978), "invalid_value"],
  ["something deep beside it", { ...event(), extra: deep(5_000) }, "read"],
  ["the longest text", event({ event_id: "x".repeat(512) }), "read"],
  ["no value", event({ custom_data: null }), "read"],
  ["the largest value", worth(1e12), "read"],
])("a conversion event (%s) is accepted or refused with the right reason: %#", (_name, given, expected) => {
  expect(reasonOf(given)).toBe(expected);
});

test.each([
  [19.99, "19.99"],
  [0, "0"],
  [-0, "0"],
  [100.5, "100.5"],
  [1_000, "1000"],
  [1.234_56, "1.2346"],
])("the conversion value %d is stored as %s", (value, expected) => {
  expect(readConversion(worth(value, "eur"))).toMatchObject({
    reported: { value: expected, currency: "EUR", type: "PURCHASE" },
  });
});

test("conversion amounts are added exactly, without rounding errors", () => {
  expect(sumOfDecimals("0.1", "0.2")).toBe("0.3");
  expect(sumOfDecimals("999999999999.9999", "0.0001")).toBe("1000000000000");
  expect(sumOfDecimals("10", "5.05")).toBe("15.05");
});

test("a conversion event without an id gets an id that is the same for one person, type and day", () => {
  const at = Date.UTC(2026, 4, 4, 12);
  const one = { cid: "x7Gk2mQ9rT4vW1", type: "SIGNUP" as const };
  expect(ownEventId(one, at)).toMatch(/^auto_[0-9a-f]{32}$/);
  expect(ownEventId(one, at)).toBe(ownEventId(one, at + DAY_MS / 4));
  expect(
    new Set([ownEventId(one, at), ownEventId(one, at + DAY_MS), ownEventId({ ...one, type: "PURCHASE" }, at)]).size,
  ).toBe(3);
});

test("an email address is hashed in lower case without surrounding spaces", () => {
  expect(addressHash(" Ada@Example.test ")).toBe(addressHash("ada@example.test"));
});

test("the conversion window starts at the last click not known to be a bot's, otherwise at the last click, otherwise at the send", () => {
  const sentAt = Date.UTC(2026, 0, 1);
  const now = Date.UTC(2026, 2, 1);
  const person = { at: Date.UTC(2026, 0, 5), hitClass: "HUMAN" as const };
  const scanner = { at: Date.UTC(2026, 1, 20), hitClass: "BOT" as const };
  const unsettled = { at: Date.UTC(2026, 1, 1), hitClass: null };
  expect(openingOf([person, scanner], sentAt, now)).toMatchObject({ by: "CLICK", at: person.at });
  expect(openingOf([person, unsettled, scanner], sentAt, now)).toMatchObject({ by: "CLICK", at: unsettled.at });
  expect(openingOf([scanner], sentAt, now)).toMatchObject({ by: "CLICK", at: scanner.at });
  expect(openingOf([{ at: now + 1, hitClass: "HUMAN" as const }], sentAt, now)).toMatchObject({
    by: "SEND",
    at: sentAt,
  });
  expect(openingOf([], null, now)).toBeNull();
});

test("the last instant of the conversion window counts, and a clock change does not shift the window", () => {
  const click = Date.UTC(2026, 1, 1, 12); // before the clocks change in March
  expect(isInWindow(click, 90, click + 90 * DAY_MS)).toBe(true);
  expect(isInWindow(click, 90, click + 90 * DAY_MS + 1)).toBe(false);
});
