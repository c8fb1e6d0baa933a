import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, test } from "@jest/globals";
import { openFile } from "../../models/inbox/files.ts";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { listening, mailbox, quickMailbox, read, watch, workspaceId } from "./listening.ts";

listening();

function mixed(parts: string[], subject = "Files"): string {
  const head = [`From: eve@x.test`, `Subject: ${subject}`, `Message-ID: <${randomUUID()}@x.test>`, "MIME-Version: 1.0"];
  const body = parts.map((part) => `--b\r\n${part}\r\n`).join("");
  return `${head.join("\r\n")}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`;
}

const words = "Content-Type: text/plain\r\n\r\nSee below";
const file = (name: string, content: Buffer | string, type = "application/octet-stream") =>
  `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString("base64")}`;

test("attachments of received emails are stored once under safe file names and can be read", async () => {
  const quick = await quickMailbox();
  const first = await watch();
  const raw = mixed([
    words,
    file("../../etc/pass\\wd.txt", "one"),
    file("a\u0001b\u202egpj.exe", "two"),
    file("", "three"),
  ]);
  quick.deliver(mailbox.email, raw);
  const [message] = await read(1);
  expect(message?.attachments.map(({ fileName, size }) => [fileName, size])).toEqual([
    ["passwd.txt", 3],
    ["abgpj.exe", 3],
    ["attachment", 5],
  ]);
  const contents = message?.attachments.map(async ({ id }) => {
    const stored = await openFile(workspaceId, id);
    return stored === null ? null : text(stored);
  });
  expect(await Promise.all(contents ?? [])).toEqual(["one", "two", "three"]);
  await first.stop();
  quick.recreate(mailbox.email, "INBOX");
  await scoped(workspaceId).Message.deleteMany({ mailboxId: mailbox._id });
  await watch();
  const [again] = await read(1);
  expect(again?.attachments).toEqual(message?.attachments);
  expect(await scoped(workspaceId).StoredFile.count()).toBe(3);
});

test("a compressed attachment is stored as received, without unpacking", async () => {
  const quick = await quickMailbox();
  await watch();
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  quick.deliver(mailbox.email, mixed([words, file("bomb.gz", bomb, "application/gzip")]));
  const [message] = await read(1);
  expect(message?.attachments).toMatchObject([{ fileName: "bomb.gz", size: bomb.length }]);
});

test("oversized or malformed emails are read up to the limits, and do not block the next email", async () => {
  const quick = await quickMailbox();
  await watch();
  const nested = Array.from(
    { length: 100 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  ).join("");
  const head = (subject: string) =>
    `From: eve@x.test\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@x.test>\r\n`;
  const mails = [
    `${head("depth")}MIME-Version: 1.0\r\n${nested}Content-Type: text/plain\r\n\r\ndeep down`,
    `${head("headers")}${"X-Filler: y\r\n".repeat(12_000)}\r\nHello`,
    mixed([words, ...Array.from({ length: 300 }, (_, n) => file(`${n}.txt`, "x"))], "parts"),
    `${head("charset")}Content-Type: text/plain; charset=klingon\r\n\r\nqapla' \xe9`,
    `${head("broken")}Content-Type: multipart/mixed; boundary=never\r\n\r\n--other\r\nHello`,
    `${head("x".repeat(10_000))}\r\nHello`,
    `${head("nothing")}`,
    `${head("quote")}\r\n${"> ".repeat(40_000)}\r\n${"On a b c d e f wrote:\r\n".repeat(3_000)}`,
    `${head("last")}\r\nHello`,
  ];
  for (const mail of mails) quick.deliver(mailbox.email, Buffer.from(mail, "latin1"));
  await until(async () => (await scoped(workspaceId).Message.count({ subject: "last" })) === 1, {
    deadlineMs: 20_000,
    what: "the last mail",
  });
  const messages = await read(mails.length);
  const bySubject = new Map(messages.map((message) => [message.subject?.slice(0, 7), message]));
  expect(bySubject.get("parts")?.attachments.length).toBeLessThanOrEqual(50);
  expect(bySubject.get("charset")?.bodyText).toContain("qapla' é");
  expect(bySubject.get("broken")?.bodyText).toContain("Hello");
  expect(bySubject.get("xxxxxxx")?.subject).toHaveLength(1_000);
  expect(messages.filter(({ unreadable }) => unreadable !== null)).toEqual([]);
});
