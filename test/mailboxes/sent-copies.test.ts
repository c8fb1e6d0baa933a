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

test("a server that files no sent mail gets one copy of each, whatever it is asked later", async () => {
  const quick = await quickMailbox();
  const [one, two] = [await sendsOne(), await sendsOne()];
  for (let times = 0; times < 3; times++) await filesCopies();
  expect(copiesIn(quick)).toEqual([one.raw, two.raw]);
  expect([await countDue(), (await mailboxNow()).sentFiling]).toMatchObject([0, { found: 0, missed: 2 }]);
});

test("a server that has filed the mail itself gets no second copy, and is asked no more after three emails", async () => {
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

test("a copy that the server filed under an id of its own is found by that id", async () => {
  const quick = await quickMailbox();
  const { raw, messageId } = await sendsOne("<theirs@relay.test>");
  quick.deliver(mailbox.email, raw.replace(messageId, "<theirs@relay.test>"), "Sent");
  await filesCopies();
  expect([copiesIn(quick).length, await countDue()]).toEqual([1, 0]);
});

test("a server that stops filing is found out by the daily look, and that mail gets its copy", async () => {
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

test("a server whose copy comes after ours is known by it, and gets more time from then on", async () => {
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

test("a server that breaks off while the copy is filed has it once, whether or not it kept it", async () => {
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

test("a kill after the copy was filed leads to no second one, and teaches nothing of the server", async () => {
  const quick = await quickMailbox();
  const { raw } = await sendsOne();
  await scoped(workspaceId).DueCopy.updateMany({}, { $set: { appendedAt: new Date(), tries: 1 } });
  quick.deliver(mailbox.email, raw, "Sent");
  await filesCopies();
  expect([copiesIn(quick).length, await countDue(), (await mailboxNow()).sentFiling]).toEqual([1, 0, null]);
});

test("two workers file a copy once", async () => {
  const quick = await quickMailbox();
  const { raw } = await sendsOne();
  await copiesComeDue();
  await Promise.all([filesDue(), filesDue()]);
  await filesCopies();
  expect(copiesIn(quick)).toEqual([raw]);
});

test("a copy that another worker has taken over meanwhile is left to it", async () => {
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

test("a mailbox whose server has no Sent folder says so, and keeps nothing to file", async () => {
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

test("the sync of a mailbox files its copies by itself, and the record names the folder", async () => {
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

test("a deleted lead leaves no copies of mail to them behind", async () => {
  const { send } = await contacted("bob@b.test", await newCampaign());
  await inTransaction(async () =>
    addDueCopy(send, { mailbox: await mailboxNow(), bytes: Buffer.from("Subject: x\r\n\r\n") }, null),
  );
  await sendsOne();
  expect((await rest.post("/leads/manage", { action: "delete", leadId: send.leadId })).status).toBe(200);
  expect(await scoped(workspaceId).DueCopy.find({})).toMatchObject([{ leadId: null }]);
});

test("a mailbox that wants no copies gets none, and a deleted one leaves none behind", async () => {
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
