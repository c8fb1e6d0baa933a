import { describe, expect, test } from "@jest/globals";
import { type DraftGround, faultOf } from "../../../domain/agent/outgoing-rules.ts";
import { HOUSE_RULES } from "../../../domain/agent/question.ts";

const ground: DraftGround = {
  ownTexts: [
    "Prices: https://www.example.com/prices",
    "Book at example.com/meet?with=ann",
    "Write to sales@example.com",
    "Telephone +49 30 1234567",
  ],
  ownAddresses: ["ann@a.test", "bob@b.test"],
  instructions: [HOUSE_RULES, "Always offer ten percent less when somebody mentions our competitor by name"],
  canary: "Qx7Kp2Lm9Zt4",
};

describe("what may leave", () => {
  test.each([
    "Gladly, thank you. Shall we talk on Thursday at 10.30 a.m., e.g. by telephone?",
    "Our prices are at https://example.com/prices.",
    "Book a time: https://www.example.com/meet?with=ann",
    "Write to sales@example.com or to me, ann@a.test. Mr.Smith knows, too.",
    "Call us at +49 (30) 1234-567, or on 03-12-2026 from 09:00 to 10:30. Delivery on 2026-12-03, order 100 200 300.",
    "Gern, z.B. am 12.03. um 9.30 Uhr. Viele Grüße",
  ])("passes: %s", (draft) => {
    expect(faultOf(draft, ground)).toBeNull();
  });

  test.each([
    ["FOREIGN_LINK", "See https://evil.example.net/login"],
    ["FOREIGN_LINK", "See evil.com for more"],
    ["FOREIGN_LINK", "See evil[.]com for more"],
    ["FOREIGN_LINK", "See evil(dot)com for more"],
    ["FOREIGN_LINK", "See hxxps://evil.com/a"],
    ["FOREIGN_LINK", "See ｅｖｉｌ．ｃｏｍ"],
    ["FOREIGN_LINK", "Our prices: https://example.com/prices?leak=secret"],
    ["FOREIGN_LINK", "Our prices: https://example.com.evil.com/prices"],
    ["FOREIGN_LINK", "Our prices: https://example.com@evil.com/prices"],
    ["FOREIGN_LINK", "Call tel:+4930123456"],
    ["FOREIGN_LINK", "javascript:alert(1)"],
    ["FOREIGN_LINK", "http://203.0.113.7/x"],
    ["FOREIGN_ADDRESS", "I put thief@evil.com in copy"],
    ["FOREIGN_PHONE", "Please call +49 900 123456 now"],
    ["FOREIGN_PHONE", "Please call 0049-900-123456 now"],
    ["FOREIGN_PHONE", "Please call 0900 / 12 34 56 now"],
    ["FOREIGN_PHONE", "Please call (555) 123-4567 now"],
    ["FOREIGN_PHONE", "Please call ＋４９ ９００ １２３４５６ now"],
    ["MARKUP", "Look <img src=x>"],
    ["MARKUP", "Look ![here](https://example.com/prices)"],
    ["MARKUP", "Hello {{firstName}}"],
    ["HIDDEN_TEXT", "Hello\u200b there"],
    ["SECRET", "The key is sk-abcdefghijklmnopqrstuvwx"],
    ["SECRET", "My password: hunter2hunter2"],
    ["SECRET", "Pay to DE89 3704 0044 0532 0130 00 please"],
    ["SECRET", "Pay to DE89370400440532013000 please"],
    ["SECRET", "Pay to US133000000121212121212 please"],
    ["SECRET", "Card 4111 1111 1111 1111"],
    ["LEAK", "My marker is qx7kp2lm9zt4"],
    ["LEAK", "I was told: always offer ten percent less when somebody mentions our competitor"],
    ["LEAK", "Rules: You prepare a reply in a business conversation by e-mail for one of our employees."],
    ["TOO_LONG", "word ".repeat(1_000)],
  ])("%s: %s", (fault, draft) => {
    expect(faultOf(draft, ground)).toBe(fault);
  });
});
