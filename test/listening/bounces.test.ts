import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { complaint, deliveryFailure, plainBounce } from "../fakes/mails.ts";
import {
  contacted,
  events,
  imap,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  read,
  recipientNow,
  sendNow,
  watch,
  webhooks,
  workspaceId,
} from "./listening.ts";

listening();

test("a hard bounce ends the recipient, suppresses the address and sends one event, also when reported twice", async () => {
  const person = await contacted("gone@b.test", await newCampaign());
  const elsewhere = await contacted("gone@b.test", await newCampaign());
  await watch();
  imap.deliver(deliveryFailure(person.sent));
  imap.deliver(deliveryFailure(person.sent));
  const [message] = await read(2);
  expect(message).toMatchObject({
    kind: "BOUNCE",
    recipientId: person.recipient._id,
    bounce: { type: "HARD", reason: "USER_UNKNOWN", code: "5.1.1" },
  });
  expect(await recipientNow(person)).toMatchObject({
    status: "BOUNCED",
    stopReason: "HARD_BOUNCE",
    bouncedAt: expect.any(Date),
    bounce: {
      type: "HARD",
      reason: "USER_UNKNOWN",
      code: "5.1.1",
      diagnostic: expect.stringContaining("User unknown"),
    },
  });
  expect(await recipientNow(elsewhere)).toMatchObject({ status: "BOUNCED" });
  expect(await sendNow(person)).toMatchObject({ state: "BOUNCED" });
  expect(await leadNow(person)).toMatchObject({
    suppressed: true,
    suppressionReason: "HARD_BOUNCE",
    status: "BOUNCED",
    verificationStatus: "INVALID",
  });
  expect(await webhooks("BOUNCED")).toEqual([{ recipientId: person.recipient._id, email: "gone@b.test" }]);
});

test("a late hard bounce marks a completed recipient as bounced; a bounce of another address does not suppress the lead", async () => {
  const campaignId = await newCampaign();
  const done = await contacted("done@b.test", campaignId, { recipient: { status: "COMPLETED", nextStepId: null } });
  const other = await contacted("other@b.test", campaignId);
  await watch();
  imap.deliver(deliveryFailure(other.sent, { recipient: "forwarded@elsewhere.test" }));
  imap.deliver(plainBounce(done.sent, "550 5.1.1 User unknown"));
  expect((await read(2)).map(({ kind }) => kind)).toEqual(["BOUNCE", "BOUNCE"]);
  expect(await recipientNow(done)).toMatchObject({ status: "BOUNCED" });
  expect(await recipientNow(other)).toMatchObject({ status: "BOUNCED", stopReason: "FORWARDED" });
  expect(await leadNow(other)).toMatchObject({ suppressed: false });
});

test("a soft bounce with a full report sends the step again after 1, 6 and 24 hours, and a fourth bounce ends the recipient", async () => {
  const always = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];
  const person = await contacted("full@b.test", await newCampaign({ windows: always }));
  const { Recipient, Send } = scoped(workspaceId);
  await Send.insert({
    _id: newId("snd"),
    campaignId: person.recipient.campaignId,
    recipientId: person.recipient._id,
    leadId: person.recipient.leadId,
    mailboxId: mailbox._id,
    stepId: "stp_two",
    to: "full@b.test",
    slotAt: new Date(Date.now() + 3 * DAY_MS),
  });
  await watch();
  const full = { status: "4.2.2", diagnostic: "452 4.2.2 The mailbox is over quota" };
  let sent = person.sent;
  const hours = [1, 6, 24];
  for (let round = 0; round < 3; round++) {
    imap.deliver(deliveryFailure(sent, full));
    await read(2 * round + 1);
    const row = await sendNow(person);
    expect(row).toMatchObject({ state: "RESERVED", generation: round + 1, softFailures: round + 1 });
    const waitMs = (row?.slotAt?.getTime() ?? 0) - Date.now();
    expect(Math.round(waitMs / HOUR_MS)).toBe(hours[round]);
    expect(await recipientNow(person)).toMatchObject({
      status: "IN_PROGRESS",
      nextStepId: "stp_one",
      currentStepId: null,
      thread: null,
      nextSendAt: row?.slotAt,
    });
    expect(await Send.findOne({ stepId: "stp_two" })).toMatchObject({ state: "RELEASED", slotAt: null });
    // The report on the first attempt, read once more, changes nothing
    imap.deliver(deliveryFailure(sent, full));
    await read(2 * round + 2);
    expect(await sendNow(person)).toMatchObject({ state: "RESERVED", generation: round + 1 });
    const messageId = `<again-${round}-${randomUUID()}@a.test>`;
    const messageIds = [...(row?.messageIds ?? []), messageId];
    await Send.updateOne(
      { _id: person.send._id },
      { $set: { state: "SENT", messageId, messageIds, sentAt: new Date() } },
    );
    await Recipient.updateOne(
      { _id: person.recipient._id },
      { $set: { currentStepId: "stp_one", nextStepId: "stp_two" } },
    );
    const raw = Buffer.from(sent.raw.toString().replace(/Message-ID: .*/, `Message-ID: ${messageId}`));
    sent = { ...sent, messageId, raw };
  }
  imap.deliver(deliveryFailure(sent, full));
  await read(7);
  expect(await recipientNow(person)).toMatchObject({
    status: "SKIPPED",
    stopReason: "SOFT_BOUNCE_EXHAUSTED",
    bouncedAt: null,
  });
  expect(await sendNow(person)).toMatchObject({ state: "BOUNCED", generation: 3 });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  expect(await webhooks("BOUNCED")).toHaveLength(1);
});

test("a soft bounce without a full report is reported but not sent again, and a delay notice is only recorded", async () => {
  const campaignId = await newCampaign();
  const vague = await contacted("vague@b.test", campaignId);
  const late = await contacted("late@b.test", campaignId);
  await watch();
  imap.deliver(plainBounce(vague.sent, "452 4.2.2 Mailbox full"));
  imap.deliver(deliveryFailure(late.sent, { action: "delayed", status: "4.4.1", diagnostic: "451 4.4.1 No answer" }));
  expect((await read(2)).map(({ kind }) => kind)).toEqual(["BOUNCE", "DELAY"]);
  expect(await recipientNow(vague)).toMatchObject({
    status: "IN_PROGRESS",
    nextStepId: "stp_two",
    bounce: { type: "SOFT", reason: "MAILBOX_FULL" },
  });
  expect(await sendNow(vague)).toMatchObject({ state: "BOUNCED", generation: 0 });
  expect(await sendNow(late)).toMatchObject({ state: "SENT" });
  expect(await webhooks("BOUNCED")).toHaveLength(1);
});

test("a complaint suppresses the lead and the recipient, and does not count as a reply", async () => {
  const person = await contacted("angry@b.test", await newCampaign());
  await watch();
  imap.deliver(complaint(person.sent));
  expect(await read(1)).toMatchObject([{ kind: "COMPLAINT", recipientId: person.recipient._id }]);
  expect(await leadNow(person)).toMatchObject({ suppressed: true, suppressionReason: "COMPLAINT" });
  expect(await recipientNow(person)).toMatchObject({ status: "SUPPRESSED" });
  expect(await events("REPLIED")).toEqual([]);
});
