import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { noteWithdrawn } from "../../store/sending/resolve-unknown.ts";
import { answerWith, loseAnswer } from "../fakes/gmail/faults.ts";
import { badGateway, userRateLimitExceeded } from "../fakes/gmail/refusals.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { ADDRESSES, APIS, type Api, type ApiWorld, startApiWorld } from "./api-world.ts";

let here: ApiWorld;
beforeAll(async () => {
  // The headers of many emails are read within one watch, and the quota makes that take more than a minute
  here = await startApiWorld({ watching: { watchMs: 10 * MINUTE_MS } });
}, 120_000);
afterAll(() => here.close());

const STEPS = [{ subject: "Lost", body: "<p>Hello</p>", delay: 0 }];
const leftTo = (api: Api, to: string) => here.sent(api).filter((mail) => mail.to.includes(to)).length;
const SETTLED = { deadlineMs: 150_000 };

async function stateBecomes(to: string, state: string, deadline = MAIL_DEADLINE): Promise<void> {
  await until(async () => (await here.sendTo(to))?.state === state, { ...deadline, what: `${to} to be ${state}` });
}

/** The outcome became unknown, as if a minute ago, after which the mailbox is asked. */
async function becomesUnknown(to: string): Promise<void> {
  await stateBecomes(to, "UNKNOWN");
  const { Send } = scoped(here.workspaceId);
  await Send.updateOne({ to, state: "UNKNOWN" }, { $set: { unknownAt: new Date(Date.now() - 61_000) } });
}

test("an email whose lost answer came after Gmail had sent it is found sent, and is not sent again", async () => {
  const to = "after@people.test";
  here.gmail.fault("drafts.send", loseAnswer("after the effect"));
  await here.launched("GMAIL_API", [to], STEPS);
  await stateBecomes(to, "SENT");
  expect(leftTo("GMAIL_API", to)).toBe(1);
});

test("an error 502 for an email that Gmail sent settles as sent, and is not sent again", async () => {
  const to = "gateway@people.test";
  here.gmail.fault("drafts.send", answerWith(badGateway, "after the effect"));
  await here.launched("GMAIL_API", [to], STEPS);
  await stateBecomes(to, "SENT");
  expect(leftTo("GMAIL_API", to)).toBe(1);
});

test("an email whose lost answer came before Gmail sent it is sent once after its draft is deleted", async () => {
  const to = "before@people.test";
  here.gmail.fault("drafts.send", loseAnswer("without effect"));
  await here.launched("GMAIL_API", [to], STEPS);
  await becomesUnknown(to);
  expect(leftTo("GMAIL_API", to)).toBe(0);
  await stateBecomes(to, "SENT", SETTLED);
  expect(leftTo("GMAIL_API", to)).toBe(1);
  expect(await here.sendTo(to)).toMatchObject({ generation: 1 });
  expect(here.drafts("GMAIL_API")).toBe(0);
}, 240_000);

test("a scheduled reply whose lost answer came before Gmail sent it is shown as not sent, and may be written again", async () => {
  const person = "reply-scheduled@people.test";
  await here.launched("GMAIL_API", [person], STEPS);
  const { Message, ScheduledReply } = scoped(here.workspaceId);
  const threadId = async () => (await Message.findOne({ from: person }))?.threadId;
  await until(async () => (await threadId()) !== undefined, { ...MAIL_DEADLINE, what: "the reply to be read" });
  here.gmail.fault("drafts.send", loseAnswer("without effect"));
  const sendAt = new Date(Date.now() + 1_200).toISOString();
  const reply = { text: "As promised.", sendAt, idempotencyKey: crypto.randomUUID() };
  const { body } = await here.rest.post(`/inbox/threads/${await threadId()}/schedule`, reply);
  const errorBecomes = (code: string, deadline = MAIL_DEADLINE) =>
    until(async () => (await ScheduledReply.get(body.id))?.error?.code === code, { ...deadline, what: code });
  await errorBecomes("SEND_UNKNOWN");
  await errorBecomes("SEND_FAILED", SETTLED);
  expect(await ScheduledReply.get(body.id)).toMatchObject({ status: "FAILED" });
  expect(leftTo("GMAIL_API", person)).toBe(1);
  expect(here.drafts("GMAIL_API")).toBe(0);
}, 240_000);

