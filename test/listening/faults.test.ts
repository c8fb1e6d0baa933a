import { expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { scoped } from "../../models/scoped.ts";
import { replyTo } from "../fakes/mails.ts";
import { until } from "../fakes/wait.ts";
import {
  activitiesOf,
  contacted,
  imap,
  listening,
  mailbox,
  newCampaign,
  read,
  recipientNow,
  watch,
  workspaceId,
} from "./listening.ts";

listening();

test("an email that cannot be parsed is recorded, and the next email is read", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  const deep = Array.from(
    { length: 400 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
  ).join("");
  imap.deliver(`From: x@y.test\r\nMessage-ID: <deep@y.test>\r\nMIME-Version: 1.0\r\n${deep}text`);
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  const messages = await read(2);
  expect(messages.map(({ kind }) => kind)).toContain("REPLY");
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("an email whose processing fails is recorded with the reason, and the next email is read", async () => {
  const [broken, whole] = [await newCampaign(), await newCampaign()];
  const [bob, eve] = [await contacted("bob@b.test", broken), await contacted("eve@b.test", whole)];
  await scoped(workspaceId).Campaign.updateOne({ _id: broken }, [{ $set: { settings: null } }]);
  await watch();
  imap.deliver(replyTo(bob.sent, { text: "Hi" }));
  imap.deliver(replyTo(eve.sent, { text: "Hi" }));
  const found = (await read(2)).map(({ from, kind, unreadable }) => [from, kind, unreadable]);
  expect(found).toEqual([
    ["bob@b.test", "UNREADABLE", "INGEST_FAILED"],
    ["eve@b.test", "REPLY", null],
  ]);
  expect(await recipientNow(eve)).toMatchObject({ status: "REPLIED" });
});

test("a cut IMAP connection ends the watch and leaves the mailbox CONNECTED, and the next watch misses no email", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const first = await watch();
  imap.drop();
  await until(() => first.failure() !== null, { deadlineMs: 30_000, what: "the end of the watch" });
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  await watch();
  await read(1);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({ status: "CONNECTED", authFailures: 0 });
});

test("after ten refused logins the mailbox is RECONNECT_REQUIRED, and no further login is tried", async () => {
  imap.setPassword("changed");
  for (let failures = 0; failures < 10; failures++)
    expect((await watch()).failure()).toMatchObject({ type: "AUTH_FAILED" });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
    status: "RECONNECT_REQUIRED",
    lastError: { code: "AUTH_FAILED", message: expect.any(String) },
  });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger("ERROR") });
  const gone = await environment.run(activitiesOf().activities.watchMailbox, {
    v: 1 as const,
    workspaceId,
    mailboxId: mailbox._id,
  });
  expect(gone).toMatchObject({ status: "GONE" });
});

test("a successful IMAP login clears refused logins, but not faults of the sending server", async () => {
  const { Mailbox } = scoped(workspaceId);
  const lastError = { code: "CONNECT_FAILED", message: "It hung up", at: new Date() };
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { authFailures: 3, hostFailures: 4, lastError } });
  await (await watch()).stop();
  expect(await Mailbox.get(mailbox._id)).toMatchObject({ hostFailures: 4, lastError: { code: "CONNECT_FAILED" } });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { hostFailures: 0 } });
  await watch();
  const isForgiven = async () => (await Mailbox.count({ _id: mailbox._id, authFailures: 0, lastError: null })) === 1;
  await until(isForgiven, { deadlineMs: 30_000, what: "the refused logins to be forgiven" });
});
