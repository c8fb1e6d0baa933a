import { expect, test } from "@jest/globals";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { addDueCopy, beginFiling, takeDueCopy } from "../../store/mailboxes/due-copies.ts";
import { DROP } from "../fakes/imap-store.ts";
import type { QuickImap } from "../fakes/quick-imap.ts";
import { until } from "../fakes/wait.ts";
import {
  contacted,
  listening,
  mailbox,
  newCampaign,
  quickMailbox,
  rest,
  watch,
  workspaceId,
} from "../listening/listening.ts";
import { copiesComeDue, countDue, filesCopies, filesDue, mailboxNow, sendsOne } from "./sent-copies-parts.ts";

listening();

const copiesIn = (quick: QuickImap) => quick.folder(mailbox.email, "Sent").mails.map(({ raw }) => raw.toString());
const looksOf = (quick: QuickImap) => quick.commands.filter((command) => command.includes("SEARCH")).length;

test("where the mail server files no sent email, each email gets one copy in Sent, however often the check runs", async () => {
  const quick = await quickMailbox();
  const [one, two] = [await sendsOne(), await sendsOne()];
  for (let times = 0; times < 3; times++) await filesCopies();
  expect(copiesIn(quick)).toEqual([one.raw, two.raw]);
  expect([await countDue(), (await mailboxNow()).sentFiling]).toMatchObject([0, { found: 0, missed: 2 }]);
});

test("where the mail server files sent emails itself, no second copy is added, and after three emails the server is not searched any more", async () => {
  const quick = await quickMailbox();
  for (let mails = 0; mails < 3; mails++) {
    const { raw } = await sendsOne();
    quick.deliver(mailbox.email, raw, "Sent");
    await filesCopies();
  }
  expect(copiesIn(quick)).toHaveLength(3);
  const looks = looksOf(quick);
  const { raw } = await sendsOne();
  quick.deliver(mailbox.email, raw, "Sent");
  await filesCopies();
  expect([await countDue(), copiesIn(quick).length, looksOf(quick)]).toEqual([0, 4, looks]);
});

test("a copy that the mail server filed under its own Message-ID is found by that id", async () => {
  const quick = await quickMailbox();
  const { raw, messageId } = await sendsOne("<theirs@relay.test>");
  quick.deliver(mailbox.email, raw.replace(messageId, "<theirs@relay.test>"), "Sent");
  await filesCopies();
  expect([copiesIn(quick).length, await countDue()]).toEqual([1, 0]);
});

test("when a mail server stops filing sent emails, the daily check notices, and emails get a copy in Sent again", async () => {
  const quick = await quickMailbox();
  const lookedAt = new Date(Date.now() - 25 * HOUR_MS);
  await scoped(workspaceId).Mailbox.updateOne(
    { _id: mailbox._id },
    { $set: { sentFiling: { found: 3, missed: 0, isLate: false, lookedAt } } },
  );
  const one = await sendsOne();
  await filesCopies();
  const two = await sendsOne();
  await filesCopies();
  expect(copiesIn(quick)).toEqual([one.raw, two.raw]);
});

test("a mail server whose own copy appears after ours is recorded as late and gets more time before the next copy", async () => {
  const quick = await quickMailbox();
  const { raw } = await sendsOne();
  await filesCopies();
  quick.deliver(mailbox.email, raw, "Sent");
  await filesCopies();
  expect((await mailboxNow()).sentFiling).toMatchObject({ found: 1, isLate: true });
  await sendsOne();
  const [due] = await scoped(workspaceId).DueCopy.find({});
  expect(due?.dueAt.getTime()).toBeGreaterThan(Date.now() + 5 * MINUTE_MS);
});

test("when the connection drops while a copy is filed, the next try leaves exactly one copy", async () => {
  let isBroken = true;
  const quick = await quickMailbox({
    meddle: (command) => {
      if (command !== "APPEND" || !isBroken) return null;
      isBroken = false;
      return DROP;
    },
  });
  const lost = await sendsOne();
  await filesCopies();
  expect(copiesIn(quick)).toEqual([]);
  await filesCopies();
  expect(copiesIn(quick)).toEqual([lost.raw]);
});

