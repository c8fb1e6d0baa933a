import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type SimpleParserOptions, simpleParser } from "mailparser";
import MailComposer from "nodemailer/lib/mail-composer";
import { parseMail } from "../../../connectors/mime/parse.ts";

const mail = (...lines: string[]) => parseMail(Buffer.from(lines.join("\r\n"), "latin1"));
const mixed = (...lines: string[]) =>
  mail("From: a@x.example", "Content-Type: multipart/mixed; boundary=b", "", ...lines);
const sha256 = (octets: Uint8Array) => createHash("sha256").update(octets).digest("hex");

const WORDS = [
  "Hello",
  "Grüße aus",
  "日本語の本文",
  "x".repeat(90),
  "=3D",
  "> quoted",
  "--b",
  "-- ",
  "From me",
  "\ttab",
  "😀",
  ".dot",
  "a  b",
];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }).map((words) => words.join("\n"));
const file = fc.record({
  filename: fc.constantFrom("offer.pdf", "Résumé 2026.docx", "notes.txt", "no extension"),
  content: fc.oneof(
    text.map((words) => Buffer.from(words)),
    fc.uint8Array({ minLength: 1, maxLength: 300 }).map((octets) => Buffer.from(octets)),
  ),
  contentType: fc.constantFrom(undefined, "text/plain", "application/octet-stream", "image/png"),
});
const composed = fc.record({
  from: fc.constantFrom(
    "Bob <bob@x.example>",
    { name: 'Jörg, "Dr." X', address: "joerg@müller.example" },
    "plain@x.example",
  ),
  to: fc.constantFrom("ann@a.example", "Éva <eva@b.example>, ann@a.example", "group: a@x.example, b@x.example;"),
  subject: fc.constantFrom("Mail", "Grüße aus 日本", `Re: ${"long ".repeat(30)}é`),
  // Two alternatives say the same, as those of programs do
  body: fc.record({ words: text, forms: fc.constantFrom("none", "text", "html", "both") }),
  textEncoding: fc.constantFrom("quoted-printable" as const, "base64" as const),
  attachments: fc.array(file, { maxLength: 3 }),
});

const OTHERS: SimpleParserOptions & { ignoreEmbedded: boolean } = {
  keepDeliveryStatus: true,
  skipTextToHtml: true,
  skipHtmlToText: true,
  keepCidLinks: true,
  ignoreEmbedded: true, // a returned message counts as one part
};

test("an email composed by Nodemailer is parsed with the same subject, text, HTML and files as by mailparser", async () => {
  await fc.assert(
    fc.asyncProperty(composed, async ({ body: { words, forms }, ...others }) => {
      const isIn = (form: string) => forms === form || forms === "both";
      const fields = {
        ...others,
        ...(isIn("text") && { text: words }),
        ...(isIn("html") && { html: `<p>${words}</p>` }),
      };
      const raw = await new MailComposer(fields).compile().build();
      const { message, files } = parseMail(raw);
      const other = await simpleParser(raw, OTHERS);
      expect({ subject: message.subject, html: message.html ?? "" }).toEqual({
        subject: other.subject,
        html: other.html || "",
      });
      if (isIn("text")) expect(message.text.trimEnd()).toBe((other.text ?? "").trimEnd());
      const theirs = other.attachments.map(({ contentType, filename, content }) => ({
        contentType,
        filename,
        sha256: sha256(content),
      }));
      expect(
        files.map(({ contentType, fileName: filename, content }) => ({
          contentType,
          filename,
          sha256: sha256(content),
        })),
      ).toEqual(theirs);
      expect(message.attachments.map(({ partId }) => partId)).toEqual(
        other.attachments.map(({ partId }) => partId ?? null),
      );
    }),
    { numRuns: 150 },
  );
});

test("a boundary delimiter ends all parts nested in the part that declared the boundary, and may be followed by white space", () => {
  const { message, files } = mixed(
    ...[
      "before the parts",
      "--b  ",
      "Content-Type: multipart/alternative; boundary=in",
      "",
      "--in",
      "",
      "plain",
      "--in",
    ],
    ...[
      "Content-Type: text/html",
      "",
      "<b>html</b>",
      "--b\t",
      "Content-Disposition: attachment; filename=f.txt",
      "",
      "a file",
      "--b--",
      "after",
    ],
  );
  expect(message).toMatchObject({ text: "plain", html: "<b>html</b>" });
  expect(
    files.map(({ fileName, contentType, content }) => [fileName, contentType, Buffer.from(content).toString()]),
  ).toEqual([["f.txt", "text/plain", "a file"]]);
  expect(message.attachments[0]?.partId).toBe("2");
});

test("a MIME part without headers is read, and a part whose headers end without an empty line is accepted", () => {
  expect(
    mixed("--b", "", "one", "--b", "Content-Type: text/plain", "--b", "X: y", "", "two", "--b--").message.text,
  ).toBe("one\n\ntwo");
});

test("a line that begins like a boundary delimiter and continues is text", () => {
  expect(mixed("--b", "", "--bc", "--b-", "-- b", "--b--x", "--b--").message.text).toBe("--bc\n--b-\n-- b\n--b--x");
});

test("a MIME part nested deeper than twenty levels is left out, together with everything after that part", () => {
  const nested = (depth: number): string[] =>
    depth === 0
      ? ["", "deep"]
      : [
          `Content-Type: multipart/mixed; boundary=n${depth}.`,
          "",
          `--n${depth}.`,
          "",
          `at ${depth}`,
          `--n${depth}.`,
          ...nested(depth - 1),
        ];
  const { text } = mail("From: a@x.example", ...nested(30)).message;
  expect(text).toContain("at 30\nat 29\n");
  expect(text).toContain("at 11");
  expect(text).not.toContain("at 10");
});

