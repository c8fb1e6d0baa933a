import { describe, expect, test } from "@jest/globals";
import { addressesIn, linksIn, phonesIn } from "../../../domain/agent/links.ts";
import { type DraftGround, faultOf } from "../../../domain/agent/outgoing-rules.ts";
import { HOUSE_RULES } from "../../../domain/agent/question.ts";
import { LABELLED_REPLIES } from "./labelled-replies.ts";

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

test.each(Object.entries(LABELLED_REPLIES))(
  "in replies written in %s no link, address or phone number is found by mistake",
  (_language, replies) => {
    const found = replies.flatMap(([text]) =>
      text.includes("@") ? [] : [...linksIn(text), ...addressesIn(text), ...phonesIn(text)],
    );
    expect(found).toEqual([]);
  },
);

describe("a draft of the agent", () => {
  test.each([
    "Gladly, thank you. Shall we talk on Thursday at 10.30 a.m., e.g. by telephone?",
    "Our prices are at https://example.com/prices.",
    "Book a time: https://www.example.com/meet?with=ann",
    "Write to sales@example.com or to me, ann@a.test. Mr.Smith knows, too.",
    "Call us at +49 (30) 1234-567, or on 03-12-2026 from 09:00 to 10:30. Delivery on 2026-12-03, order 100 200.",
    "Gern, z.B. am 12.03. um 9.30 Uhr. Viele Grüße",
    "It costs EUR 1.250.000, or $1,250,000.00, for 2,500 people. At this point in time, the point is clear: and/or.",
    "Der Punkt ist: ein, zwei oder drei Termine, um 14:30-15:00. C'est un bon point de vue, un point, c'est tout.",
    "Es un buen punto de partida. Call us at 0049 30 12345-67. We met in 2019-2021, at ann@a.test or at the fair.",
    "We are on version 2.10.3 of the product; see chapter 3.4/5.",
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
    ["FOREIGN_LINK", "See evil.xn--p1ai"],
    ["FOREIGN_LINK", "See xn--e1aybc.xn--p1ai/x"],
    ["FOREIGN_LINK", "See почта.рф for more"],
    ["FOREIGN_LINK", "See 1.2.3.4/x"],
    ["FOREIGN_LINK", "See 203.0.113.7 for more"],
    ["FOREIGN_LINK", "See ２０３．０．１１３．７"],
    ["FOREIGN_LINK", "See [2001:db8::1]/x"],
    ["FOREIGN_LINK", "See localhost:8080/x"],
    ["FOREIGN_LINK", "See localhost for more"],
    ["FOREIGN_LINK", "See intranet:8080/x"],
    ["FOREIGN_LINK", "See evil.internal/x"],
    ["FOREIGN_LINK", "See evil.unknownending:8443"],
    ["FOREIGN_LINK", "See expyuzz4wqqyqhjn.onion"],
    ["FOREIGN_LINK", "See evil.github.io"],
    ["FOREIGN_LINK", "See evil dot com for more"],
    ["FOREIGN_LINK", "See evil dot co dot uk"],
    ["FOREIGN_LINK", "Siehe evil Punkt de"],
    ["FOREIGN_LINK", "Voir evil point com"],
    ["FOREIGN_LINK", "Ver evil punto com"],
    ["FOREIGN_ADDRESS", "Write to thief at evil dot com"],
    ["FOREIGN_ADDRESS", "Write to thief (at) evil (dot) com"],
    ["FOREIGN_ADDRESS", "Write to thief[at]evil.com"],
    ["FOREIGN_ADDRESS", "Escriba a thief arroba evil.com"],
    ["FOREIGN_ADDRESS", "Write to thief@evil.xn--p1ai"],
    ["FOREIGN_ADDRESS", "Write to thief@localhost"],
    ["FOREIGN_ADDRESS", "Write to thief@[203.0.113.7]"],
    ["FOREIGN_ADDRESS", "Write to ｔｈｉｅｆ＠ｅｖｉｌ．ｃｏｍ"],
    ["FOREIGN_PHONE", "Please call 5551234567"],
    ["FOREIGN_PHONE", "Please call 555 1234"],
    ["FOREIGN_PHONE", "Please call 123456"],
    ["FOREIGN_PHONE", "Please call 555.123.4567"],
    ["FOREIGN_PHONE", "Bitte ０９００ １２３４５６ anrufen"],
    ["FOREIGN_PHONE", "Please call ٠٩٠٠ ١٢٣٤٥٦"],
    ["FOREIGN_PHONE", "Please call nine zero zero one two three four five six"],
    ["FOREIGN_PHONE", "Bitte null neun null null, eins zwei drei vier anrufen"],
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
