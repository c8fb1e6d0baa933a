import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { outboxOf } from "../support/outbox.ts";
import { startWorld, type World } from "../support/world.ts";
import { answerOf, type Inbox, type Person, startInbox } from "./inbox-parts.ts";

let world: World;
let inbox: Inbox;

beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  inbox = await startInbox(world);
});
afterAll(() => world.close());

const db = () => scoped(inbox.workspaceId);
const recipientNow = ({ recipient }: Person) => db().Recipient.get(recipient._id);
const leadNow = ({ recipient }: Person) => db().Lead.get(recipient.leadId);
const events = (type: string) => db().ActivityEvent.find({ type }, { sort: { _id: 1 } });

async function answered(more: Parameters<Inbox["contacted"]>[1] = {}, text = "Tell me more.") {
  const person = await inbox.contacted("bob@b.test", more);
  const { _id: messageId } = await inbox.arrive(answerOf(person, text));
  return { person, messageId };
}

const categorise = (messageId: string, category: unknown) =>
  inbox.rest.post(`/inbox/messages/${messageId}/category`, { category });

test("a category is set on message and thread, appears once in the lead's history, and setting it again changes nothing", async () => {
  const { person, messageId } = await answered();
  const { status, body } = await categorise(messageId, "  INTERESTED ");
  expect([status, body.id, body.category]).toEqual([200, messageId, "INTERESTED"]);
  expect(await categorise(messageId, "INTERESTED")).toMatchObject({ status: 200, body: { category: "INTERESTED" } });
  const [thread] = (await inbox.rest.get("/inbox/threads?category=INTERESTED")).body.items;
  expect(thread).toMatchObject({ category: "INTERESTED", sentiment: "POSITIVE" });
  expect(await events("CATEGORY_SET")).toMatchObject([
    { leadId: person.recipient.leadId, recipientId: person.recipient._id, data: { category: "INTERESTED", messageId } },
  ]);
  expect(await leadNow(person)).toMatchObject({ status: "INTERESTED" });
  expect((await inbox.rest.get("/inbox/summary")).body.categories).toEqual([{ category: "INTERESTED", count: 1 }]);
});

test("a person whose reply is positive counts once among the campaign's positive replies", async () => {
  const { person, messageId } = await answered();
  const again = await inbox.arrive(answerOf(person, "And one more thing"));
  const positive = async () =>
    (await inbox.rest.get(`/campaigns/${person.recipient.campaignId}`)).body.metrics.positiveReplies;
  expect(await positive()).toBe(0);
  for (const id of [messageId, again._id]) await categorise(id, "MEETING_REQUEST");
  expect(await positive()).toBe(1);
  await categorise(again._id, "NOT_INTERESTED");
  expect(await positive()).toBe(0);
});

test("a new category moves the lead between interested and not interested, and a custom category does not", async () => {
  const { person, messageId } = await answered();
  await categorise(messageId, "INTERESTED");
  await categorise(messageId, "NOT_INTERESTED");
  expect(await leadNow(person)).toMatchObject({ status: "NOT_INTERESTED" });
  await categorise(messageId, "ask again in May");
  expect(await leadNow(person)).toMatchObject({ status: "NOT_INTERESTED" });
  expect((await inbox.rest.get("/inbox/threads")).body.items).toMatchObject([
    { category: "ask again in May", sentiment: "NEUTRAL" },
  ]);
});

test("a thread has the category of its newest categorised message", async () => {
  const { person, messageId } = await answered();
  const later = await inbox.arrive(answerOf(person, "On second thought"), { receivedAt: new Date(Date.now() + 1_000) });
  await categorise(later._id, "NOT_NOW");
  await categorise(messageId, "INTERESTED");
  expect((await inbox.rest.get("/inbox/threads")).body.items).toMatchObject([
    { category: "NOT_NOW", sentiment: "NEUTRAL" },
  ]);
});

