import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { inTurn, type LeadProvider, type Sender, senderFor } from "../../../domain/sending/rotation.ts";

const sender = (id: string, more: Partial<Sender> = {}): Sender => ({
  id,
  provider: "SMTP",
  nextAt: 0,
  room: 50,
  ...more,
});
const OFF = { rotation: "LEAST_RECENT", providerMatching: "OFF" } as const;

/** Which mailbox each of `count` recipients gets. */
function spread(
  senders: Sender[],
  count: number,
  rules: Parameters<typeof senderFor>[3],
  provider: LeadProvider = "UNKNOWN",
): string[] {
  const given = new Map<string, number>();
  return Array.from({ length: count }, () => {
    const { id = "none" } = senderFor(senders, given, provider, rules) ?? {};
    given.set(id, (given.get(id) ?? 0) + 1);
    return id;
  });
}

test("the mailbox that has been unused the longest sends first, then the mailboxes take turns", () => {
  const senders = inTurn(
    [sender("a", { nextAt: 3 }), sender("b", { nextAt: 1 }), sender("c", { nextAt: 2 })],
    "LEAST_RECENT",
    null,
  );
  expect(spread(senders, 4, OFF)).toEqual(["b", "c", "a", "b"]);
});

test("round-robin rotation continues after the mailbox used last, regardless of the mailboxes' other sends", () => {
  const senders = [sender("c"), sender("a", { nextAt: 9 }), sender("b", { nextAt: 1 })];
  const from = (lastId: string | null) => inTurn(senders, "ROUND_ROBIN", lastId).map(({ id }) => id);
  expect(from(null)).toEqual(["a", "b", "c"]);
  expect(from("a")).toEqual(["b", "c", "a"]);
  expect(from("c")).toEqual(["a", "b", "c"]);
  expect(from("bb")).toEqual(["c", "a", "b"]);
});

test("weighted rotation gives each mailbox recipients in proportion to the mailbox's free capacity", () => {
  const senders = [sender("small", { room: 10 }), sender("large", { room: 30 }), sender("none", { room: 0 })];
  const got = spread(senders, 40, { ...OFF, rotation: "WEIGHTED" });
  expect(got.filter((id) => id === "large")).toHaveLength(30);
  expect(got.filter((id) => id === "small").length).toBeGreaterThanOrEqual(9);
});

test.each<[LeadProvider, "PREFER" | "STRICT", string[]]>([
  ["PROVIDERA", "PREFER", ["a", "a"]],
  ["PROVIDERA", "STRICT", ["a", "a"]],
  ["PROVIDERB", "PREFER", ["own", "a"]],
  ["PROVIDERB", "STRICT", ["none", "none"]],
  ["OTHER", "STRICT", ["own", "own"]],
  ["UNKNOWN", "STRICT", ["own", "a"]],
])(
  "two leads at the provider %s get the mailboxes that provider matching %s allows",
  (provider, providerMatching, ids) => {
    const senders = [sender("own"), sender("a", { provider: "PROVIDERA" })];
    expect(spread(senders, 2, { ...OFF, providerMatching }, provider)).toEqual(ids);
  },
);

test("the numbers of recipients of mailboxes with equal free capacity differ by at most one", () => {
  const counts = fc.tuple(
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 0, max: 60 }),
    fc.constantFrom("LEAST_RECENT", "ROUND_ROBIN", "WEIGHTED"),
  );
  fc.assert(
    fc.property(counts, ([mailboxes, people, rotation]) => {
      const senders = Array.from({ length: mailboxes }, (_, index) => sender(`m${index}`));
      const got = spread(senders, people, { ...OFF, rotation });
      const each = senders.map(({ id }) => got.filter((other) => other === id).length);
      expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
    }),
  );
});
