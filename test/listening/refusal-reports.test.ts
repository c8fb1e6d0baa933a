import { expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { noteAccepted } from "../../store/mailboxes/refusals.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { deliveryFailure } from "../fakes/mails.ts";
import {
  contacted,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  type Person,
  recipientNow,
  sendNow,
  workspaceId,
} from "./listening.ts";
import { take } from "./reading.ts";

listening();

const BARE = { status: "5.7.1", diagnostic: "550 5.7.1 Access denied" };
const mailboxNow = async () => scoped(workspaceId).Mailbox.get(mailbox._id);
const hoursAhead = (at: Date | null | undefined) => Math.round(((at?.getTime() ?? 0) - Date.now()) / HOUR_MS);

/** A person whose mail was accepted by the mailbox's own server a moment ago. */
async function accepted(email: string, campaignId: string): Promise<Person> {
  const person = await contacted(email, campaignId);
  await inTransaction(() => noteAccepted(person.send, new Date()));
  return person;
}

const evidenceOf = (organisation: string) => scoped(workspaceId).RefusalEvidence.get(`${mailbox._id}:${organisation}`);

test("a bounce report of an unknown policy counts as a refusal: the step is sent again after four hours and a day, then the recipient fails", async () => {
  const person = await accepted("odd@one.test", await newCampaign({ windows: ALWAYS }));
  expect(await evidenceOf("one.test")).toMatchObject({ accepted: 1, policy: 0 });
  await take(deliveryFailure(person.sent, BARE));
  await take(deliveryFailure(person.sent, BARE));
  expect(await evidenceOf("one.test")).toMatchObject({
    accepted: 0,
    policy: 1,
    recent: [{ verdict: "POLICY", sendId: person.send._id }],
  });
  expect(await sendNow(person)).toMatchObject({ policyRefusals: 1, softFailures: 0, generation: 1 });
  expect(hoursAhead((await recipientNow(person))?.nextSendAt)).toBe(4);
  expect(await mailboxNow()).toMatchObject({ status: "CONNECTED" });
  const { Recipient, Send } = scoped(workspaceId);
  for (const [round, status] of [
    [2, "IN_PROGRESS"],
    [3, "FAILED"],
  ] as const) {
    const sent = { state: "SENT" as const, sentAt: new Date() };
    await Send.updateOne({ _id: person.send._id }, { $set: sent });
    await Recipient.updateOne(
      { _id: person.recipient._id },
      { $set: { currentStepId: "stp_one", nextStepId: "stp_two" } },
    );
    await take(deliveryFailure(person.sent, BARE));
    expect(await recipientNow(person)).toMatchObject({ status });
    if (round === 2) expect(hoursAhead((await recipientNow(person))?.nextSendAt)).toBe(24);
  }
  expect(await recipientNow(person)).toMatchObject({ stopReason: "REFUSED_BY_POLICY", bouncedAt: null });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
});

test("a refusal report that cites the recipient's own rule ends only that recipient", async () => {
  const person = await accepted("strict@one.test", await newCampaign());
  const diagnostic = "550 5.7.124 RESOLVER.RST.NotInAllowedList; not in the list of allowed senders";
  await take(deliveryFailure(person.sent, { status: "5.7.124", diagnostic }));
  expect(await recipientNow(person)).toMatchObject({
    status: "FAILED",
    stopReason: "REFUSED_BY_POLICY",
    bouncedAt: null,
  });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  expect(await evidenceOf("one.test")).toMatchObject({ accepted: 0, recipient: 1 });
  expect(await mailboxNow()).toMatchObject({ status: "CONNECTED" });
});

test("bounce reports of unknown policies from two organisations cool the mailbox down; reports from one organisation do not", async () => {
  const campaignId = await newCampaign();
  for (const name of ["a", "b", "c"])
    await take(deliveryFailure((await accepted(`${name}@one.test`, campaignId)).sent, BARE));
  expect(await mailboxNow()).toMatchObject({ status: "CONNECTED" });
  await take(deliveryFailure((await accepted("d@two.test", campaignId)).sent, BARE));
  expect(await mailboxNow()).toMatchObject({
    status: "COOLING_DOWN",
    statusReason: "REFUSALS",
    restReason: { by: "POLICY" },
  });
  expect((await mailboxNow())?.trial?.refusedBy.toSorted()).toEqual(["one.test", "two.test"]);
});

test("a bounce report that blames the sender cools the mailbox down, and the recipient continues", async () => {
  const person = await accepted("a@one.test", await newCampaign());
  await take(
    deliveryFailure(person.sent, {
      status: "5.7.1",
      diagnostic: "550 5.7.1 Your IP address is listed, poor reputation",
    }),
  );
  expect(await mailboxNow()).toMatchObject({
    status: "COOLING_DOWN",
    restReason: { by: "SENDER", organisation: "one.test" },
  });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", bouncedAt: null });
});

test("a rejection as spam cools the mailbox down only when a second text is rejected too", async () => {
  const campaignId = await newCampaign();
  const spam = { status: "5.7.1", diagnostic: "554 5.7.1 Message rejected as spam" };
  for (const email of ["a@one.test", "b@two.test", "c@three.test"])
    await take(deliveryFailure((await accepted(email, campaignId)).sent, spam));
  expect(await mailboxNow()).toMatchObject({ status: "CONNECTED" });
  const person = await accepted("d@four.test", campaignId);
  await scoped(workspaceId).Send.updateOne({ _id: person.send._id }, { $set: { variantId: "var_other" } });
  await take(deliveryFailure(person.sent, spam));
  expect(await mailboxNow()).toMatchObject({ status: "COOLING_DOWN", restReason: { by: "POLICY" } });
});