test.each(["UNSUBSCRIBE", "DO_NOT_CONTACT"])(
  "%s suppresses the lead's address and the address that the reply came from, and is audited",
  async (category) => {
    const person = await inbox.contacted("bob@b.test");
    const elsewhere = await inbox.contacted("bob@b.test");
    const message = await inbox.arrive({
      ...answerOf(person, "We are not a fit, thanks"),
      from: "robert@private.test",
    });
    expect((await categorise(message._id, category)).status).toBe(200);
    expect(await leadNow(person)).toMatchObject({
      suppressed: true,
      suppressionReason: category === "UNSUBSCRIBE" ? "OPT_OUT_REPLY" : "MANUAL",
    });
    expect((await recipientNow(elsewhere))?.status).toMatch(category === "UNSUBSCRIBE" ? /UNSUBSCRIBED/ : /REPLIED/);
    expect(await db().AddressGuard.count({ reasons: category === "UNSUBSCRIBE" ? "OPT_OUT_REPLY" : "MANUAL" })).toBe(2);
    expect(await db().AuditEntry.find({ action: "inbox.suppress" })).toMatchObject([
      { target: { messageId: message._id }, outcome: "DONE" },
    ]);
    await categorise(message._id, category);
    expect((await verifyChain(inbox.workspaceId)).entries).toBe(2);
  },
);

test("UNSUBSCRIBE on a stranger's email suppresses the stranger, and on a bounce suppresses no one", async () => {
  const stranger = await inbox.arrive({ from: "x@x.test", subject: "Stop" });
  await categorise(stranger._id, "UNSUBSCRIBE");
  expect(await db().AddressGuard.count({ reasons: "OPT_OUT_REPLY" })).toBe(1);
  expect(await events("CATEGORY_SET")).toEqual([]);
  const bounce = await inbox.arrive({ from: "mailer-daemon@x.test", subject: "Undelivered" });
  await db().Message.updateOne({ _id: bounce._id }, { $set: { kind: "BOUNCE" } });
  await categorise(bounce._id, "UNSUBSCRIBE");
  expect(await db().AddressGuard.count({ reasons: "OPT_OUT_REPLY" })).toBe(1);
});

test("MEETING_BOOKED sets the outcome, ends the sequence and raises the lead's status", async () => {
  const { person, messageId } = await answered({ settings: { stopOnReply: false } });
  await categorise(messageId, "MEETING_BOOKED");
  expect(await recipientNow(person)).toMatchObject({
    meetingBooked: true,
    meetingBookedAt: expect.any(Date),
    status: "COMPLETED",
    stopReason: "MEETING_BOOKED",
  });
  expect(await leadNow(person)).toMatchObject({ status: "MEETING_BOOKED" });
});

test.each(["OUT_OF_OFFICE", "AUTO_REPLY"])(
  "%s no longer counts the message as a reply, and pauses a recipient that the reply had stopped",
  async (category) => {
    const elsewhere = await inbox.contacted("bob@b.test");
    const { person, messageId } = await answered({}, "I am away.");
    expect(await recipientNow(person)).toMatchObject({ status: "REPLIED", repliedAt: expect.any(Date) });
    expect(await recipientNow(elsewhere)).toMatchObject({ status: "REPLIED" });
    await categorise(messageId, category);
    for (const one of [person, elsewhere]) {
      const now = await recipientNow(one);
      expect(now).toMatchObject({ status: "PAUSED", pauseReason: "OUT_OF_OFFICE", repliedAt: null, stopReason: null });
      expect(Math.round(((now?.pausedUntil?.getTime() ?? 0) - Date.now()) / DAY_MS)).toBe(7);
    }
    expect((await recipientNow(person))?.autoRepliedAt).toEqual(expect.any(Date));
    expect(await events("REPLIED")).toEqual([]);
    expect(await leadNow(person)).toMatchObject({ status: "CONTACTED", lastRepliedAt: null });
  },
);

