import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { certificate, listening, newMailbox, PASSWORD, watch, workspaceId } from "../listening/listening.ts";
import { type Dovecot, startDovecot } from "./dovecot.ts";
import { makeGround } from "./ground.ts";

const DEADLINE = { deadlineMs: 30_000 };
/**
 * One interval so long that no folder is looked into again while a test waits, and one so short that every folder is.
 */
const IDLING = { resyncMs: 600_000 };
const LOOKING = { resyncMs: 400 };

listening();

let ground: Awaited<ReturnType<typeof makeGround>>;
let dovecot: Dovecot;
let user: string;
let mailbox: Mailbox;

beforeAll(async () => {
  ground = await makeGround({ certificate, password: PASSWORD });
  dovecot = await startDovecot({ ...ground, port: await freePort() });
}, 60_000);
beforeEach(async () => {
  user = `ann-${randomUUID().slice(0, 8)}@a.test`;
  mailbox = await newMailbox(user, dovecot.port);
});
afterAll(async () => {
  await dovecot?.stop();
  await ground?.remove();
});

const cursor = (folder: string) => scoped(workspaceId).MailboxCursor.findOne({ mailboxId: mailbox._id, folder });
const subjects = async () => {
  const read = await scoped(workspaceId).Message.find({ mailboxId: mailbox._id }, { sort: { _id: 1 } });
  return read.map(({ subject }) => subject);
};
const hasRead = (subject: string) =>
  until(async () => (await subjects()).includes(subject), { ...DEADLINE, what: `${subject} to be read` });

function mail(subject: string): string {
  const headers = {
    From: "bob@b.test",
    To: user,
    Subject: subject,
    "Message-ID": `<${subject}.${user}>`,
    Date: new Date().toUTCString(),
  };
  return `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\nHello\r\n`;
}

test("an email is noticed while the server idles, without polling", async () => {
  const watched = await watch(mailbox, { limits: IDLING });
  await dovecot.save(user, "INBOX", mail("one"));
  await hasRead("one");
  await dovecot.save(user, "INBOX", mail("two"));
  await hasRead("two");
  expect(watched.failure()).toBeNull();
});

test("where a server counts changes, the count is read, and mail is fetched as it rises", async () => {
  await dovecot.save(user, "Junk", mail("zero"));
  const watched = await watch(mailbox, { limits: LOOKING });
  const countOf = async () => BigInt((await cursor("Junk"))?.highestModseq ?? 0);
  const before = await countOf();
  expect(before).toBeGreaterThan(0n);
  await dovecot.save(user, "Junk", mail("counted"));
  await hasRead("counted");
  await until(async () => (await countOf()) > before, { ...DEADLINE, what: "a higher count" });
  expect(watched.failure()).toBeNull();
});

test.each(["Junk", "INBOX"])(
  "when %s is re-created it is read on, and earlier mail is read only once",
  async (folder) => {
    let watched = await watch(mailbox, { limits: LOOKING });
    const old = mail("old");
    await dovecot.save(user, folder, old);
    await hasRead("old");
    const before = (await cursor(folder))?.uidValidity;
    if (folder === "INBOX") await dovecot.renumber(user);
    else {
      await dovecot.recreate(user, folder);
      await dovecot.save(user, folder, old);
    }
    await dovecot.save(user, folder, mail("new"));
    // The server may say BYE, and the workflow then begins another watch
    await until(async () => watched.failure() !== null || (await cursor(folder))?.uidValidity !== before, {
      ...DEADLINE,
      what: "the change",
    });
    if (watched.failure() !== null) watched = await watch(mailbox, { limits: LOOKING });
    await hasRead("new");
    await until(async () => (await cursor(folder))?.uidValidity !== before, {
      ...DEADLINE,
      what: "the new numbers to be kept",
    });
    await dovecot.save(user, folder, mail("newer"));
    await hasRead("newer");
    expect((await subjects()).toSorted()).toEqual(["new", "newer", "old"]);
  },
);
