import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { emit } from "../../store/outbox.ts";
import { heedEvent } from "../../store/recipients/route.ts";
import { mail, other } from "../campaigns/campaign-parts.ts";
import { startSubscriber } from "../fakes/subscriber.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { SOON, sending, subjectsTo, useSetup } from "./visual-setup.ts";

useSetup();

async function recipientOf(path: string, email: string): Promise<Recipient> {
  const found = await scoped(sending.workspaceId).Recipient.findOne({ campaignId: path.split("/").at(-1), email });
  if (found === null) throw new Error(`${email} is no recipient`);
  return found;
}

function eventsOf(type: string, { _id: recipientId }: Recipient) {
  return scoped(sending.workspaceId).ActivityEvent.find({ type, recipientId });
}

test("a recipient passes every step type once and in order, and the lead ends up in the campaign of the last step", async () => {
  const subscriber = await startSubscriber();
  const { rest, workspaceId } = sending;
  const next = await sending.campaign([], [mail("a", "Elsewhere")]);
  const toCampaignId = next.split("/").at(-1);
  await rest.post("/leads", { email: "kim@people.test", firstName: "Kim", tags: ["old"] });
  const path = await sending.campaign(
    ["kim@people.test"],
    [
      other("ADD_TAG", { tags: ["old", "started"] }),
      other("TASK", { title: "Call {{firstName}}", note: "Before the mail", assignee: "grace" }),
      mail("one", "First"),
      other("WEBHOOK", { url: `${subscriber.url}hook` }),
      other(
        "CONDITION",
        {},
        { conditions: [{ if: "FIELD_MATCHES", filterRules: { tags: "started" }, nextStepId: "two" }] },
      ),
      mail("never", "Not for the started"),
      mail("two", "Second", { subject: "", threadMode: "SAME_THREAD" }),
      other("WAIT"),
      other("MOVE_TO_CAMPAIGN", { campaignId: toCampaignId }),
    ],
  );
  await sending.launch(path);
  await sending.ended(path);

  expect(subjectsTo("kim@people.test")).toEqual(["First", "Re: First"]);
  const recipient = await recipientOf(path, "kim@people.test");
  expect(recipient).toMatchObject({ status: "COMPLETED", stopReason: "MOVED", sentCount: 2 });
  const { body: leads } = await rest.get("/leads?search=kim");
  expect(leads.items[0].tags).toEqual(["old", "started"]);
  const [task, ...tasks] = await eventsOf("TASK_ADDED", recipient);
  expect(tasks).toEqual([]);
  expect(task?.data).toMatchObject({
    title: "Call Kim",
    note: "Before the mail",
    assignee: "grace",
    stepId: expect.any(String),
  });
  expect(subscriber.received).toHaveLength(1);
  const act = await scoped(workspaceId).StepExecution.findOne({ recipientId: recipient._id, type: "WEBHOOK" });
  expect(subscriber.received[0]).toMatchObject({
    method: "POST",
    headers: { "idempotency-key": act?._id },
    json: {
      type: "SEQUENCE_STEP",
      recipientId: recipient._id,
      leadId: recipient.leadId,
      campaignId: recipient.campaignId,
      email: "kim@people.test",
    },
  });
  expect((await rest.get(`${next}/recipients`)).body.items).toMatchObject([
    { email: "kim@people.test", status: "PENDING" },
  ]);
  await subscriber.close();
});

test("a recipient who opens the email takes that branch immediately; one who does not open takes the other branch when the days are over", async () => {
  const branches = [
    { if: "OPENED", withinDays: 300, nextStepId: "opened" },
    { if: "NOT_OPENED", withinDays: 300, nextStepId: null },
  ];
  const late = [{ if: "NOT_OPENED", withinDays: SOON, nextStepId: "unopened" }];
  const path = await sending.campaign(
    ["opens@people.test"],
    [mail("one", "Open me", { conditions: branches }), mail("never", "Skipped"), mail("opened", "You opened")],
  );
  const cold = await sending.campaign(
    ["cold@people.test"],
    [mail("one", "Cold", { conditions: late }), mail("never", "Skipped"), mail("unopened", "You did not open")],
  );
  await sending.launch(path);
  await sending.launch(cold);
  const waiting = await until(
    async () => {
      const recipient = await recipientOf(path, "opens@people.test");
      const waits = recipient.sentCount === 1 && (recipient.nextSendAt?.getTime() ?? 0) > Date.now() + DAY_MS;
      return waits ? recipient : null;
    },
    { ...MAIL_DEADLINE, what: "the recipient to wait for an open" },
  );
  if (waiting === null) throw new Error("awaited above");
  await inTransaction(async () => {
    const { _id: recipientId, leadId, campaignId, currentStepId } = waiting;
    await emit(sending.workspaceId, { type: "OPEN", leadId, campaignId, recipientId, data: { stepId: currentStepId } });
    await scoped(sending.workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { openedAt: new Date() } });
    await heedEvent(waiting);
  });
  await sending.ended(path);
  await sending.ended(cold);
  expect(subjectsTo("opens@people.test")).toEqual(["Open me", "You opened"]);
  expect(subjectsTo("cold@people.test")).toEqual(["Cold", "You did not open"]);
});

