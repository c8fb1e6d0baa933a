import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type HeaderLines, simpleParser } from "mailparser";
import { composeMessage, type Mail } from "../../connectors/smtp/compose.ts";
import { cleanHeader } from "../../domain/mail/message.ts";

const mail: Mail = {
  from: { name: "Grace Hopper", address: "grace@example.org" },
  to: { name: "Ada", address: "ada@example.com" },
  subject: "Hello",
  text: "Hi Ada",
  html: "<p>Hi Ada</p>",
  messageId: "<abc@example.org>",
  date: new Date("2026-01-15T10:00:00Z"),
};
const full: Mail = {
  ...mail,
  cc: [{ address: "copy@example.com" }],
  replyTo: "grace+r.abcdefghijklmnopqrst@example.org",
  inReplyTo: "<b@example.org>",
  references: ["<a@example.org>", "<b@example.org>"],
  listUnsubscribe: {
    url: "https://t.example.org/u/v1.k.p.m",
    mailto: "grace@example.org?subject=unsubscribe%20v1.k.p.m",
  },
  mailRef: "abcdefghijklmnopqrst",
  abuse: { contact: "abuse@operator.test", feedbackId: "aaaa:bbbb:campaign:cccccc" },
  test: true,
};
const built = async (part: Partial<Mail> = {}) => (await composeMessage({ ...mail, ...part })).bytes.toString("latin1");
const headOf = (bytes: string) => bytes.slice(0, bytes.indexOf("\r\n\r\n"));
const namesOf = (bytes: string) =>
  headOf(bytes)
    .split(/\r\n(?![ \t])/)
    .map((line) => line.slice(0, line.indexOf(":")));
const lineOf = (lines: HeaderLines, key: string) =>
  lines.find((line) => line.key === key)?.line.replace(/\r\n\s+/g, " ");

const always = ["Content-Type", "Date", "From", "MIME-Version", "Message-ID", "Subject", "To"];
const optional = [
  "Cc",
  "Feedback-ID",
  "In-Reply-To",
  "List-Unsubscribe",
  "List-Unsubscribe-Post",
  "References",
  "Reply-To",
  "X-Abuse",
  "X-Mail-Ref",
  "X-Mail-Test",
];

test("a message has exactly the expected headers, each one once", async () => {
  expect(namesOf(await built()).sort()).toEqual(always);
  expect(namesOf(await built(full)).sort()).toEqual([...always, ...optional].sort());
  expect(namesOf(await built({ html: null })).sort()).toEqual(["Content-Transfer-Encoding", ...always].sort());
});