test("an out-of-office pause ends at the return date in the message", async () => {
  const { person, messageId } = await answered(
    { settings: { timezone: "UTC" } },
    "I am out of office and back on 2 January 2027.",
  );
  await categorise(messageId, "OUT_OF_OFFICE");
  expect((await recipientNow(person))?.pausedUntil?.toISOString()).toMatch(/^2027-01-0[23]/);
});

test("a reply that no longer counts leaves the person's other replies counted, and a corrected category counts the reply again", async () => {
  const { person, messageId } = await answered();
  const automatic = await inbox.arrive(answerOf(person, "I am away."));
  await categorise(automatic._id, "OUT_OF_OFFICE");
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED", repliedAt: expect.any(Date) });
  await categorise(messageId, "AUTO_REPLY");
  expect(await recipientNow(person)).toMatchObject({ status: "PAUSED", repliedAt: null });
  await categorise(messageId, "INTERESTED");
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED", repliedAt: expect.any(Date) });
  expect(await leadNow(person)).toMatchObject({ status: "INTERESTED" });
});

test("a changed category follows the campaign's setting to stop on automatic replies or to ignore them", async () => {
  for (const [outOfOfficeMode, expected] of [
    ["STOP", { status: "COMPLETED", stopReason: "AUTO_REPLIED" }],
    ["IGNORE", { status: "IN_PROGRESS", nextStepId: "stp_two" }],
  ] as const) {
    const person = await inbox.contacted(`${outOfOfficeMode.toLowerCase()}@b.test`, { settings: { outOfOfficeMode } });
    const message = await inbox.arrive(answerOf(person, "I am away."));
    await categorise(message._id, "OUT_OF_OFFICE");
    expect(await recipientNow(person)).toMatchObject(expected);
  }
});

test("in a VISUAL sequence a new category makes the recipient's next step be planned again immediately", async () => {
  const { person, messageId } = await answered({ settings: { stopOnReply: false } });
  await scoped(inbox.workspaceId).Sequence.updateOne(
    { campaignId: person.recipient.campaignId },
    { $set: { mode: "VISUAL" } },
  );
  const nudges = async () =>
    (await outboxOf(inbox.workspaceId, "RECIPIENT")).filter(({ payload }) => payload.signal === "replan").length;
  const before = await nudges();
  await categorise(messageId, "INTERESTED");
  expect([await nudges(), (await recipientNow(person))?.status]).toEqual([before + 1, "IN_PROGRESS"]);
});

test("an invalid category, an outbound message and an unknown message are refused", async () => {
  const { person, messageId } = await answered();
  for (const category of ["", "   ", "x".repeat(51), 5, null]) {
    expect(await categorise(messageId, category)).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  }
  expect((await inbox.rest.post(`/inbox/messages/${messageId}/category`, {})).status).toBe(400);
  const [sent] = await db().Message.find({ sendId: person.send._id, direction: "OUTBOUND" });
  expect(await categorise(String(sent?._id), "INTERESTED")).toMatchObject({
    status: 422,
    body: { code: "NOT_INBOUND" },
  });
  const copy = { _id: newId("msg"), mailboxId: newId("mbx"), contentKey: "copy", kind: "OWN" } as const;
  await db().Message.insert(copy); // a copy of one of our own emails, in no thread
  expect(await categorise(copy._id, "INTERESTED")).toMatchObject({ status: 404, body: { code: "MESSAGE_NOT_FOUND" } });
  expect(await categorise("msg_unknown", "INTERESTED")).toMatchObject({
    status: 404,
    body: { code: "MESSAGE_NOT_FOUND" },
  });
});

test("the same category set several times at once leaves one event", async () => {
  const { messageId } = await answered();
  const answers = await Promise.all([1, 2, 3].map(() => categorise(messageId, "INTERESTED")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await events("CATEGORY_SET")).toHaveLength(1);
});
