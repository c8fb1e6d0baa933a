import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type PurposeKeys, readToken, signToken } from "../../../domain/access/tokens.ts";

const keyed = (kid: string, byte: number) => ({ kid, key: Buffer.alloc(32, byte) });
const keys: PurposeKeys = { u: [keyed("k1", 1)], o: [keyed("k1", 2)], c: [keyed("k1", 3)] };

test("a token contains the send and the link for which it was signed", () => {
  const token = signToken(keys, "c", "snd_01ABC", 12);
  expect(token).toMatch(/^v1\.k1\.[\w-]+\.[\w-]{22}$/);
  expect(readToken(keys, "c", token)).toEqual({ sendId: "snd_01ABC", linkIndex: 12 });
  expect(readToken(keys, "u", signToken(keys, "u", "snd_01ABC"))).toEqual({ sendId: "snd_01ABC", linkIndex: null });
});

test("a token for one purpose is invalid for another purpose, even with the same key", () => {
  const shared: PurposeKeys = { u: keys.u, o: keys.u, c: keys.u };
  const token = signToken(shared, "o", "snd_1");
  expect([readToken(shared, "u", token), readToken(shared, "c", token)]).toEqual([null, null]);
});

test("new tokens are signed with the newest key, and tokens of older keys are still accepted", () => {
  const token = signToken(keys, "u", "snd_1");
  const grown = { ...keys, u: [keyed("k2", 9), ...keys.u] };
  expect(signToken(grown, "u", "snd_1")).toMatch(/^v1\.k2\./);
  expect(readToken(grown, "u", token)).toEqual({ sendId: "snd_1", linkIndex: null });
  expect(readToken(keys, "u", signToken(grown, "u", "snd_1"))).toBeNull();
});

test("changing any character makes a token invalid", () => {
  const token = signToken(keys, "c", "snd_01ABC", 3);
  const characters = [..."ABCabc019-_.~ "];
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom(...characters), (at, character) => {
      const changed = token.slice(0, at) + character + token.slice(at + 1);
      expect(readToken(keys, "c", changed)).toEqual(changed === token ? { sendId: "snd_01ABC", linkIndex: 3 } : null);
    }),
    { numRuns: 500 },
  );
});

test("random text, or a token with an added line break, is not accepted as a token", () => {
  fc.assert(fc.property(fc.string(), (text) => expect(readToken(keys, "u", text)).toBeNull()));
  expect(readToken(keys, "u", `${signToken(keys, "u", "snd_1")}\n`)).toBeNull();
});