test("an email that Gmail did not send is sent once although the answer to the deletion of its draft is lost too", async () => {
  const to = "undeleted@people.test";
  here.gmail.fault("drafts.send", loseAnswer("without effect"));
  here.gmail.fault("drafts.delete", loseAnswer("after the effect"));
  await here.launched("GMAIL_API", [to], STEPS);
  await becomesUnknown(to);
  await stateBecomes(to, "SENT", SETTLED);
  expect(leftTo("GMAIL_API", to)).toBe(1);
  expect(await here.sendTo(to)).toMatchObject({ generation: 1 });
}, 240_000);

test.each(APIS)(
  "a worker that ends after it deleted a refused draft and before its record leads to one email over %s",
  async (api) => {
    const to = `ended-${api.toLowerCase()}@people.test`;
    if (api === "GMAIL_API") here.gmail.fault("drafts.send", loseAnswer("without effect"));
    else here.graph.fault({ on: "send", answer: "lost" });
    await here.launched(api, [to], STEPS);
    await becomesUnknown(to);
    const send = await here.sendTo(to);
    const draftId = send?.draft?.draftId ?? "";
    if (send === null || draftId === "") throw new Error("There is no draft");
    await noteWithdrawn(send, draftId, true);
    const atGraph = here.graph.mailbox(ADDRESSES.GRAPH);
    const item = atGraph.items.get(draftId);
    if (item !== undefined) atGraph.remove(item);
    else here.gmail.mailbox(ADDRESSES.GMAIL_API).discardDraft(draftId);
    await stateBecomes(to, "SENT", SETTLED);
    expect(leftTo(api, to)).toBe(1);
  },
  240_000,
);

test("an email of unknown outcome that Gmail did not send, and whose recipient is removed meanwhile, is not sent and gives its slot back", async () => {
  const to = "removed@people.test";
  here.gmail.fault("drafts.send", loseAnswer("without effect"));
  const path = await here.launched("GMAIL_API", [to], STEPS);
  await stateBecomes(to, "UNKNOWN");
  const send = await here.sendTo(to);
  const removed = await here.rest.post(`${path}/recipients`, {
    action: "bulkRemove",
    recipientIds: [send?.recipientId],
  });
  expect(removed.status).toBe(200);
  await becomesUnknown(to);
  await stateBecomes(to, "RELEASED", SETTLED);
  expect(leftTo("GMAIL_API", to)).toBe(0);
  expect(here.drafts("GMAIL_API")).toBe(0);
  const { MailboxDay } = scoped(here.workspaceId);
  expect(await MailboxDay.find({ "taken.sendId": send?._id })).toEqual([]);
}, 240_000);

test("an email whose draft the owner sends by hand with another subject is not sent again, although its deletion had begun", async () => {
  const to = "by-hand@people.test";
  here.gmail.fault("drafts.send", loseAnswer("without effect"));
  await here.launched("GMAIL_API", [to], STEPS);
  await stateBecomes(to, "UNKNOWN");
  const send = await here.sendTo(to);
  const draftId = send?.draft?.draftId ?? "";
  if (send === null) throw new Error("There is no email");
  await noteWithdrawn(send, draftId, true);
  const mailbox = here.gmail.mailbox(ADDRESSES.GMAIL_API);
  mailbox.discardDraft(draftId);
  // Written anew by the owner: in a thread of its own, without our headers
  const raw = `From: ${ADDRESSES.GMAIL_API}\r\nTo: ${to}\r\nSubject: Changed\r\n\r\nHello\r\n`;
  mailbox.add(Buffer.from(raw), { labelIds: ["SENT"] });
  const asked = () => here.gmail.asked.filter(({ method }) => method === "drafts.get").length;
  const before = asked();
  await becomesUnknown(to);
  await until(() => asked() > before, { ...SETTLED, what: "Gmail to be asked about the draft" });
  // A wrong conclusion would lead to a second email within this time
  await sleep(3_000);
  expect(await here.sendTo(to)).toMatchObject({ state: "UNKNOWN", generation: 0 });
  expect(leftTo("GMAIL_API", to)).toBe(0);
}, 240_000);

