import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A recipient whose first email (in VISUAL mode its second) ended with this failure, in a campaign of two emails. */
async function endedBy(
  failure: { reason: string; code: null; text: null },
  stopReason: "SEND_UNKNOWN" | "SEND_FAILED",
  { isVisual = false } = {},
) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId);
  const steps = [
    { subject: "One", body: "1" },
    { body: "2", delay: 0 },
    ...(isVisual ? [{ body: "3", delay: 0 }] : []),
  ];
  const { body } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  const { Recipient, Send } = scoped(workspaceId);
  const recipient = await Recipient.findOne({ campaignId });
  if (recipient === null) throw new Error("no recipient");
  const [first, second] = body.steps.map(({ stepId }: { stepId: string }) => stepId);
  const had = isVisual ? [{ stepId: first, at: Date.now() }] : [];
  const row = {
    campaignId,
    recipientId: recipient._id,
    stepId: isVisual ? second : first,
    mailboxId: mailbox._id,
    to: recipient.email,
  };
  await Send.insert({ _id: newId("snd"), ...row, state: "FAILED", failure });
  await Recipient.updateOne({ _id: recipient._id }, { $set: { status: "FAILED", stopReason, had } });
  const answer = await rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [recipient._id] });
  expect(answer).toMatchObject({ status: 200, body: { changed: 1 } });
  return {
    first,
    second,
    send: await Send.findOne({ recipientId: recipient._id }),
    recipient: await Recipient.get(recipient._id),
  };
}

test("an email that may have been sent is not sent again after a resume, and the recipient continues with the next step", async () => {
  const { second, send, recipient } = await endedBy({ reason: "SEND_UNKNOWN", code: null, text: null }, "SEND_UNKNOWN");
  expect(send).toMatchObject({ state: "FAILED", generation: 0 });
  expect(recipient).toMatchObject({ status: "IN_PROGRESS", nextStepId: second });
});

test("in a sequence with branches, too, an email that may have been sent is not tried again after a resume", async () => {
  const { second, send, recipient } = await endedBy(
    { reason: "SEND_UNKNOWN", code: null, text: null },
    "SEND_UNKNOWN",
    { isVisual: true },
  );
  expect(send).toMatchObject({ stepId: second, state: "FAILED", generation: 0 });
  expect(recipient).toMatchObject({ status: "IN_PROGRESS" });
});

test("a permanently refused email gets a new attempt when its recipient is resumed", async () => {
  const { send, recipient } = await endedBy({ reason: "SEND_FAILED", code: null, text: null }, "SEND_FAILED");
  expect(send).toMatchObject({ state: "RELEASED", generation: 1 });
  expect(recipient).toMatchObject({ status: "PENDING", nextStepId: null, admittedAt: null });
});

test.each([
  ["only claimed", { state: "SENDING", phase: "CLAIMED" }, "first"],
  ["under way", { state: "SENDING", phase: "DATA" }, "second"],
  ["of unknown outcome", { state: "UNKNOWN", phase: null }, "second"],
] as const)(
  "a recipient that ended while an email was %s resumes at the first step that the recipient may not have received",
  async (_what, row, next) => {
    const { rest, workspaceId } = await world.workspace();
    const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId);
    const steps = [{ subject: "One", body: "1" }, { body: "2", delay: 0 }]; // biome-ignore format: one line
    const { body } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
    const { Recipient, Send } = scoped(workspaceId);
    const recipient = await Recipient.findOne({ campaignId });
    if (recipient === null) throw new Error("no recipient");
    const [first, second] = body.steps.map(({ stepId }: { stepId: string }) => stepId);
    const of = { campaignId, recipientId: recipient._id, stepId: first, mailboxId: mailbox._id, to: recipient.email };
    await Send.insert({ _id: newId("snd"), ...of, ...row });
    const ended = { status: "FAILED", stopReason: "SEND_FAILED", nextStepId: null } as const;
    await Recipient.updateOne({ _id: recipient._id }, { $set: ended });
    const answer = await rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [recipient._id] });
    expect(answer).toMatchObject({ status: 200, body: { changed: 1 } });
    const goesOn = {
      first: { status: "PENDING", nextStepId: null, had: [] },
      second: { status: "IN_PROGRESS", nextStepId: second },
    };
    expect(await Recipient.get(recipient._id)).toMatchObject(goesOn[next]);
  },
);
