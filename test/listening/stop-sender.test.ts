import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { signToken } from "../../domain/access/tokens.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { ingest, stopSenderOf } from "../../store/inbox/ingest.ts";
import { guardId } from "../../store/suppression/guard-id.ts";
import { replyTo } from "../fakes/mails.ts";
import {
  contacted,
  events,
  listening,
  newCampaign,
  recipientNow,
  sendNow,
  webhooks,
  workspaceId,
  world,
} from "./listening.ts";
import { arrivalOf, mail } from "./reading.ts";

/** What a reply stops while the database is slow, before the reply is stored. */
listening();

const replies = () => scoped(workspaceId).Message.count({ kind: "REPLY" });

test("a reply stops its sender before the reply is stored; storing the reply twice creates one message, one event and one webhook", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const { recipient } = person;
  const booked = { state: "RESERVED", slotAt: new Date(Date.now() + 100_000), to: recipient.email } as const;
  const { _id } = await scoped(workspaceId).Send.insert({
    _id: newId("snd"),
    ...booked,
    campaignId: recipient.campaignId,
    recipientId: recipient._id,
    stepId: "stp_two",
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

test("a reply stops its sender in every campaign that stops on replies", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const others = [
    await contacted("bob@b.test", await newCampaign()),
    await contacted("bob@b.test", await newCampaign({ stopOnReply: false })),
  ];
  await stopSenderOf(arrivalOf(replyTo(person.sent, { text: "Tell me more." })), world.services.signing);
  const statuses = (await Promise.all([person, ...others].map(recipientNow))).map((recipient) => recipient?.status);
  expect(statuses).toEqual(["REPLIED", "REPLIED", "IN_PROGRESS"]);
});

test("a reply to a campaign with stopOnReply false stops no recipient", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  await stopSenderOf(arrivalOf(replyTo(person.sent, { text: "Tell me more." })), world.services.signing);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", repliedAt: null });
});

/** The reasons that shut an address, whether its lead is marked, and how many events subscribers received. */
async function shutOf(email: string) {
  const { AddressGuard, Lead } = scoped(workspaceId);
  const [guard, lead] = await Promise.all([AddressGuard.get(guardId(workspaceId, email)), Lead.findOne({ email })]);
  return {
    reasons: guard?.reasons ?? [],
    isSuppressed: lead?.suppressed ?? false,
    told: (await webhooks("UNSUBSCRIBE")).length,
  };
}

test.each([["IN_PROGRESS"], ["FAILED"]] as const)(
  "an unsubscribe email of a recipient who is %s blocks the address before the email is stored",
  async (status) => {
    const person = await contacted("bob@b.test", await newCampaign());
    await scoped(workspaceId).Recipient.updateOne({ _id: person.recipient._id }, { $set: { status } });
    const arrival = arrivalOf(
      mail({ Subject: `unsubscribe ${signToken(world.services.signing, "u", person.send._id)}` }),
    );
    await stopSenderOf(arrival, world.services.signing);
    expect(await shutOf("bob@b.test")).toEqual({ reasons: ["UNSUBSCRIBED"], isSuppressed: false, told: 0 });

    for (const kind of ["UNSUBSCRIBE", "DUPLICATE"]) expect(await ingest(arrival, world.services.signing)).toBe(kind);
    expect(await shutOf("bob@b.test")).toEqual({ reasons: ["UNSUBSCRIBED"], isSuppressed: true, told: 1 });
  },
);

test.each([
  { text: "Please stop writing to me.", authentication: "PASS", shut: ["OPT_OUT_REPLY"] },
  { text: "Please stop writing to me.", authentication: "FAIL", shut: [] },
  { text: "Tell me more.", authentication: "PASS", shut: [] },
] as const)(
  "a reply '$text' with authentication $authentication blocks both addresses only if authentication passes and the text is a clear opt-out",
  async ({ text, authentication, shut }) => {
    const person = await contacted("bob@b.test", await newCampaign());
    const arrival = arrivalOf(replyTo(person.sent, { text, from: "robert@b.test" }), { authentication });
    await stopSenderOf(arrival, world.services.signing);
    expect((await shutOf("bob@b.test")).reasons).toEqual(shut);
    expect((await shutOf("robert@b.test")).reasons).toEqual(shut);

    await ingest(arrival, world.services.signing);
    expect(await shutOf("bob@b.test")).toEqual({ reasons: shut, isSuppressed: shut.length > 0, told: shut.length });
  },
);

test("a warmup email stops no recipient", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const arrival = arrivalOf(replyTo(person.sent, { text: "Tell me more." }));
  await stopSenderOf(arrival, world.services.signing, async () => true);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});

test("stopping a sender takes 6 database commands, one of them for the counters, and storing the reply at most 16", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const arrival = arrivalOf(replyTo(person.sent, { text: "Tell me more, please." }));
  expect(await commandsOf(() => stopSenderOf(arrival, world.services.signing))).toBe(6);
  expect(await commandsOf(() => ingest(arrival, world.services.signing))).toBeLessThanOrEqual(16);
});

/** How many commands, commits aside, the transactions of `work` have in the test's own database. */
async function commandsOf(work: () => Promise<unknown>): Promise<number> {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("There is no connection");
  const profile = db.collection("system.profile");
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  // The profile of an update does not show its transaction; all of these are in one
  const isInTransaction = { $or: [{ "command.autocommit": false }, { op: { $in: ["update", "remove"] } }] };
  const commands = await profile.countDocuments(isInTransaction);
  await profile.drop();
  return commands;
}
