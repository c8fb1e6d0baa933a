import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../../store/outbox.ts";
import { pauseRecipient } from "../../store/recipients/stop.ts";
import { EVIDENCE_MS } from "../../store/sending/record.ts";
import { mail, other } from "../campaigns/campaign-parts.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { explained, Watch } from "./foreseen.ts";

/** Delays counted in days that pass while a test waits. */
const SOON = 4 / 86_400;

let sending: SendingWorld;
beforeAll(async () => {
  sending = await startSendingWorld();
}, 90_000);
afterAll(() => sending.close(), 30_000);

const soon = (nextStepId: string, times = 1) => [{ if: "NOT_REPLIED", withinDays: times * SOON, nextStepId }];
const linear = (settings: object = {}) => ({ mode: "DEFAULT", settings });

async function recipientOf(path: string) {
  const found = await scoped(sending.workspaceId).Recipient.findOne({ campaignId: path.split("/").at(-1) });
  if (found === null) throw new Error("The campaign has no recipient");
  return found;
}

async function look(path: string) {
  return explained(sending, path, (await recipientOf(path))._id);
}

async function replan({ _id: recipientId, campaignId }: { _id: string; campaignId: string }): Promise<void> {
  await inTransaction(() => nudge(sending.workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" }));
}

test("the explanation of recipients predicts what then happens: slots of emails, pauses, other steps, branches and ends", async () => {
  const gaps = { minGapSeconds: 5, maxGapSeconds: 5 };
  const moved = await sending.campaign([], [mail("a", "Elsewhere")]);
  const plain = await sending.campaign(
    ["a@plain.test", "b@plain.test", "c@plain.test"],
    [mail("one", "First"), mail("two", "")],
    linear(gaps),
  );
  const blank = await sending.campaign(
    ["blank@people.test"],
    [mail("one", "Hello", { conditions: soon("hi") }), mail("hi", "Hi {{firstName}}")],
  );
  const passed = await sending.campaign(
    ["passed@people.test"],
    [mail("one", "Hi {{firstName}}"), mail("two", "Hello")],
    linear({ missingVariablePolicy: "SKIP_STEP" }),
  );
  const visual = await sending.campaign(
    ["visual@people.test"],
    [
      other("TASK", { title: "Call" }),
      mail("ask", "Open?", { conditions: [{ if: "NOT_OPENED", withinDays: SOON, nextStepId: "late" }] }),
      mail("never", "Skipped"),
      mail("late", "You did not open", { conditions: soon("wait") }),
      other("WAIT", {}, { stepId: "wait", conditions: soon("move", 2) }),
      other("MOVE_TO_CAMPAIGN", { campaignId: moved.split("/").at(-1) }, { stepId: "move" }),
    ],
  );
  const asks = await sending.campaign(
    ["asks@people.test"],
    [mail("one", "Before", { conditions: soon("ask") }), other("APPROVAL", {}, { stepId: "ask" })],
  );
  const paths = [plain, blank, passed, visual, asks];
  const watch = new Watch(sending, ...paths);
  await watch.look();
  for (const { next, rules } of watch.told) {
    expect(next).toBeNull();
    expect(rules).toMatchObject([{ code: "CAMPAIGN_DRAFT", text: expect.any(String), values: {} }]);
  }
  // The forecast for a draft ends with its launch
  watch.told.length = 0;
  for (const path of paths) await sending.launch(path);
  await watch.untilStill(60_000);
  await watch.judge();
  const ends = ["ENDED MOVED", "PAUSED APPROVAL_REQUIRED", "PAUSED MISSING_VARIABLE"];
  expect(watch.events()).toEqual(expect.arrayContaining(["MAIL", ...ends]));
  const codes = ["BOOKED_SLOT", "MAILBOX_GAP", "CONDITION_WAIT", "RECIPIENT_PAUSED", "ENDED"];
  expect([...watch.rules()]).toEqual(expect.arrayContaining(codes));
  const [done] = (await look(visual)).sent;
  expect(done).toMatchObject({
    state: "SENT",
    stepOrder: 2,
    drawn: { by: "ONLY_VARIANT", label: "A" },
    mailbox: expect.any(String),
  });
  expect(done).toMatchObject({ checks: { window: true }, messageId: expect.any(String), response: expect.any(String) });
});

test("a recipient whose follow-up would come after the campaign's end ends with the campaign, as predicted", async () => {
  const steps = [mail("one", "First"), mail("two", "", { delay: { value: 1, unit: "MINUTES" } })];
  const path = await sending.campaign(["over@people.test"], steps, linear());
  await sending.launch(path);
  await until(async () => (await recipientOf(path)).sentCount === 1, { ...MAIL_DEADLINE, what: "the first mail" });
  const endAt = new Date(Date.now() + 4_000).toISOString();
  await sending.rest.patch(`${path}/settings`, { endAt });
  const watch = new Watch(sending, path);
  await watch.look();
  expect(watch.told[0].next).toMatchObject({ event: "ENDED", reason: "SCHEDULE_ENDED", at: endAt, isEarliest: false });
  expect([...watch.rules()]).toEqual(expect.arrayContaining(["STEP_DELAY", "SCHEDULE_ENDED"]));
  await watch.untilStill(30_000);
  await watch.judge();
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(endAt));
});

test("blocking a domain ends its booked recipients when their slots come, as predicted", async () => {
  const path = await sending.campaign(
    ["a@shut.test", "b@shut.test", "c@shut.test"],
    [mail("one", "Shut")],
    linear({ minGapSeconds: 4, maxGapSeconds: 4 }),
  );
  await sending.launch(path);
  await until(() => sending.mailsTo("a@shut.test").length + sending.mailsTo("b@shut.test").length > 0, {
    ...MAIL_DEADLINE,
    what: "the first mail",
  });
  await sending.rest.post("/block-list", { value: "shut.test" });
  const watch = new Watch(sending, path);
  await watch.look();
  await watch.untilStill(30_000);
  await watch.judge();
  expect(watch.events()).toEqual(["ENDED BLOCK_LISTED"]);
  expect(watch.rules()).toContain("BLOCK_LISTED");
});

test("while a campaign is paused no email is predicted or sent; after a resume emails are predicted and sent again", async () => {
  const path = await sending.campaign(
    ["a@held.test", "b@held.test", "c@held.test"],
    [mail("one", "Held")],
    linear({ minGapSeconds: 3, maxGapSeconds: 3 }),
  );
  await sending.launch(path);
  const sent = () =>
    sending.sandbox.ledger.filter(({ to }) => to.some((address) => address.endsWith("@held.test"))).length;
  await until(() => sent() > 0, { ...MAIL_DEADLINE, what: "the first mail" });
  await sending.rest.post(`${path}/control`, { action: "pause" });
  const held = new Watch(sending, path);
  const pausedAt = Date.now();
  await until(() => Date.now() - pausedAt > 4_000, { ...MAIL_DEADLINE, what: "the slots to pass" });
  await held.look();
  expect(held.told.filter(({ next }) => next !== null)).toEqual([]);
  expect(held.rules()).toContain("CAMPAIGN_PAUSED");
  await held.judge();
  await sending.rest.post(`${path}/control`, { action: "resume" });
  const after = new Watch(sending, path);
  await after.untilStill(30_000);
  await after.judge();
  expect(after.events()).toContain("MAIL");
});

test("the explanation predicts the effect of an ending pause, a lost mailbox, an edited sequence and an unknown outcome", async () => {
  const steps = [mail("one", "First"), mail("two", "", { delay: { value: 1, unit: "DAYS" } })];
  const [away, lost, edited, unknown] = await Promise.all(
    ["away@x.test", "lost@x.test", "edited@x.test", "drop@people.test"].map((email) =>
      sending.campaign([email], steps, linear()),
    ),
  );
  if (!away || !lost || !edited || !unknown) throw new Error("made above");
  for (const path of [away, lost, edited, unknown]) await sending.launch(path);
  const { Mailbox, Recipient, Send } = scoped(sending.workspaceId);
  for (const path of [away, lost, edited])
    await until(async () => (await recipientOf(path)).sentCount === 1, { ...MAIL_DEADLINE, what: "the first mails" });

  // Paused until an instant: it is resumed then, and its follow-up keeps its delay
  const back = Date.now() + 2_500;
  await inTransaction(
    async () =>
      void (await pauseRecipient(sending.workspaceId, (await recipientOf(away))._id, "OUT_OF_OFFICE", new Date(back))),
  );
  const told = await look(away);
  expect(told).toMatchObject({
    next: { event: "RESUMED", at: new Date(back).toISOString() },
    afterwards: [{ event: "MAIL" }],
  });
  await until(async () => (await recipientOf(away)).status === "IN_PROGRESS", {
    ...MAIL_DEADLINE,
    what: "the end of the pause",
  });
  expect(Date.now()).toBeGreaterThanOrEqual(back);
  const booked = await until(async () => (await look(away)).next, { ...MAIL_DEADLINE, what: "a new slot" });
  expect(booked).toMatchObject({ event: "MAIL", stepId: told.afterwards[0].stepId });
  expect(Date.parse(booked.at)).toBeGreaterThanOrEqual(Date.parse(told.afterwards[0].at));

  // The mailbox is lost: a recipient that wakes is paused
  const waiting = await recipientOf(lost);
  await Mailbox.updateOne({ _id: waiting.mailboxId ?? "" }, { $set: { status: "RECONNECT_REQUIRED" } });
  expect(await look(lost)).toMatchObject({ next: { event: "PAUSED", reason: "MAILBOX_DISCONNECTED" } });
  await replan(waiting);
  await until(async () => (await recipientOf(lost)).pauseReason === "MAILBOX_DISCONNECTED", {
    ...MAIL_DEADLINE,
    what: "the pause",
  });
  expect(await look(lost)).toMatchObject({
    next: null,
    rules: [{ code: "RECIPIENT_PAUSED" }, { code: "MAILBOX_LOST" }],
  });
  await Mailbox.updateOne({ _id: waiting.mailboxId ?? "" }, { $set: { status: "CONNECTED" } });

  // The step that the recipient waits for is removed, so it is at the end of the sequence
  const { body } = await sending.rest.get(`${edited}/sequence`);
  await sending.rest.put(`${edited}/sequence`, { action: "replaceSteps", steps: body.steps.slice(0, 1) });
  await until(async () => (await look(edited)).next === null, { ...MAIL_DEADLINE, what: "the end" });
  expect(await recipientOf(edited)).toMatchObject({ status: "COMPLETED", stopReason: "SEQUENCE_FINISHED" });

  // The outcome stays open for a day, then the recipient ends
  await until(async () => (await Send.findOne({ to: "drop@people.test" }))?.state === "UNKNOWN", {
    ...MAIL_DEADLINE,
    what: "an unknown outcome",
  });
  const row = await Send.findOne({ to: "drop@people.test" });
  const until24 = new Date((row?.unknownAt?.getTime() ?? 0) + EVIDENCE_MS).toISOString();
  expect(await look(unknown)).toMatchObject({ next: { event: "ENDED", reason: "SEND_UNKNOWN", at: until24 } });
  await Send.updateOne({ _id: row?._id ?? "" }, { $set: { unknownAt: new Date(Date.now() - EVIDENCE_MS) } });
  await replan(await recipientOf(unknown));
  await until(async () => (await recipientOf(unknown)).status === "FAILED", { ...MAIL_DEADLINE, what: "the end" });
  expect(await look(unknown)).toMatchObject({
    next: null,
    rules: [{ code: "ENDED", values: { stopReason: "SEND_UNKNOWN" } }],
  });
  expect(await Recipient.count({ email: "drop@people.test", stopReason: "SEND_UNKNOWN" })).toBe(1);
}, 150_000);
