import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";
import { answerOf, type Inbox, startInbox } from "./inbox-parts.ts";

let world: World;
let inbox: Inbox;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  inbox = await startInbox(world);
});
afterAll(() => world.close());

const WORDS = "Where did you get my address from? Ada";

async function asked(words = WORDS) {
  await inbox.rest.post("/leads/import", {
    action: "commit",
    rows: [{ email: "ada@b.test", firstName: "Ada" }],
    fileName: "contacts.csv",
  });
  const [lead] = (await inbox.rest.get("/leads?search=ada@b.test")).body.items;
  const person = await inbox.contacted("ada@b.test");
  const message = await inbox.arrive(answerOf(person, words));
  const path = `/inbox/threads/${message.threadId}/data-request`;
  return { lead, person, message, path, read: async () => (await inbox.rest.get(path)).body.request };
}

/** An outgoing email of the thread, as sending it leaves it. */
async function sent(kind: "MANUAL" | "CAMPAIGN", threadId: string | null) {
  const row = { mailboxId: inbox.mailbox._id, threadId, direction: "OUTBOUND" as const, kind, receivedAt: new Date() };
  await scoped(inbox.workspaceId).Message.insert({ _id: newId("msg"), contentKey: newId("msg"), ...row });
}

test("a request about data is read with its sentences and a draft about the source of the lead, and nothing is sent or saved", async () => {
  const { lead, message, read, path } = await asked();
  expect(await read()).toMatchObject({
    messageId: message._id,
    sentences: ["Where did you get my address from?"],
    answeredAt: null,
    leadId: lead.id,
    sourceAnswer: expect.stringMatching(
      /^Hello Ada,\n\nWe have your address ada@b\.test from an import of contacts\.csv on \d{1,2} \w+ \d{4}\.\n\nKind regards\nAnn$/,
    ),
  });
  expect((await inbox.rest.get(path.replace("data-request", "draft"))).body).toEqual({ draft: null });
  expect(await scoped(inbox.workspaceId).OutgoingMail.count()).toBe(0);
});

test("the draft for a lead of an earlier version says that the source is not recorded", async () => {
  const { lead, read } = await asked();
  await scoped(inbox.workspaceId).Lead.updateOne({ _id: lead.id }, { $unset: { createdFrom: 1 } });
  expect((await read()).sourceAnswer).toContain("Our records do not say where it came from.");
});

test("the draft names the writer, not the lead of the thread", async () => {
  const { lead, message, read } = await asked();
  const { Lead, Message } = scoped(inbox.workspaceId);
  await Message.updateOne({ _id: message._id }, { $set: { from: "bob@b.test" } });
  expect(await read()).toMatchObject({ leadId: null, sourceAnswer: null });
  await Lead.updateOne({ _id: lead.id }, { $set: { secondaryEmails: ["bob@b.test"] } });
  expect((await read()).leadId).toBe(lead.id);
  const { body: bob } = await inbox.rest.post("/leads", { email: "bob@b.test", firstName: "Bob" });
  expect(await read()).toMatchObject({ leadId: bob.id, sourceAnswer: expect.stringMatching(/^Hello Bob,/) });
});

test("a reply answers the request, and an email of a campaign does not", async () => {
  const { message, read } = await asked();
  await sent("CAMPAIGN", message.threadId);
  expect((await read()).answeredAt).toBeNull();
  await sent("MANUAL", message.threadId);
  expect((await read()).answeredAt).toEqual(expect.any(String));
});

test("a thread without a request has none, and a person's category decides", async () => {
  const { message, read } = await asked("Please tell me the price.");
  expect(await read()).toBeNull();
  const categorise = (category: string) => inbox.rest.post(`/inbox/messages/${message._id}/category`, { category });
  await categorise("DATA_REQUEST");
  expect(await read()).toMatchObject({ messageId: message._id, sentences: [] });
  await categorise("INTERESTED");
  expect(await read()).toBeNull();
});

test("a request is read with inbox:read and leads:read only, and not from another workspace", async () => {
  const { path } = await asked();
  const other = await world.workspace();
  expect(await other.rest.get(path)).toMatchObject({ status: 404, body: { code: "THREAD_NOT_FOUND" } });
  const limited = await world.workspace("inbox:read");
  expect(await limited.rest.get(path)).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "leads:read" } },
  });
});
