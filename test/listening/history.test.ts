import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { replyTo } from "../fakes/mails.ts";
import { until } from "../fakes/wait.ts";
import { cursors, historyDone, mail, OLD, useSetup } from "./history-setup.ts";
import {
  contacted,
  events,
  mailbox,
  newCampaign,
  quickMailbox,
  read,
  recipientNow,
  watch,
  webhooks,
  workspaceId,
} from "./listening.ts";

useSetup();

test("an email older than the mailbox connection is filed as read in its thread and has no other effect", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "Old answer" }), "INBOX", { date: OLD });
  quick.deliver(mailbox.email, mail("eve@x.test", "Please unsubscribe me"), "Archive", { date: OLD });
  quick.deliver(mailbox.email, mail("eve@x.test", "Ancient"), "INBOX", { date: new Date(Date.now() - 20 * DAY_MS) });
  quick.deliver(mailbox.email, mail("eve@x.test", "Half written", ["X: 1"]), "INBOX", {
    date: OLD,
    flags: ["\\Draft"],
  });
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
  expect([...(await webhooks("REPLIED")), ...(await events("REPLIED")), ...(await webhooks("UNSUBSCRIBE"))]).toEqual(
    [],
  );
  const threads = await scoped(workspaceId).Thread.find({ mailboxId: mailbox._id });
  expect(threads.map(({ isRead, unreadCount }) => [isRead, unreadCount])).toEqual([
    [true, 0],
    [true, 0],
  ]);
});

test("an email that arrives between the connection of a mailbox and its first sync is not history: a reply stops its sender", async () => {
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

test("a reply during the import of old emails stops its sender, and an interrupted import continues without duplicates", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  for (let n = 0; n < 2_400; n++)
    quick.deliver(mailbox.email, mail(`p${n}@x.test`, `Mail ${n}`), n % 2 === 0 ? "INBOX" : "Archive", { date: OLD });
  const first = await watch();
  await until(async () => (await scoped(workspaceId).Message.count()) >= 200, {
    deadlineMs: 20_000,
    what: "a first batch",
  });
  await first.stop();
  const before = await scoped(workspaceId).Message.count();
  expect((await cursors()).some(({ history }) => history !== null)).toBe(before < 2_400);
  await watch();
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "New answer" }));
  await until(async () => (await recipientNow(person))?.status === "REPLIED", { deadlineMs: 30_000, what: "the stop" });
  await historyDone();
  expect(await scoped(workspaceId).Message.count({ kind: "OTHER" })).toBe(2_400);
  const keys = await scoped(workspaceId).Message.find(
    { folder: trusted({ $ne: null }) },
    { select: { contentKey: 1 } },
  );
  expect(new Set(keys.map(({ contentKey }) => contentKey)).size).toBe(2_401);
});

test("a mailbox that is synced from the start again fetches no email body twice", async () => {
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

test("an email older than the mailbox connection has no effect, also when it is moved to another folder later", async () => {
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
