import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { ingest, stopSenderOf } from "../../store/inbox/ingest.ts";
import { replyTo } from "../fakes/mails.ts";
import { contacted, events, listening, newCampaign, recipientNow, sendNow, webhooks, workspaceId, world } from "./listening.ts";
import { arrivalOf } from "./reading.ts";

/** What a reply stops while the database is slow, before the reply is stored. */
listening();

const replies = () => scoped(workspaceId).Message.count({ kind: "REPLY" });

test("the stop comes before the reply is stored, and storing it afterwards has each other effect once", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const { recipient } = person;
  const booked = { state: "RESERVED", slotAt: new Date(Date.now() + 100_000), to: recipient.email } as const;
  const { _id } = await scoped(workspaceId).Send.insert({
    ...{ _id: newId("snd"), ...booked, campaignId: recipient.campaignId, recipientId: recipient._id, stepId: "stp_two" },
  });
  const arrival = arrivalOf(replyTo(person.sent, { text: "Tell me more." }));
  const keys = world.services.signing;
  for (const _ of [1, 2]) await stopSenderOf(arrival, keys);
  expect(await recipientNow(person)).toMatchObject({
    status: "REPLIED",
    stopReason: "REPLIED",
    repliedAt: expect.any(Date),
    nextStepId: null,
  });
  expect(await scoped(workspaceId).Send.get(_id)).toMatchObject({ state: "RELEASED" });
  expect(await sendNow(person)).toMatchObject({ state: "SENT" });
  expect([await replies(), (await events("REPLIED")).length]).toEqual([0, 0]);

  expect(await ingest(arrival, keys)).toBe("REPLY");
  expect(await ingest(arrival, keys)).toBe("DUPLICATE");
  await stopSenderOf(arrival, keys);
  expect([await replies(), (await events("REPLIED")).length, (await webhooks("REPLIED")).length]).toEqual([1, 1, 1]);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED", threadId: expect.any(String) });
});

test("it stops the person in every campaign that stops on replies", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const others = [
    await contacted("bob@b.test", await newCampaign()),
    await contacted("bob@b.test", await newCampaign({ stopOnReply: false })),
  ];
  await stopSenderOf(arrivalOf(replyTo(person.sent, { text: "Tell me more." })), world.services.signing);
  const statuses = (await Promise.all([person, ...others].map(recipientNow))).map((recipient) => recipient?.status);
  expect(statuses).toEqual(["REPLIED", "REPLIED", "IN_PROGRESS"]);
});

test("a reply to a campaign that does not stop on replies stops no recipient", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  await stopSenderOf(arrivalOf(replyTo(person.sent, { text: "Tell me more." })), world.services.signing);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", repliedAt: null });
});

test("a warmup email stops no recipient", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const arrival = arrivalOf(replyTo(person.sent, { text: "Tell me more." }));
  await stopSenderOf(arrival, world.services.signing, async () => true);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});

test("a stop takes 5 commands before its commit and storing the reply at most 16, so that both transactions end in time", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const arrival = arrivalOf(replyTo(person.sent, { text: "Tell me more, please." }));
  expect(await commandsOf(() => stopSenderOf(arrival, world.services.signing))).toBe(5);
  expect(await commandsOf(() => ingest(arrival, world.services.signing))).toBeLessThanOrEqual(16);
});

/** How many commands the transactions of `work` have in the test's own database, which their commits are not. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("There is no connection");
  const profile = db.collection("system.profile");
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  // The profile of an update tells nothing of its transaction; all of these are in one
  const isInTransaction = { $or: [{ "command.autocommit": false }, { op: { $in: ["update", "remove"] } }] };
  const commands = await profile.countDocuments(isInTransaction);
  await profile.drop();
  return commands;
}
