import { expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  baseSubject,
  cleanHeader,
  companyDomain,
  isAddress,
  mailRef,
  messageId,
  normalizeAddress,
  referencesOf,
  replySubject,
} from "../../../domain/mail/message.ts";

const key = Buffer.alloc(32, 7);
const attempt = { workspaceId: "wsp_1", recipientId: "rcp_1", stepId: "stp_1", generation: 0 };

test("a retry has the same Message-ID, and another attempt, step, recipient, workspace or key has a different Message-ID", () => {
  const id = messageId(key, attempt, "example.com");
  expect(id).toMatch(/^<[a-z2-7]{32}@example\.com>$/);
  expect(messageId(key, { ...attempt }, "example.com")).toBe(id);
  const others = [{ generation: 1 }, { stepId: "stp_2" }, { recipientId: "rcp_2" }, { workspaceId: "wsp_2" }];
  const ids = others.map((other) => messageId(key, { ...attempt, ...other }, "example.com"));
  ids.push(messageId(Buffer.alloc(32, 8), attempt, "example.com"));
  ids.push(messageId(key, { workspaceId: "wsp_1", idempotencyKey: "k" }, "example.com"));
  expect(new Set([id, ...ids]).size).toBe(7);
});

test("an email reference has 20 characters that do not depend on case, and differs for each send", () => {
  expect(mailRef(key, "snd_1")).toMatch(/^[a-z2-7]{20}$/);
  expect(mailRef(key, "snd_2")).not.toBe(mailRef(key, "snd_1"));
});

test("an email reference uses the base32 encoding of RFC 4648", () => {
  // the first 5 bytes of HMAC-SHA256(0x07 x 32, "snd_1"), computed with another implementation
  expect(mailRef(key, "snd_1").slice(0, 8)).toBe("qjhzw4rt");
});

test.each([
  ["Re: Hello", "hello"],
  ["RE: re: Fwd: [EXT] Hello   World", "hello world"],
  ["AW: WG: Antw: Angebot", "angebot"],
  ["Re[2]: Re (3): x", "x"],
  ["回复：转发: 你好", "你好"],
  ["[External] SV: Rv: x", "x"],
  ["Regarding: x", "regarding: x"],
  ["[List] x", "[list] x"],
  ["Re:", ""],
])("the base subject of %j is %j", (subject, base) => {
  expect(baseSubject(subject)).toBe(base);
});

test("a reply keeps the base subject and gets exactly one prefix", () => {
  expect(replySubject("Hello")).toBe("Re: Hello");
  expect(replySubject(replySubject("Hello"))).toBe("Re: Hello");
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (subject) =>
      expect(baseSubject(replySubject(subject))).toBe(baseSubject(subject)),
    ),
  );
});

test("the References header keeps the first and the newest ids, at most 20, without duplicates", () => {
  const chain = Array.from({ length: 30 }, (_, n) => `<${n}@x>`);
  expect(referencesOf(chain)).toEqual(["<0@x>", ...chain.slice(11)]);
  expect(referencesOf(["<a@x>", "<b@x>", "<a@x>"])).toEqual(["<a@x>", "<b@x>"]);
});

test("a cleaned header has no control, bidi or unpaired character and at most the given number of code points", () => {
  expect(cleanHeader("a\r\nBcc: x\u202eb\ud800", 50)).toBe("a Bcc: x b\ufffd");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(40), (value, max) => {
      const clean = cleanHeader(value, max);
      expect(clean).not.toMatch(/[\x00-\x1f\x7f\u0085\u2028-\u202e\u2066-\u2069]/);
      expect(clean.isWellFormed()).toBe(true);
      expect([...clean].length).toBeLessThanOrEqual(max);
    }),
  );
});

test.each([
  [" Ada@Example.COM ", "ada@example.com", false],
  ["a+tag.x@sub.example.co.uk", "a+tag.x@sub.example.co.uk", false],
  ["info@Exämple.de", "info@xn--exmple-cua.de", false],
  ["jürgen@example.de", "jürgen@example.de", true],
  ["o'brien@example.ie", "o'brien@example.ie", false],
])("%j is normalised to the email address %s", (value, address, smtputf8) => {
  expect(normalizeAddress(value)).toEqual({ address, domain: address.split("@")[1], smtputf8 });
});

test.each([
  ...[
    "",
    "a",
    "@example.com",
    "a@",
    "a@localhost",
    "a@b@example.com",
    "a..b@example.com",
    ".a@example.com",
    "a.@example.com",
  ],
  ...[
    "a b@example.com",
    "a@exam ple.com",
    "a@-x.com",
    "a@x_y.com",
    "a@example.com.",
    "a@example..com",
    "a@127.0.0.1",
    "a@[127.0.0.1]",
  ],
  ...[
    "a@0x7f.1",
    "a@1.2.3.4",
    '"a b"@example.com',
    "Ada <a@example.com>",
    "a@example.com, b@example.com",
    "a\r\n@example.com",
  ],
  ...[
    "a@example.com\nBcc: b@x.com",
    "a\u202eb@example.com",
    "a@ex%61mple.com",
    `${"a".repeat(65)}@example.com`,
    `a@${"a".repeat(64)}.com`,
  ],
])("%j is not an email address", (value) => {
  expect(isAddress(value)).toBe(false);
});

test("normalising an email address twice changes nothing", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.string({ unit: "grapheme" }).map((local) => `${local}@example.com`),
      ),
      (value) => {
        const once = normalizeAddress(value);
        if (once) expect(normalizeAddress(once.address)).toEqual(once);
      },
    ),
  );
});

test.each([
  ["mail.acme.co.uk", "acme.co.uk"],
  ["acme.com", "acme.com"],
  ["example.com", "example.com"],
  ["gmail.com", null],
  ["yahoo.co.uk", null],
  ["mx.gmx.net", null],
  ["web.de", null],
  ["co.uk", null],
  ["localhost", null],
])("the company domain of %s is %s", (domain, company) => {
  expect(companyDomain(domain)).toBe(company);
});
