import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { replyTo } from "../fakes/mails.ts";
import { until } from "../fakes/wait.ts";
import {
  contacted,
  events,
  listening,
  mailbox,
  newCampaign,
  quickMailbox,
  read,
  recipientNow,
  watch,
  webhooks,
  workspaceId,
} from "./listening.ts";

listening();

const OLD = new Date(Date.now() - 2 * DAY_MS);

function mail(from: string, subject: string, more: string[] = [], body = "Hello"): string {
  const head = [
    `From: ${from}`,
    `To: ann@a.test`,
    `Subject: ${subject}`,
    `Message-ID: <${randomUUID()}@b.test>`,
    `Date: ${OLD.toUTCString()}`,
  ];
  return `${[...head, ...more].join("\r\n")}\r\n\r\n${body}\r\n`;
}

const cursors = () => scoped(workspaceId).MailboxCursor.find({ mailboxId: mailbox._id });
const historyDone = () =>
  until(async () => (await cursors()).every(({ history }) => history === null), { deadlineMs: 60_000, what: "the history to be filed" });

test("mail from before the first look is filed in threads, as read, and has no other effect", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "Old answer" }), "INBOX", { date: OLD });
  quick.deliver(mailbox.email, mail("eve@x.test", "Please unsubscribe me"), "Archive", { date: OLD });
  quick.deliver(mailbox.email, mail("eve@x.test", "Ancient"), "INBOX", { date: new Date(Date.now() - 20 * DAY_MS) });
  quick.deliver(mailbox.email, mail("eve@x.test", "Half written", ["X: 1"]), "INBOX", { date: OLD, flags: ["\\Draft"] });
  await watch();
  await historyDone();
  const messages = await read(2);
  expect(messages.map(({ subject, folder }) => [subject?.slice(0, 3), folder])).toEqual(
    expect.arrayContaining([
      ["Re:", "INBOX"],
      ["Ple", "Archive"],
    ]),
  );
  expect(messages).toHaveLength(2);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", repliedAt: null });
  expect([...(await webhooks("REPLIED")), ...(await events("REPLIED")), ...(await webhooks("UNSUBSCRIBE"))]).toEqual([]);
  const threads = await scoped(workspaceId).Thread.find({ mailboxId: mailbox._id });
  expect(threads.map(({ isRead, unreadCount }) => [isRead, unreadCount])).toEqual([
    [true, 0],
    [true, 0],
  ]);
});

test("mail that comes after the connection of its mailbox and before the first look is no history: a reply stops its sender", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  quick.deliver(mailbox.email, mail("eve@x.test", "Yesterday's"), "INBOX", { date: new Date(Date.now() - DAY_MS / 2) });
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "At once" }));
  await watch();
  await until(async () => (await recipientNow(person))?.status === "REPLIED", { deadlineMs: 30_000, what: "the stop" });
  await historyDone();
  expect(await webhooks("REPLIED")).toHaveLength(1);
  expect((await read(2)).map(({ kind }) => kind).sort()).toEqual(["OTHER", "REPLY"]);
});

test("a reply during the filing of history stops its sender, and filing that was cut continues and files nothing twice", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  for (let n = 0; n < 2_400; n++)
    quick.deliver(mailbox.email, mail(`p${n}@x.test`, `Mail ${n}`), n % 2 === 0 ? "INBOX" : "Archive", { date: OLD });
  const first = await watch();
  await until(async () => (await scoped(workspaceId).Message.count()) >= 200, { deadlineMs: 20_000, what: "a first batch" });
  await first.stop();
  const before = await scoped(workspaceId).Message.count();
  expect((await cursors()).some(({ history }) => history !== null)).toBe(before < 2_400);
  await watch();
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "New answer" }));
  await until(async () => (await recipientNow(person))?.status === "REPLIED", { deadlineMs: 30_000, what: "the stop" });
  await historyDone();
  expect(await scoped(workspaceId).Message.count({ kind: "OTHER" })).toBe(2_400);
  const keys = await scoped(workspaceId).Message.find({ folder: trusted({ $ne: null }) }, { select: { contentKey: 1 } });
  expect(new Set(keys.map(({ contentKey }) => contentKey)).size).toBe(2_401);
});

test("many long mails are filed in parts that the database accepts", async () => {
  const quick = await quickMailbox();
  const long = "One of the many lines of a long letter to us.\r\n".repeat(1_300); // the database's cache is 256 MB
  for (let n = 0; n < 700; n++) quick.deliver(mailbox.email, mail(`p${n}@x.test`, `Mail ${n}`, [], long), "INBOX", { date: OLD });
  await watch();
  await historyDone();
  expect(await scoped(workspaceId).Message.count()).toBe(700);
});

test("many mails of many different words are filed in parts that the database accepts", async () => {
  const quick = await quickMailbox();
  const words = (n: number) => Array.from({ length: 300 }, (_, word) => (word * 1_000 + n).toString(36)).join(" ");
  for (let n = 0; n < 900; n++) quick.deliver(mailbox.email, mail(`p${n}@x.test`, `Mail ${n}`, [], words(n)), "INBOX", { date: OLD });
  await watch();
  await historyDone();
  expect(await scoped(workspaceId).Thread.count({ searchWords: (299 * 1_000 + 899).toString(36) })).toBe(1);
});

test("a mailbox that is read from its start again fetches no body twice", async () => {
  const quick = await quickMailbox();
  for (let n = 0; n < 250; n++) quick.deliver(mailbox.email, mail(`p${n}@x.test`, `Mail ${n}`), "INBOX", { date: OLD });
  const first = await watch();
  await historyDone();
  await first.stop();
  const bodies = () => quick.commands.filter((command) => /BODY\.PEEK\[\]/.test(command)).length;
  const before = bodies();
  expect(before).toBeGreaterThan(0);
  await scoped(workspaceId).MailboxCursor.deleteMany({ mailboxId: mailbox._id });
  await watch();
  await historyDone();
  expect(bodies()).toBe(before);
  expect(await scoped(workspaceId).Message.count()).toBe(250);
});

test("mail from before the first look stays without effect when it is moved later", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  const ancient = new Date(Date.now() - 20 * DAY_MS);
  const raw = replyTo(person.sent, { text: "Ancient answer" });
  await watch(mailbox, { limits: { resyncMs: 100 } });
  quick.deliver(mailbox.email, raw, "Archive", { date: ancient });
  quick.deliver(mailbox.email, mail("eve@x.test", "Now"), "Archive");
  await read(2);
  expect(await scoped(workspaceId).Message.count({ kind: trusted({ $ne: "OTHER" }) })).toBe(0);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});
