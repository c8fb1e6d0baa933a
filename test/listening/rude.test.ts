import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { MAX_MESSAGE } from "../../connectors/imap/connection.ts";
import { scoped } from "../../models/scoped.ts";
import { BYE, DROP, SILENCE } from "../fakes/imap-store.ts";
import { replyTo } from "../fakes/mails.ts";
import { until } from "../fakes/wait.ts";
import {
  contacted,
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

const mail = (subject: string) =>
  `From: eve@x.test\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@x.test>\r\nDate: ${new Date().toUTCString()}\r\n\r\nHello\r\n`;
const ended = async (watching: { failure(): unknown }) =>
  until(() => watching.failure() !== null, { deadlineMs: 30_000, what: "the end of the watch" });

test.each([
  ["says BYE", BYE],
  ["drops the connection", DROP],
  ["never answers", SILENCE],
])(
  "a server that %s during a fetch ends the watch with CONNECT_FAILED, and the next watch misses no email",
  async (_, rudeness) => {
    let isRude = true;
    const quick = await quickMailbox({
      meddle: (command, rest) => (isRude && command === "UID FETCH" && rest.includes("PEEK[]") ? rudeness : null),
    });
    const person = await contacted("bob@b.test", await newCampaign());
    const first = await watch(mailbox, { limits: { silenceMs: 300 } });
    for (const text of ["Hi", "Again"]) quick.deliver(mailbox.email, replyTo(person.sent, { text }));
    await ended(first);
    expect(first.failure()).toMatchObject({ type: "CONNECT_FAILED" });
    expect(await scoped(workspaceId).Message.count()).toBe(0);
    isRude = false;
    await watch();
    await until(async () => (await scoped(workspaceId).Message.count({ kind: "REPLY" })) === 2, {
      deadlineMs: 30_000,
      what: "both replies",
    });
    expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
    expect(await webhooks("REPLIED")).toHaveLength(2);
  },
);

test.each([
  ["drops the connection", DROP],
  ["says that it cannot search now", "TAG NO [UNAVAILABLE] later\r\n"],
])(
  "a server that %s while a re-created folder is searched does not hide any email of that folder",
  async (_, rudeness) => {
    let isRude = false;
    const quick = await quickMailbox({ meddle: (command) => (isRude && command === "UID SEARCH" ? rudeness : null) });
    const person = await contacted("bob@b.test", await newCampaign());
    await (await watch()).stop();
    quick.recreate(mailbox.email, "INBOX");
    quick.deliver(mailbox.email, replyTo(person.sent, { text: "Hi" }));
    isRude = true;
    const next = await watch();
    await ended(next);
    isRude = false;
    await watch();
    await read(1);
    expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
  },
);

test("a login that fails because the server is busy counts as a read failure, not as a wrong password, until a login succeeds", async () => {
  let isBusy = true;
  await quickMailbox({
    meddle: (command) => (isBusy && command === "LOGIN" ? "TAG NO [UNAVAILABLE] later\r\n" : null),
  });
  const { Mailbox } = scoped(workspaceId);
  for (const readFailures of [1, 2, 3]) {
    expect((await watch()).failure()).toMatchObject({ type: "CONNECT_FAILED" });
    const known = await Mailbox.get(mailbox._id);
    expect(known).toMatchObject({
      status: "CONNECTED",
      authFailures: 0,
      readFailures,
      lastError: { code: "CONNECT_FAILED" },
    });
  }
  isBusy = false;
  await watch();
  const isForgiven = async () => (await Mailbox.count({ _id: mailbox._id, readFailures: 0, lastError: null })) === 1;
  await until(isForgiven, { deadlineMs: 30_000, what: "the failed tries to be forgiven" });
});

test("an email that disappears between search and fetch is skipped, and the following emails are read", async () => {
  const races = new Set(["UID FETCH"]);
  const quick = await quickMailbox({
    meddle: (command, rest) => {
      // The first disappears before its header is fetched, the second before its body
      if (races.has(command) && rest.includes("PEEK[")) quick.expunge(mailbox.email, rest.includes("PEEK[]") ? 2 : 1);
      return null;
    },
  });
  await watch();
  const folder = quick.folder(mailbox.email);
  for (const subject of ["Gone", "Gone later"]) quick.deliver(mailbox.email, mail(subject));
  await until(() => folder.mails.length === 0, { deadlineMs: 30_000, what: "the race" });
  races.clear();
  quick.deliver(mailbox.email, mail("Still there"));
  const messages = await read(1);
  expect(messages.map(({ subject }) => subject)).toEqual(["Still there"]);
});

test("an email over the size limit is recorded from its headers, with the reason TOO_BIG", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "Huge" }), "INBOX", { size: MAX_MESSAGE + 1 });
  const [message] = await read(1);
  expect(message).toMatchObject({ kind: "UNREADABLE", unreadable: "TOO_BIG", from: "bob@b.test", bodyText: null });
  expect(quick.commands.filter((command) => command.includes("PEEK[]"))).toEqual([]);
});

test("an email that breaks the connection at each attempt is recorded as unreadable, and the other emails are read", async () => {
  const quick = await quickMailbox();
  const first = await watch();
  quick.deliver(mailbox.email, mail("Before"), "INBOX");
  quick.deliver(mailbox.email, mail("Poison"), "INBOX", { literal: 4 * MAX_MESSAGE });
  quick.deliver(mailbox.email, mail("After"), "INBOX");
  await ended(first);
  for (let attempt = 0; attempt < 3; attempt++) {
    const next = await watch();
    await until(async () => next.failure() !== null || (await scoped(workspaceId).Message.count()) === 3, {
      deadlineMs: 30_000,
      what: "an attempt",
    });
    await next.stop();
  }
  const messages = await read(3);
  expect(messages.map(({ subject, kind, unreadable }) => [subject, kind, unreadable])).toEqual([
    ["Before", "OTHER", null],
    ["Poison", "UNREADABLE", "TOO_BIG"],
    ["After", "OTHER", null],
  ]);
});

test.each([true, false])(
  "a folder that is re-created during a watch (empty: %p) repeats no effect, and new emails have their effect",
  async (isEmpty) => {
    const quick = await quickMailbox();
    const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
    const first = await watch();
    for (const text of ["One", "Two"]) quick.deliver(mailbox.email, replyTo(person.sent, { text }));
    await until(async () => (await webhooks("REPLIED")).length === 2, { deadlineMs: 30_000, what: "both replies" });
    await first.stop();
    quick.recreate(mailbox.email, "INBOX", { isEmpty });
    const bodies = () => quick.commands.filter((command) => command.includes("PEEK[]")).length;
    const before = bodies();
    quick.deliver(mailbox.email, replyTo(person.sent, { text: "Three" }));
    await watch();
    await until(async () => (await webhooks("REPLIED")).length === 3, { deadlineMs: 30_000, what: "the third reply" });
    quick.deliver(mailbox.email, replyTo(person.sent, { text: "Four" }));
    await until(async () => (await webhooks("REPLIED")).length === 4, { deadlineMs: 30_000, what: "the fourth reply" });
    expect(bodies() - before).toBe(2);
  },
);
