import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { keyRing, open, rewrap, seal } from "../../../domain/access/seal.ts";

const key = () => randomBytes(32).toString("base64");
const place = { workspaceId: "wsp_1", collection: "mailboxes", documentId: "mbx_1", field: "smtp.password" };
const broken = expect.objectContaining({ code: "INTERNAL_ERROR" });

test("a sealed text opens to the original text, and sealing it twice gives different data", () => {
  const ring = keyRing(key(), []);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (plain) => {
      const sealed = seal(ring, place, plain);
      expect(open(ring, place, JSON.parse(JSON.stringify(sealed)))).toBe(plain);
      expect(seal(ring, place, plain).data).not.toBe(sealed.data);
    }),
    { numRuns: 30 },
  );
});

test.each(["workspaceId", "collection", "documentId", "field"])(
  "a sealed value moved to another %s does not open",
  (part) => {
    const ring = keyRing(key(), []);
    expect(() => open(ring, { ...place, [part]: "other" }, seal(ring, place, "secret"))).toThrow(broken);
  },
);

test("a sealed value does not open at another place whose parts join to the same text", () => {
  const ring = keyRing(key(), []);
  const sealed = seal(ring, { ...place, documentId: "a|b", field: "c" }, "secret");
  expect(() => open(ring, { ...place, documentId: "a", field: "b|c" }, sealed)).toThrow(broken);
});

test.each(["wrapNonce", "wrapped", "nonce", "data"] as const)("one changed byte of %s is detected", (part) => {
  const ring = keyRing(key(), []);
  const sealed = seal(ring, place, "secret");
  const bytes = Buffer.from(sealed[part], "base64");
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  expect(() => open(ring, place, { ...sealed, [part]: bytes.toString("base64") })).toThrow(broken);
  expect(() => open(ring, place, { ...sealed, [part]: "" })).toThrow(broken);
});

test("after a key rotation the retired key still opens sealed values, and re-wrapped values no longer need the retired key", () => {
  const [first, second] = [key(), key()];
  const sealed = seal(keyRing(first, []), place, "secret");
  const both = keyRing(second, [first]);
  expect(open(both, place, sealed)).toBe("secret");
  const moved = rewrap(both, place, sealed);
  expect(open(keyRing(second, []), place, moved)).toBe("secret");
  expect(rewrap(both, place, moved)).toBe(moved);
  expect(() => open(keyRing(second, []), place, sealed)).toThrow(broken);
});

test.each([
  ["too short", randomBytes(31).toString("base64")],
  ["too long", randomBytes(33).toString("base64")],
  ["not base64", `${key().slice(0, -3)}!!=`],
  ["empty", ""],
  ["all zero", Buffer.alloc(32).toString("base64")],
  ["counting", Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString("base64")],
  ["a block twice", Buffer.concat(Array(2).fill(randomBytes(16))).toString("base64")],
  ["words", Buffer.from("change-me-please-32-bytes-long!!").toString("base64")],
])("a key that is %s is refused, both as the current key and as a retired one", (_what, bad) => {
  expect(() => keyRing(bad, [])).toThrow(/secret key/);
  expect(() => keyRing(key(), [bad])).toThrow(/secret key/);
});