test.each([
  ["utf-8", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
  ["us-ascii", "Gr\xc3\xbc\xc3\x9fe", "Grüße"],
  ["iso-8859-1", "Gr\xfc\xdfe", "Grüße"],
  ["windows-1252", "\x80 5", "€ 5"],
  ["koi8-r", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"],
  ["gb2312", "\xc4\xe3\xba\xc3", "你好"],
  ["shift_jis", "\x82\xb1\x82\xf1", "こん"],
  ["iso-2022-jp", "\x1b$B$3$s\x1b(B", "こん"],
  ["x-nobody-knows", "Gr\xfc\xdfe", "Grüße"],
  ["utf-7", "+ADw-script+AD4-", "+ADw-script+AD4-"],
])("text in the charset %s is decoded", (charset, octets, expected) => {
  expect(mail("From: a@x.example", `Content-Type: text/plain; charset="${charset}"`, "", octets).message.text).toBe(
    expected,
  );
});

test.each([
  [
    "x-unknown",
    "Здравствуйте, ваше предложение нам интересно",
    "\xfa\xc4\xd2\xc1\xd7\xd3\xd4\xd7\xd5\xca\xd4\xc5, \xd7\xc1\xdb\xc5 \xd0\xd2\xc5\xc4\xcc\xcf\xd6\xc5\xce\xc9\xc5 \xce\xc1\xcd \xc9\xce\xd4\xc5\xd2\xc5\xd3\xce\xcf",
  ],
  ["unknown-8bit", "Grüße aus Köln", "Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln"],
  ["windows-9999", "Grüße aus Köln", "Gr\xfc\xdfe aus K\xf6ln"],
  ["binary", "Grüße aus Köln", "Gr\xc3\xbc\xc3\x9fe aus K\xc3\xb6ln"],
])(
  "a text and a subject with the unknown charset label %s are decoded in their actual charset",
  (charset, expected, octets) => {
    const quoted = [...octets]
      .map((char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`)
      .join("");
    const words = [
      `=?${charset}?Q?${quoted}?=`,
      `=?${charset}?b?${Buffer.from(octets, "latin1").toString("base64")}?=`,
    ];
    for (const word of words) {
      const { message } = mail(
        "From: a@x.example",
        `Subject: ${word}`,
        `Content-Type: text/plain; charset="${charset}"`,
        "",
        octets,
      );
      expect([message.subject, message.text]).toEqual([expected, expected]);
    }
  },
);

test("the soft line breaks of flowed text are removed", () => {
  const { text } = mail(
    "Content-Type: text/plain; format=flowed; delsp=no",
    "",
    "one ",
    "line",
    "> a ",
    "> quote",
    "-- ",
    "Bob",
  ).message;
  expect(text).toBe("one line\n> a quote\n-- \nBob");
});

test("an attachment's file name is read from encoded, split and full-path forms of the header", () => {
  const names = [
    "filename*=utf-8''R%C3%A9sum%C3%A9.pdf",
    'filename*0="a very "; filename*1="long name.pdf"',
    'filename="=?utf-8?Q?R=C3=A9sum=C3=A9.pdf?="',
    'filename="C:\\\\mail\\\\offer.pdf"',
  ];
  const parts = names.flatMap((name) => [
    "--b",
    "Content-Type: application/octet-stream",
    `Content-Disposition: attachment; ${name}`,
    "",
    "x",
  ]);
  expect(mixed(...parts, "--b--").files.map(({ fileName, contentType }) => [fileName, contentType])).toEqual([
    ["Résumé.pdf", "application/pdf"],
    ["a very long name.pdf", "application/pdf"],
    ["Résumé.pdf", "application/pdf"],
    ["offer.pdf", "application/pdf"],
  ]);
});

test("an address inside an encoded sender name is used only if the address stands in angle brackets", () => {
  const encoded = (words: string) => `=?utf-8?B?${Buffer.from(words).toString("base64")}?=`;
  const from = (value: string) => mail(`From: ${value}`, "", "hi").message.from;
  expect(from(`${encoded("boss@ours.example")} <bob@x.example>`)).toEqual({
    name: "boss@ours.example",
    address: "bob@x.example",
  });
  expect(from(encoded("boss@ours.example"))?.address).not.toBe("boss@ours.example");
  expect(from(encoded("Bob <bob@x.example>"))).toEqual({ name: "Bob", address: "bob@x.example" });
  expect(from(`<${encoded("bob@x.example, eve@x.example")}>`)?.address).not.toContain("eve");
});

test("when an email has a header twice, the first one counts", () => {
  const { message } = mail("From: one@x.example", "From: two@x.example", "Subject: first", "Subject: second", "", "hi");
  expect(message).toMatchObject({ from: { address: "one@x.example" }, subject: "first" });
});

test.each([
  ["delimiters alone", `${"--b\n".repeat(2_000_000)}`],
  ["hyphens alone", `--b\n\n${"--\n".repeat(3_000_000)}`],
  ["parts of headers without end", `--b\n${"--x\n".repeat(60_000)}`.repeat(40)],
  [
    "white space at the end of a line",
    `--b\nContent-Transfer-Encoding: quoted-printable\n\n${" ".repeat(300_000)}x\n--b--`,
  ],
  ["a header of brackets", `--b\nContent-Type: ${"(".repeat(60_000)}\n\nx\n--b--`],
])("a huge email of %s is parsed without an error", (_, body) => {
  expect(
    parseMail(Buffer.from(`From: a@x.example\nContent-Type: multipart/mixed; boundary=b\n\n${body}`)).message.from
      ?.address,
  ).toBe("a@x.example");
});