test("a worker that dies after filing a copy causes no second copy, and the mailbox records no filing result", async () => {
  const quick = await quickMailbox();
  const { raw } = await sendsOne();
  await scoped(workspaceId).DueCopy.updateMany({}, { $set: { appendedAt: new Date(), tries: 1 } });
  quick.deliver(mailbox.email, raw, "Sent");
  await filesCopies();
  expect([copiesIn(quick).length, await countDue(), (await mailboxNow()).sentFiling]).toEqual([1, 0, null]);
});

test("when two workers file a due copy at once, the mailbox gets one copy", async () => {
  const quick = await quickMailbox();
  const { raw } = await sendsOne();
  await copiesComeDue();
  await Promise.all([filesDue(), filesDue()]);
  await filesCopies();
  expect(copiesIn(quick)).toEqual([raw]);
});

test("a worker whose due copy was taken over by another worker does not file the copy", async () => {
  await quickMailbox();
  await sendsOne();
  await copiesComeDue();
  const first = await takeDueCopy(mailbox);
  expect(await takeDueCopy(mailbox)).toBeNull();
  await copiesComeDue();
  const second = await takeDueCopy(mailbox);
  if (first === null || second === null) throw new Error("The copy was not taken");
  expect([await beginFiling(first), await beginFiling(second)]).toEqual([false, true]);
});

test("a mailbox whose server has no Sent folder reports NO_SENT_FOLDER and queues no copies", async () => {
  const quick = await quickMailbox();
  quick.account(mailbox.email).delete("Sent");
  await sendsOne();
  await watch(mailbox, { folders: 3 });
  await until(async () => (await mailboxNow()).sentFolder !== null, {
    deadlineMs: 30_000,
    what: "the look at the folders",
  });
  await filesCopies();
  await sendsOne();
  expect(await countDue()).toBe(0);
  const { body } = await rest.get(`/mailboxes/${mailbox._id}`);
  expect(body).toMatchObject({ sentFolder: null, health: { issues: ["NO_SENT_FOLDER"] } });
});

test("the sync of a mailbox files due copies, and the mailbox shows the name of its Sent folder", async () => {
  const quick = await quickMailbox();
  const { raw } = await sendsOne();
  await scoped(workspaceId).DueCopy.updateMany({}, { $set: { dueAt: new Date() } });
  await watch(mailbox, { limits: { copiesMs: 50 } });
  await until(() => copiesIn(quick).length > 0, { deadlineMs: 30_000, what: "the copy" });
  expect(copiesIn(quick)).toEqual([raw]);
  expect((await rest.get(`/mailboxes/${mailbox._id}`)).body).toMatchObject({
    sentFolder: "Sent",
    health: { issues: [] },
  });
});

test("deleting a lead deletes the queued Sent copies of emails to that lead", async () => {
  const { send } = await contacted("bob@b.test", await newCampaign());
  await inTransaction(async () =>
    addDueCopy(send, { mailbox: await mailboxNow(), bytes: Buffer.from("Subject: x\r\n\r\n") }, null),
  );
  await sendsOne();
  expect((await rest.post("/leads/manage", { action: "delete", leadId: send.leadId })).status).toBe(200);
  expect(await scoped(workspaceId).DueCopy.find({})).toMatchObject([{ leadId: null }]);
});

test("a mailbox with saveToSent switched off files no copies, and deleting a mailbox deletes its queued copies", async () => {
  const quick = await quickMailbox();
  await sendsOne();
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { saveToSent: false } });
  await filesCopies();
  expect([copiesIn(quick).length, await countDue()]).toEqual([0, 0]);
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { saveToSent: true } });
  await sendsOne();
  await rest.post(`/mailboxes/${mailbox._id}/disconnect`, { action: "delete" });
  expect(await countDue()).toBe(0);
});