test("an approval step pauses the recipient until a user resumes them, even when another pause ends in between", async () => {
  const { rest } = sending;
  const path = await sending.campaign(
    ["ask@people.test"],
    [other("TASK", { title: "Check" }), other("APPROVAL", { note: "Is it a fit?" }), mail("one", "Approved")],
  );
  await sending.launch(path);
  const parked = await until(async () => (await rest.get(`${path}/recipients?status=PAUSED`)).body.items[0], {
    ...MAIL_DEADLINE,
    what: "the recipient to be parked",
  });
  expect(parked).toMatchObject({ pauseReason: "APPROVAL_REQUIRED", pausedUntil: null, sentCount: 0 });
  // Another pause begins and ends meanwhile: the approval is still required
  const { Recipient } = scoped(sending.workspaceId);
  const away = {
    pauseReason: "OUT_OF_OFFICE",
    pausedUntil: new Date(),
    nextSendAt: new Date(Date.now() - 120_000),
    admittedAt: new Date(),
  };
  await Recipient.updateOne({ _id: parked.id }, { $set: away });
  await inTransaction(() => heedEventOf(parked.id));
  await until(async () => (await recipientOf(path, "ask@people.test")).pauseReason === "APPROVAL_REQUIRED", {
    ...MAIL_DEADLINE,
    what: "the approval to be asked for again",
  });
  expect(subjectsTo("ask@people.test")).toEqual([]);
  // Its run may look once more, and a recipient that is not paused at that moment is not resumed
  const resumes = async () =>
    (await rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [parked.id] })).body.changed;
  await until(async () => (await resumes()) === 1, { ...MAIL_DEADLINE, what: "the recipient to be resumed" });
  await sending.ended(path);
  expect(subjectsTo("ask@people.test")).toEqual(["Approved"]);
  const recipient = await recipientOf(path, "ask@people.test");
  expect(await eventsOf("APPROVAL_REQUESTED", recipient)).toHaveLength(1);
  expect(await eventsOf("TASK_ADDED", recipient)).toHaveLength(1);
});

/** Wakes the run of a recipient that is paused until an instant, as the end of the pause does. */
async function heedEventOf(recipientId: string): Promise<void> {
  const recipient = await scoped(sending.workspaceId).Recipient.get(recipientId);
  if (recipient !== null) await heedEvent({ ...recipient, status: "IN_PROGRESS" });
}

test("a webhook that the receiver refuses permanently records a WEBHOOK_FAILED event, and the sequence continues", async () => {
  const subscriber = await startSubscriber({ answer: () => ({ status: 410 }) });
  const path = await sending.campaign(
    ["gone@people.test"],
    [other("WEBHOOK", { url: subscriber.url }), mail("one", "After the webhook")],
  );
  await sending.launch(path);
  await sending.ended(path);
  expect(subjectsTo("gone@people.test")).toEqual(["After the webhook"]);
  expect(subscriber.received).toHaveLength(1);
  const [failed, ...more] = await eventsOf("WEBHOOK_FAILED", await recipientOf(path, "gone@people.test"));
  expect(more).toEqual([]);
  expect(failed?.data).toMatchObject({ failure: "HTTP_410", attempts: 1 });
  await subscriber.close();
});

test("after the sixth failure a webhook step gives up with a WEBHOOK_FAILED event, and the sequence continues", async () => {
  const subscriber = await startSubscriber({ answer: () => ({ status: 503 }) });
  const path = await sending.campaign(
    ["tired@people.test"],
    [other("WEBHOOK", { url: subscriber.url }), mail("one", "Without the webhook")],
  );
  const { _id: recipientId, campaignId, leadId } = await recipientOf(path, "tired@people.test");
  const [webhook] = (await sending.rest.get(`${path}/sequence`)).body.steps;
  const row = {
    campaignId,
    recipientId,
    leadId,
    stepId: webhook.stepId,
    type: "WEBHOOK",
    state: "POSTING",
    attempts: 5,
  } as const;
  await scoped(sending.workspaceId).StepExecution.insert({ _id: newId("act"), ...row });
  await sending.launch(path);
  await sending.ended(path);
  expect(subjectsTo("tired@people.test")).toEqual(["Without the webhook"]);
  expect(subscriber.received).toHaveLength(1);
  const [failed] = await eventsOf("WEBHOOK_FAILED", await recipientOf(path, "tired@people.test"));
  expect(failed?.data).toMatchObject({ failure: "HTTP_503", attempts: 6 });
  await subscriber.close();
});
