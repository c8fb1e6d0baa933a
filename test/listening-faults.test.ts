import { expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { trusted } from "../models/collection.ts";
import { scoped } from "../models/scoped.ts";
import { replyTo } from "./fakes/mails.ts";
import { until } from "./fakes/wait.ts";
import { activitiesOf, contacted, imap, listening, mailbox, newCampaign, read, recipientNow, watch, workspaceId } from "./listening.ts";

listening();

test("a mail that cannot be read is noted and the next one is read", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  const deep = Array.from({ length: 400 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join("");
  imap.deliver(`From: x@y.test\r\nMessage-ID: <deep@y.test>\r\nMIME-Version: 1.0\r\n${deep}text`);
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  const messages = await read(2);
  expect(messages.map(({ kind }) => kind)).toContain("REPLY");
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("a cut connection ends the watch with a code of ours, and the next one loses nothing", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const first = await watch();
  imap.drop();
  await until(() => first.failure() !== null, { deadlineMs: 5_000, what: "the end of the watch" });
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  await watch();
  await read(1);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({ status: "CONNECTED", authFailures: 0 });
});

test("ten refused logins want new credentials, and then nothing is tried any more", async () => {
  imap.setPassword("changed");
  for (let failures = 0; failures < 10; failures++) expect((await watch()).failure()).toMatchObject({ type: "AUTH_FAILED" });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
    status: "RECONNECT_REQUIRED",
    lastError: { code: "AUTH_FAILED", message: expect.any(String) },
  });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger("ERROR") });
  const gone = await environment.run(activitiesOf().activities.watchMailbox, { v: 1 as const, workspaceId, mailboxId: mailbox._id });
  expect(gone).toMatchObject({ status: "GONE" });
});

test("a copy of a sent mail lies in Sent, seen; without a server the caller hears no error", async () => {
  const { appendSent } = activitiesOf();
  const bytes = Buffer.from("From: a@a.test\r\nSubject: Sent\r\n\r\nHello\r\n");
  expect(await appendSent(mailbox, bytes)).toBe(true);
  expect(imap.folder("Sent")).toMatchObject([{ flags: expect.arrayContaining(["\\Seen"]) }]);
  expect(await scoped(workspaceId).Mailbox.count({ _id: mailbox._id, lastSyncAt: trusted({ $type: "date" }) })).toBe(0);
});