test("an email of unknown outcome whose draft the owner deleted stays unknown and is not sent again", async () => {
  const to = "deleted@people.test";
  here.gmail.fault("drafts.send", loseAnswer("without effect"));
  await here.launched("GMAIL_API", [to], STEPS);
  await becomesUnknown(to);
  const mailbox = here.gmail.mailbox("ann@a.test");
  for (const draftId of [...mailbox.drafts.keys()]) mailbox.discardDraft(draftId);
  const asked = () => here.gmail.asked.filter(({ method }) => method === "drafts.get").length;
  const before = asked();
  await until(() => asked() > before, { ...SETTLED, what: "Gmail to be asked about the draft" });
  expect(await here.sendTo(to)).toMatchObject({ state: "UNKNOWN" });
  expect(leftTo("GMAIL_API", to)).toBe(0);
}, 240_000);

test("an email whose lost answer came after Graph had taken it is found sent, and is not sent again", async () => {
  const to = "taken@people.test";
  here.graph.fault({ on: "send", answer: "lost", after: true });
  await here.launched("GRAPH", [to], STEPS);
  await stateBecomes(to, "SENT");
  expect(leftTo("GRAPH", to)).toBe(1);
});

test("an email whose lost answer came before Graph took it stays unknown, because a draft proves nothing there", async () => {
  const to = "draft@people.test";
  here.graph.fault({ on: "send", answer: "lost", after: false });
  const path = await here.launched("GRAPH", [to], STEPS);
  await becomesUnknown(to);
  const asked = () => here.graph.asked.filter(({ route, method }) => route === "get" && method === "GET").length;
  const before = asked();
  await until(() => asked() > before, { ...SETTLED, what: "Graph to be asked about the draft" });
  expect(await here.sendTo(to)).toMatchObject({ state: "UNKNOWN" });
  expect(leftTo("GRAPH", to)).toBe(0);
  expect(await here.statusOf(path, to)).toBe("IN_PROGRESS");
}, 240_000);

test("an email whose draft was withdrawn is sent once although its mailbox has sent 210 emails since", async () => {
  const to = "long-ago@people.test";
  here.gmail.fault("drafts.send", loseAnswer("without effect"));
  await here.launched("GMAIL_API", [to], STEPS);
  await stateBecomes(to, "UNKNOWN");
  const send = await here.sendTo(to);
  const draftId = send?.draft?.draftId ?? "";
  if (send === null || draftId === "") throw new Error("There is no draft");
  await noteWithdrawn(send, draftId, true);
  const mailbox = here.gmail.mailbox(ADDRESSES.GMAIL_API);
  mailbox.discardDraft(draftId);
  for (let count = 0; count < 210; count++) {
    const raw = `From: ${ADDRESSES.GMAIL_API}\r\nTo: other@people.test\r\nX-Mail-Ref: other-${count}\r\n\r\nHello\r\n`;
    mailbox.add(Buffer.from(raw), { labelIds: ["SENT"] });
  }
  await becomesUnknown(to);
  await stateBecomes(to, "SENT", SETTLED);
  expect(leftTo("GMAIL_API", to)).toBe(1);
}, 240_000);

test("an email that Gmail refuses for a rate limit waits unsent, and its draft is deleted", async () => {
  const to = "rated@people.test";
  here.gmail.fault(
    "drafts.send",
    answerWith(() => userRateLimitExceeded()),
  );
  await here.launched("GMAIL_API", [to], STEPS);
  await until(async () => typeof (await here.sendTo(to))?.failure?.reason === "string", {
    ...MAIL_DEADLINE,
    what: "the refusal",
  });
  await until(() => here.drafts("GMAIL_API") === 0, { ...MAIL_DEADLINE, what: "the draft to be deleted" });
  expect(await here.sendTo(to)).toMatchObject({ state: "RESERVED" });
  expect(leftTo("GMAIL_API", to)).toBe(0);
});
