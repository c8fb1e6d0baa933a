import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { addressWord, MOST_WORDS, threadTerms, threadWords } from "../../../domain/inbox/thread-words.ts";

const bob = { name: "Bob Müller", address: "bob@b.test" };
const wordsOf = (text: string, before: string[] = []) =>
  threadWords({ subject: "A question", participants: [bob] }, text, before);
const isFound = (words: string[], search: string) =>
  threadTerms(search).every((term) => words.some((word) => word.startsWith(term)));

test.each([
  ["Can we talk about PRICING, please?", "pricing", true],
  ["Can we talk about pricing, please?", "Pric talk", true],
  ["Can we talk about pricing, please?", "pric walk", false],
  ["Can we talk about pricing, please?", "ricing", false],
  ["Déjà vu à Besançon", "deja besancon", true],
  ["deja vu", "Déjà", true],
  ["Meine Straße in Łódź", "strasse lodz", true],
  ["İSTANBUL'da", "istanbul", true],
  ["I don’t know", "don't", true],
  ["(see “Widgets”!)", "widgets", true],
  ["a well-known price: $1,200.", "known 1,200", true],
  ["Look at https://www.shop.example/widgets?x=1.", "shop.example/widgets", true],
  ["Look at https://www.shop.example/widgets?x=1.", "www.shop.example", true],
  ["Write to eve@e.test, please", "eve@e.test", true],
  ["We use C++ here", "c++", true],
  ["We use C here", "c++", false],
  ["soft\u00ADhyphen zero\u200Bwidth", "softhyphen zerowidth", true],
  ["お見積もりをお願いします。", "見積もり", true],
  ["お見積もりをお願いします。", "見積もりをお願い", true],
  ["お見積もりをお願いします。", "見学", false],
  ["来週LINEで連絡します", "line 連絡", true],
  ["สวัสดีครับ ขอราคาหน่อย", "ราคา", true],
  ["견적을 부탁드립니다", "견적", true],
  ["ﾊﾝｶｸ ｶﾀｶﾅ", "カタカナ", true],
  ["Hello?", "???", false],
])("an email that says %j is found by %j: %j", (text, search, expected) => {
  expect(isFound(wordsOf(text), search)).toBe(expected);
});

test("a thread is found by its subject and participants together with what any of its emails says", () => {
  const words = wordsOf("The second one says blue", wordsOf("The first one says red"));
  for (const search of ["question muller red blue", "bob@b.test", "b.test red"])
    expect([search, isFound(words, search)]).toEqual([search, true]);
  expect(isFound(words, "green")).toBe(false);
  expect(words).toContain(addressWord("Bob@B.test"));
});

test("stored search words are limited: those of people, subject and newest emails are kept", () => {
  const mail = (name: string) => Array.from({ length: 2_000 }, (_, n) => `${name}${n}`).join(" ");
  const words = ["old", "middle", "third", "newest"].reduce<string[]>(
    (before, name) => wordsOf(mail(name), before),
    [],
  );
  expect(words).toHaveLength(MOST_WORDS.thread);
  expect(
    ["bob@b.test", "question", "newest0", `newest${MOST_WORDS.mail - 1}`, "middle0"].map((word) =>
      words.includes(word),
    ),
  ).toEqual([...[true, true, true, true, true]]);
  expect(words).not.toContain("old299");
});

test("every word of any text is stored in a valid form and can be found, and every search has a term", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const words = wordsOf(text);
      expect(words.every((word) => word !== "" && word.length <= 100 && word.isWellFormed())).toBe(true);
      expect(threadTerms(text).length).toBeGreaterThan(0);
      for (const word of text.split(/\s+/u))
        if (/[\p{L}\p{N}]/u.test(word)) expect([word, isFound(words, word)]).toEqual([word, true]);
    }),
  );
});
