import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { addressHashFrom, addressHashOf } from "../../../domain/leads/address-hash.ts";
import { readEmailEvent } from "../../../domain/tracking/email-event.ts";

const NOW = new Date("2026-05-05T12:00:00Z");
const em = createHash("sha256").update("ann@x.test").digest("hex");
const event = (more: object = {}) => ({ event_name: "PURCHASE", event_id: "e1", user_data: { em }, ...more });
const read = (raw: unknown) => readEmailEvent(raw, NOW);

test("a conversion event is read with an alias as the name, a rounded value, the currency in capitals and the time in UTC", () => {
  const raw = event({
    event_name: "Purchase",
    custom_data: { value: 12.34567, currency: "eur" },
    occurred_at: "2026-05-01T10:00:00+02:00",
  });
  expect(read(raw)).toEqual({
    event: {
      eventId: "e1",
      type: "PURCHASE",
      addressHash: addressHashOf("ann@x.test"),
      value: "12.3457",
      currency: "EUR",
      actionSource: null,
      occurredAt: new Date("2026-05-01T08:00:00Z"),
    },
  });
  expect(addressHashFrom(em.toUpperCase())).toBe(addressHashOf("ann@x.test"));
});

test.each<[string, unknown, string]>([
  ["no object", null, "malformed"],
  ["a list", [], "malformed"],
  ["no name", { user_data: { em } }, "malformed"],
  ["no address", { event_name: "PURCHASE" }, "malformed"],
  ["a name that is a number", event({ event_name: 5 }), "malformed"],
  ["an id that is no text", event({ event_id: 5 }), "malformed"],
  ["513 characters", event({ action_source: "x".repeat(513) }), "malformed"],
  ["another spelling", event({ event_name: "purchase" }), "unknown_event"],
  ["a name of every object", event({ event_name: "constructor" }), "unknown_event"],
  ["a value below 0", event({ custom_data: { value: -1 } }), "invalid_value"],
  ["a value as text", event({ custom_data: { value: "12" } }), "invalid_value"],
  ["a value beyond all", event({ custom_data: { value: 1e13 } }), "invalid_value"],
  ["four letters", event({ custom_data: { currency: "EURO" } }), "invalid_value"],
  ["an address in the clear", event({ user_data: { em: "ann@x.test" } }), "invalid_em"],
  ["a day that does not exist", event({ occurred_at: "2026-13-01" }), "invalid_time"],
  ["an hour without its zone", event({ occurred_at: "2026-05-01T10:00:00" }), "invalid_time"],
  ["what has not happened yet", event({ occurred_at: "2026-05-05T12:05:01Z" }), "invalid_time"],
])("a conversion event with an error (%s) is refused with the reason", (_name, raw, reason) => {
  expect(read(raw)).toMatchObject({ reason });
});

test("conversion events without an id get the same id for the same address, type and day, and the value -0 is stored as 0", () => {
  const idOf = (raw: object) => {
    const one = read({ ...raw, event_id: undefined });
    return "event" in one ? one.event.eventId : null;
  };
  expect(idOf(event())).toBe(idOf(event({ occurred_at: "2026-05-05T01:00:00Z" })));
  expect(idOf(event())).not.toBe(idOf(event({ occurred_at: "2026-05-04" })));
  expect(read(event({ custom_data: { value: -0 } }))).toMatchObject({ event: { value: "0" } });
});
