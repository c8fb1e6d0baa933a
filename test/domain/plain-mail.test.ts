import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseAll } from "../../activities/parse.ts";
import { plainMail } from "../../activities/plain-mail.ts";

async function bothWays(raw: Buffer) {
  const [[quick], [slow]] = await Promise.all([parseAll([raw], true), parseAll([raw])]);
  return { quick, slow };
}

const word = fc.constantFrom("Hello", "=", "=C3=A4", "ä", "> quoted", "--b", "", " ", "tab\there", "On Friday Ann wrote:", "=3D", "ends=");
const lines = fc.array(word, { maxLength: 8 }).map((words) => words.join("\r\n"));
const encoding = fc.constantFrom("", "7bit", "8bit", "quoted-printable", "base64", "x-unknown");
const charset = fc.constantFrom("", "; charset=utf-8", '; charset="UTF-8"', "; charset=iso-8859-1", "; charset=utf-8; format=flowed");
const address = fc.constantFrom(
  "a@b.test",
  "Bob <a@b.test>",
  '"Bob, the" <a@b.test>',
  "Bob O'Neil <A.b+c@B.Test>",
  "x <a@b.test>, y@z.test",
  "group: a@b.test;",
  "",
  "nobody",
);
const leaf = fc.record({ kind: fc.constantFrom("plain", "html", "calendar"), encoding, charset, lines });
const partOf = ({ kind, encoding, charset, lines }: { kind: string; encoding: string; charset: string; lines: string }) =>
  `Content-Type: text/${kind}${charset}\r\n${encoding === "" ? "" : `Content-Transfer-Encoding: ${encoding}\r\n`}\r\n${lines}\r\n`;
const mail = fc
  .record({ address, subject: fc.constantFrom("Hi", "=?utf-8?q?=C3=A4?=", "two\r\n lines", ""), parts: fc.array(leaf, { maxLength: 3 }) })
  .map(({ address, subject, parts }) => {
    const head = `From: ${address}\r\nTo: ann@a.test\r\nSubject: ${subject}\r\nMessage-ID: <1@b.test>\r\nMIME-Version: 1.0\r\n`;
    const [only] = parts;
    if (parts.length === 1 && only !== undefined) return head + partOf(only);
    return `${head}Content-Type: multipart/alternative; boundary="b1"\r\n\r\n${parts.map((part) => `--b1\r\n${partOf(part)}`).join("")}--b1--\r\n`;
  });

test("the short way reads a mail as the parser does, or leaves it to the parser", async () => {
  await fc.assert(
    fc.asyncProperty(mail, async (raw) => {
      const { quick, slow } = await bothWays(Buffer.from(raw));
      expect(quick).toEqual(slow);
    }),
    { numRuns: 400 },
  );
});

test("most mail takes the short way", () => {
  const text =
    "From: Bob <a@b.test>\nSubject: Hi\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=utf-8\n\nHello\n--b\nContent-Type: text/html; charset=utf-8\n\n<p>Hello</p>\n--b--\n";
  expect(plainMail(text)).toMatchObject({ text: "Hello", html: "<p>Hello</p>" });
});

const SAMPLES = ["bounces", "replies"].map((name) => new URL(`../../../shared/data/${name}/`, import.meta.url));
for (const folder of SAMPLES.filter((each) => existsSync(each))) {
  test(`the samples of ${folder.pathname.split("/").at(-2)} read the same both ways`, async () => {
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".eml"))) {
      const { quick, slow } = await bothWays(readFileSync(new URL(file, folder)));
      expect({ file, quick }).toEqual({ file, quick: slow });
    }
  });
}