test("an email parser finds every field and part that was put into the message", async () => {
  const parsed = await simpleParser(
    await built({ ...full, subject: "Grüße 🎉", text: "Zeile 1\nZeile zwei: ü", html: "<p>ü</p>" }),
  );
  expect(parsed).toMatchObject({
    subject: "Grüße 🎉",
    messageId: mail.messageId,
    inReplyTo: "<b@example.org>",
    references: ["<a@example.org>", "<b@example.org>"],
    date: mail.date,
    from: { value: [{ name: "Grace Hopper", address: "grace@example.org" }] },
    to: { value: [{ name: "Ada", address: "ada@example.com" }] },
    replyTo: { value: [{ address: full.replyTo }] },
  });
  expect(parsed.text?.trim()).toBe("Zeile 1\nZeile zwei: ü");
  expect(parsed.html).toContain("<p>ü</p>");
  expect(lineOf(parsed.headerLines, "list-unsubscribe")).toBe(
    "List-Unsubscribe: <https://t.example.org/u/v1.k.p.m>, <mailto:grace@example.org?subject=unsubscribe%20v1.k.p.m>",
  );
  expect(lineOf(parsed.headerLines, "list-unsubscribe-post")).toBe("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
});

test("the text part comes before the HTML part, and a message without HTML has one part", async () => {
  const types = (bytes: string) => [...bytes.matchAll(/^Content-Type: ([\w/]+)/gm)].map((match) => match[1]);
  expect(types(await built())).toEqual(["multipart/alternative", "text/plain", "text/html"]);
  expect(types(await built({ html: null }))).toEqual(["text/plain"]);
  expect(types(await built({ text: "" }))).toEqual(["multipart/alternative", "text/plain", "text/html"]);
});

test("composing one email twice gives identical bytes and an identical hash", async () => {
  const [one, two] = await Promise.all([composeMessage(full), composeMessage(full)]);
  expect(one.bytes.equals(two.bytes)).toBe(true);
  expect(one.sha256).toBe(createHash("sha256").update(one.bytes).digest("hex"));
});

test("no header names the software that built the message", async () => {
  expect(await built(full)).not.toMatch(/nodemailer|_NmP|x-mailer/i);
});

test("no field of an email can inject a header or a recipient, or end the header block", async () => {
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          "\r\n",
          "\n",
          "\r",
          "\0",
          "\u2028",
          "\u0085",
          "Bcc: x@evil.example",
          "<",
          ">",
          ",",
          ";",
          '"',
          "\\",
          "(",
          "=?",
          "?=",
          " ",
          "ü",
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (name, subject, body) => {
      const bytes = await built({
        from: { name, address: mail.from.address },
        to: { name: subject, address: mail.to.address },
        subject,
        text: body,
        html: body,
        inReplyTo: name,
        references: [name, subject],
        mailRef: name,
      });
      const names = namesOf(bytes);
      expect(names.filter((key) => ![...always, ...optional].includes(key))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
      expect(bytes).not.toMatch(/[^\r]\n|\r(?!\n)|\0/);
      expect(Math.max(...bytes.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
      const parsed = await simpleParser(bytes);
      expect(parsed.from?.value.map(({ address }) => address)).toEqual([mail.from.address]);
      expect([parsed.to].flat().flatMap((to) => to?.value.map(({ address }) => address))).toEqual([mail.to.address]);
      expect(parsed.bcc).toBeUndefined();
    }),
    { numRuns: 150 },
  );
});

test("text that looks like an encoded word arrives as written and is never decoded", async () => {
  const word = fc.constantFrom(
    "=?utf-8?q?Free_money?=",
    "=?UTF-8?B?RnJlZQ==?=",
    "=?us-ascii*en?Q?a?=",
    "=?utf-8?q?a b?=",
    "=?x?y?z?=",
  );
  const part = fc.constantFrom(
    "=?",
    "?=",
    "?q?",
    "=?utf-8?Q?",
    "=41",
    "_",
    "=",
    "?",
    " ",
    '"',
    "\\",
    "Ann",
    "ü",
    "🎉",
    ",",
    "<b>",
  );
  const text = fc
    .tuple(
      fc.array(part, { maxLength: 12 }),
      fc.oneof(word, fc.constant("=?")),
      fc.array(fc.oneof(part, word), { maxLength: 12 }),
    )
    .map(([before, one, after]) => [...before, one, ...after].join(""));
  await fc.assert(
    fc.asyncProperty(text, text, text, async (name, toName, subject) => {
      const copies = [{ name: toName, address: "copy@example.com" }, { address: "other@Exämple.de" }];
      const bytes = await built({
        from: { name, address: mail.from.address },
        to: { name: toName, address: mail.to.address },
        cc: copies,
        subject,
      });
      const parsed = await simpleParser(bytes);
      const named = (value: typeof parsed.to) =>
        [value].flat().flatMap((one) => one?.value.map(({ name, address }) => [name, address]));
      expect(parsed.subject).toBe(cleanHeader(subject, 270));
      expect(named(parsed.from)).toEqual([[cleanHeader(name, 128), mail.from.address]]);
      expect(named(parsed.to)).toEqual([[cleanHeader(toName, 128), mail.to.address]]);
      expect(named(parsed.cc)).toEqual([
        [cleanHeader(toName, 128), "copy@example.com"],
        ["", "other@exämple.de"], // as this reader shows an A-label
      ]);
      expect(headOf(bytes)).not.toMatch(/=\?utf-8\?q\?Free|=\?UTF-8\?B\?RnJl/); // for readers who look into quotes too
      expect(
        Math.max(
          ...headOf(bytes)
            .split("\r\n")
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(78);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ["a line break in an address", { to: { address: "a@example.com\r\nBcc: x@evil.example" } }],
  ["two addresses as one", { to: { address: "a@example.com, b@example.com" } }],
  ["a path for an address", { replyTo: "/etc/passwd" }],
  ["a Message-ID with a line break", { messageId: "<a@x>\r\nBcc: <x@evil.example>" }],
  [
    "an unsubscribe address with a line break",
    { listUnsubscribe: { url: "https://x.example/\r\nBcc: x", mailto: "a@x.example" } },
  ],
])("an email with %s is refused", async (_what, part) => {
  await expect(composeMessage({ ...mail, ...part })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("domains are sent as A-labels and display names as encoded words", async () => {
  const head = headOf(await built({ to: { name: "Jürgen", address: "info@Exämple.de" } }));
  expect(head).toMatch(/To: =\?UTF-8\?[QB]\?.*\?= <info@xn--exmple-cua\.de>/);
});

test("the body of an email cannot make the composer open a file or a URL", async () => {
  const path = JSON.stringify({ path: "/etc/hostname" });
  const parsed = await simpleParser(await built({ text: path, html: '<img src="file:///etc/hostname">' }));
  expect(parsed.text?.trim()).toBe(path);
  expect(parsed.attachments).toEqual([]);
});

test("a message over 10 MiB is refused", async () => {
  await expect(composeMessage({ ...mail, text: "x".repeat(10 * 1024 * 1024) })).rejects.toMatchObject({
    code: "LIMIT_EXCEEDED",
  });
});
