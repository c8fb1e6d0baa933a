import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import { ingest } from "../../store/inbox/ingest.ts";
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
  world,
} from "./listening.ts";
import { arrivalOf } from "./reading.ts";

listening();

const cursors = async () => {
  const rows = await scoped(workspaceId).MailboxCursor.find({ mailboxId: mailbox._id });
  return Object.fromEntries(rows.map(({ folder, ...row }) => [folder, row]));
};

function mail(from: string, subject: string, more: string[] = []): string {
  const head = [`From: ${from}`, "To: bob@b.test", `Subject: ${subject}`, `Date: ${new Date().toUTCString()}`];
  return `${[...head, ...more].join("\r\n")}\r\n\r\nHello\r\n`;
}

test.each([
  [["Gesendete Objekte", "Junk-E-Mail", "Archiv"]],
  [["Éléments envoyés", "Courrier indésirable", "Tous les messages"]],
  [["Sent Items", "Spam", "All Mail"]],
  [["Elementos enviados", "Correo no deseado", "Todos"]],
])("folders without special-use flags are recognized by their names: %j", async (names) => {
  const utf7 = (name: string) => name.replaceAll("É", "&AMk-").replaceAll("é", "&AOk-");
  const folders = ["INBOX", "Papierkorb", ...names].map((name) => ({ path: utf7(name) }));
  await quickMailbox({ capabilities: ["IDLE"], folders });
  await watch();
  expect(Object.keys(await cursors()).sort()).toEqual(["INBOX", ...names].sort());
});

test("special-use flags take precedence over folder names, and a folder that cannot be opened is not watched", async () => {
  const folders = [
    { path: "INBOX" },
    { path: "Spam" },
    { path: "Quarantine", flags: ["\\Junk"] },
    { path: "Outgoing", flags: ["\\Noselect", "\\Sent"] },
    { path: "[Mail]", flags: ["\\Noselect", "\\Archive"] },
    { path: "[Mail]/Everything", flags: ["\\All"] },
  ];
  await quickMailbox({ folders });
  await watch(mailbox, { folders: 3 });
  expect(Object.keys(await cursors()).sort()).toEqual(["INBOX", "Quarantine", "[Mail]/Everything"]);
});

test("a reply that is moved, copied and moved back counts as one reply", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const raw = replyTo(person.sent, { text: "Hi" });
  await watch(mailbox, { limits: { resyncMs: 50 } });
  const { uid } = quick.deliver(mailbox.email, raw);
  await read(1);
  quick.expunge(mailbox.email, uid);
  quick.deliver(mailbox.email, raw, "Archive");
  quick.deliver(mailbox.email, raw, "Junk");
  quick.deliver(mailbox.email, raw);
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "Second" }));
  await until(async () => (await webhooks("REPLIED")).length === 2, { deadlineMs: 30_000, what: "the second reply" });
  const passed = async () => {
    const { Archive, Junk } = await cursors();
    return Archive?.lastUid === 1 && Junk?.lastUid === 1;
  };
  await until(passed, { deadlineMs: 30_000, what: "every folder to be read" });
  expect(await scoped(workspaceId).Message.count({ kind: "REPLY" })).toBe(2);
});

test("without a Message-ID, copies of an email are recognized by headers and the start of the body", async () => {
  const quick = await quickMailbox();
  await watch(mailbox, { limits: { resyncMs: 50 } });
  const raw = mail("eve@x.test", "No id");
  quick.deliver(mailbox.email, raw, "Junk");
  quick.deliver(mailbox.email, raw);
  quick.deliver(mailbox.email, raw.replace("Hello", "Other"));
  const passed = async () => {
    const { INBOX, Junk } = await cursors();
    return INBOX?.lastUid === 2 && Junk?.lastUid === 1;
  };
  await until(passed, { deadlineMs: 30_000, what: "both folders to be read" });
  expect(await scoped(workspaceId).Message.count()).toBe(2);
});

test("when two workers read copies of one email in separate transactions at once, one copy is stored", async () => {
  const raw = mail("eve@x.test", "Twice");
  const contentKey = randomUUID();
  const copies = ["INBOX", "Archive"].map((folder) => arrivalOf(raw, { folder, contentKey }));
  const [first, second] = copies.map((copy) => () => ingest(copy, world.services.signing));
  await inTransaction(async () => {
    await scoped(workspaceId).Message.count(); // from here on this transaction sees nothing that others commit
    await outsideTransaction(async () => first?.());
    await second?.();
  });
  expect(await scoped(workspaceId).Message.count({ contentKey })).toBe(1);
});

test("copies of our own emails are recognized by their headers without fetching the body, and drafts are ignored", async () => {
  const quick = await quickMailbox();
  const person = await contacted("bob@b.test", await newCampaign());
  await watch(mailbox, { limits: { resyncMs: 50 } });
  const own = [`Message-ID: ${person.send.messageId}`, "X-Mail-Ref: aaaaaaaaaaaaaaaaaaaa"];
  quick.deliver(mailbox.email, mail(mailbox.email, "Ours", own), "Sent");
  quick.deliver(mailbox.email, mail("eve@x.test", "Draft", [`Message-ID: <${randomUUID()}@x.test>`]), "INBOX", {
    flags: ["\\Draft"],
  });
  quick.deliver(mailbox.email, mail("eve@x.test", "Mail", [`Message-ID: <${randomUUID()}@x.test>`]));
  const messages = await read(2);
  expect(messages.map(({ kind, folder }) => [kind, folder]).sort()).toEqual([
    ["OTHER", "INBOX"],
    ["OWN", "Sent"],
  ]);
  expect(quick.commands.filter((command) => command.includes("BODY.PEEK[]"))).toHaveLength(1);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});

const some = (subject: string) => mail("eve@x.test", subject, [`Message-ID: <${randomUUID()}@x.test>`]);

test("a folder that has not changed since the last watch is not searched", async () => {
  const quick = await quickMailbox();
  await (await watch()).stop();
  quick.commands.length = 0;
  await watch();
  quick.deliver(mailbox.email, some("New"));
  await read(1);
  const searched = quick.commands.filter((command) => /^(?:EXAMINE|UID SEARCH)/.test(command));
  expect(searched.slice(0, 4).map((command) => command.split(" ")[0])).toEqual([
    "EXAMINE",
    "EXAMINE",
    "EXAMINE",
    "EXAMINE",
  ]);
});

test("a mailbox is read completely even if the server does not report UIDNEXT", async () => {
  const quick = await quickMailbox({ capabilities: ["IDLE", "NO-UIDNEXT"] });
  quick.deliver(mailbox.email, some("Before"));
  await (await watch()).stop();
  quick.deliver(mailbox.email, some("Between"));
  await watch();
  quick.deliver(mailbox.email, some("After"));
  expect((await read(3)).map(({ subject }) => subject).sort()).toEqual(["After", "Before", "Between"]);
});

test("a mailbox on a server without IDLE is polled, and replies are read", async () => {
  const quick = await quickMailbox({ capabilities: ["SPECIAL-USE"] });
  const person = await contacted("bob@b.test", await newCampaign());
  await watch(mailbox, { limits: { pollMs: 50 } });
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "Hi" }));
  await read(1);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
  expect(quick.commands.some((command) => command.startsWith("IDLE"))).toBe(false);
});
