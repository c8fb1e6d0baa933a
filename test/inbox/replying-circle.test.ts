import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { replyTo } from "../fakes/mails.ts";
import { until } from "../fakes/wait.ts";
import { listened } from "./mailbox-in.ts";
import { type AnsweringWorld, newKey, startAnsweringWorld } from "./replying-world.ts";

const PERSON = "reply1@people.test";
const DEADLINE = { deadlineMs: 20_000 };

let answering: AnsweringWorld;

beforeAll(async () => {
  answering = await startAnsweringWorld();
}, 60_000);
afterAll(() => answering.close());

test("a campaign email, the reply, our answer and the next reply form one thread of one person, and our answers end no sequence", async () => {
  const { rest, workspaceId, sandbox } = answering;
  const { Mailbox, Message, Recipient, Thread } = scoped(workspaceId);
  const mailboxId = answering.mailboxIds.get("ann@a.test") ?? "";
  await Mailbox.updateOne({ _id: mailboxId }, { $set: { saveToSent: true } });
  await listened(workspaceId, mailboxId);

  const { body: campaign } = await rest.post("/campaigns", { name: "Circle" });
  const path = `/campaigns/${campaign.id}`;
  const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, mailboxIds: [mailboxId], stopOnReply: false };
  await rest.patch(`${path}/settings`, quick);
  const steps = [
    { subject: "Widgets for you", body: "<p>Hello</p>", delay: { value: 0, unit: "MINUTES" } },
    { body: "<p>Still there?</p>", delay: { value: 9, unit: "DAYS" } },
  ];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [PERSON] });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
  const thread = await until(() => Thread.findOne({ mailboxId }), { ...DEADLINE, what: "the first answer" });
  if (thread === null) throw new Error("there is no thread");
  const waiting = await Recipient.findOne({ email: PERSON });

  const answer = { text: "Thursday at ten?", idempotencyKey: newKey() };
  const sent = await rest.post(`/inbox/threads/${thread._id}/reply`, answer);
  expect(sent).toMatchObject({ status: 200, body: { status: "SENT", to: PERSON, mailboxId } });
  const [first, ours] = answering.mailsTo(PERSON);
  if (first === undefined || ours === undefined) throw new Error("a mail is missing");
  expect(ours.subject).toBe("Re: Widgets for you");
  await until(() => sandbox.imapOf("ann@a.test").folder("Sent").length === 2, {
    ...DEADLINE,
    what: "the copies in Sent",
  });
  sandbox.imapOf("ann@a.test").deliver(replyTo(ours, { text: "Thursday is fine." }));
  await until(async () => (await Message.count({ threadId: thread._id })) === 4, {
    ...DEADLINE,
    what: "their second answer",
  });

  const messages = await Message.find({ threadId: thread._id }, { sort: { _id: 1 } });
  // The IMAP server tells the time of arrival in whole seconds, so instants this close say nothing about the order
  expect(messages.map(({ direction, kind }) => `${direction} ${kind}`).sort()).toEqual([
    "INBOUND REPLY",
    "INBOUND REPLY",
    "OUTBOUND CAMPAIGN",
    "OUTBOUND MANUAL",
  ]);
  expect(messages.at(-1)).toMatchObject({
    recipientId: waiting?._id,
    campaignId: campaign.id,
    replyText: "Thursday is fine.",
  });
  expect(await Thread.get(thread._id)).toMatchObject({ messageCount: 4, recipientId: waiting?._id });
  expect(await Recipient.findOne({ email: PERSON })).toMatchObject({
    status: "IN_PROGRESS",
    nextStepId: waiting?.nextStepId,
    threadId: thread._id,
  });
  expect((await rest.get(path)).body.metrics).toMatchObject({ sent: 1, contacted: 1, replied: 1 });
}, 60_000);
