import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { threadWords } from "../../domain/inbox/thread-words.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { VerifiedAddress } from "../../models/verification/verified-address.ts";
import { VerifiedDomain } from "../../models/verification/verified-domain.ts";
import { newId } from "../../mongo/ids.ts";
import { personErasure } from "../../store/privacy/erase-person.ts";
import { findPerson } from "../../store/privacy/person.ts";
import { erasedAddressOf } from "../../store/suppression/guard-id.ts";
import { loadGuardReasons } from "../../store/suppression/suppress.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { ADA, BOB, nameOf, storedPlace, storeLeadOf, storeMessage, storeTracesOf } from "./stored-person.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());
/** What all workspaces share would be found by the next test too. */
beforeEach(async () => {
  for (const { collection } of [Prospect, VerifiedAddress, VerifiedDomain]) await collection.deleteMany({});
});

async function erase(rest: Rest, email: string) {
  const begun = await rest.post("/privacy/erase", { email });
  expect(begun).toMatchObject({ status: 202, body: { type: "PERSON_ERASURE", items: [], fileName: null } });
  const wait = { deadlineMs: 30_000, what: "the erasure to end" };
  const job = await until(async () => {
    const { body } = await rest.get(`/jobs/${begun.body.id}`);
    return body.finishedAt === null ? null : body;
  }, wait);
  expect([job.status, job.error]).toEqual(["COMPLETED", null]);
  return { begun: begun.body, erased: job.result.erased, kept: job.result.kept };
}

interface Section {
  kind: string;
  source: string;
  records: Record<string, unknown>[];
}

async function sectionsOf(rest: Rest, email: string): Promise<Map<string, Section>> {
  const { status, body } = await rest.post("/privacy/export", { email });
  expect(status).toBe(200);
  return new Map(body.document.data.map((section: Section) => [section.kind, section]));
}

test("an export has every kind of data about a person with its source, and nothing of other people", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const ada = await storeLeadOf(place, ADA);
  await storeTracesOf(place, ADA, ada);
  await storeLeadOf(place, BOB);
  const { status, body } = await rest.post("/privacy/export", {
    email: ` ${nameOf(ADA)} <${ADA.email.toUpperCase()}> `,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ addresses: [ADA.email, ADA.alias], sharedAddresses: [], url: null, expiresAt: null });
  const sections = new Map<string, Section>(body.document.data.map((one: Section) => [one.kind, one]));
  expect(sections.get("leads")?.records).toMatchObject([
    { email: ADA.email, source: "import", phone: "+49 30 1234567" },
  ]);
  expect(sections.get("notes")?.records).toMatchObject([{ body: `${nameOf(ADA)} likes phone calls` }]);
  expect(sections.get("messages")?.records.map(({ bodyText }) => bodyText)).toContain(`I am ${nameOf(ADA)}`);
  expect(sections.size).toBeGreaterThan(25);
  expect([...sections.values()].filter(({ source }) => source.length < 10)).toEqual([]);
  const text = JSON.stringify(body);
  for (const other of [BOB.email, BOB.alias, BOB.lastName, "carol@else.test"])
    expect([other, text.includes(other)]).toEqual([other, false]);
  // Contact data of the data set is shown by reveals only
  expect(sections.get("prospects of the data set")?.records[0]).not.toHaveProperty("phone");
  const deeds = await scoped(workspaceId).AuditEntry.find({ action: "privacy.export" });
  expect(deeds.map(({ outcome, fields }) => [outcome, fields])).toEqual([["DONE", ["email"]]]);
}, 60_000);

test("an export above 5 MB is downloaded from a URL that does not show the address", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const { threadId } = await storeLeadOf(place, ADA);
  const text = "x".repeat(1_500_000);
  for (let n = 0; n < 4; n++) await storeMessage(place, { threadId, from: ADA.email, to: [place.mailboxEmail], text });
  const { body } = await rest.post("/privacy/export", { email: ADA.email });
  expect(body).toMatchObject({ document: null, expiresAt: expect.any(String) });
  const payload = Buffer.from(body.url.split(".")[2], "base64url").toString();
  expect(payload).not.toContain(ADA.email);
  const answer = await fetch(world.baseUrl + new URL(body.url).pathname);
  const document = JSON.parse(await answer.text());
  expect(document.addresses).toEqual([ADA.email, ADA.alias]);
  expect(document.data.find(({ kind }: Section) => kind === "messages").records).toHaveLength(5);
}, 60_000);

test("a person without a lead is found as an addressee, a participant, a prospect and a CRM contact", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const threadId = newId("thr");
  const participants = [{ name: nameOf(ADA), address: ADA.email }];
  await scoped(workspaceId).Thread.store({
    _id: threadId,
    mailboxId: place.mailboxId,
    subject: "Hello",
    participants,
    lastMessageAt: new Date(),
    searchWords: [ADA.email],
  });
  await storeMessage(place, { threadId, from: ADA.email, to: [place.mailboxEmail], text: "I am new" });
  await scoped(workspaceId).CrmMember.store({
    _id: newId("crm"),
    importId: "imp",
    connectionId: "con",
    recordId: "rec",
    email: ADA.email,
    hash: "h",
  });
  await scoped(workspaceId).Send.store({
    _id: newId("snd"),
    kind: "TEST",
    mailboxId: place.mailboxId,
    to: ADA.email,
    subject: "Test",
  });
  const sections = await sectionsOf(rest, ADA.email);
  expect([...sections.keys()].sort()).toEqual(["CRM contacts", "emails", "messages", "threads"]);
  const { erased } = await erase(rest, ADA.email);
  expect(erased).toEqual(
    expect.arrayContaining([
      { what: "CRM contacts", count: 1 },
      { what: "emails", count: 1 },
      { what: "messages", count: 1 },
      { what: "threads", count: 1 },
    ]),
  );
  expect((await sectionsOf(rest, ADA.email)).size).toBe(0);
}, 60_000);

test("an erasure suppresses every address first, and a later import creates a lead that gets no email", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const ada = await storeLeadOf(place, ADA);
  await storeTracesOf(place, ADA, ada);
  const { begun, erased, kept } = await erase(rest, ADA.email);
  expect(begun).toMatchObject({ addresses: [ADA.email, ADA.alias], sharedAddresses: [] });
  expect(erased).toEqual(expect.arrayContaining([{ what: "leads", count: 1 }]));
  expect(kept.find(({ what }: { what: string }) => what === "audit log").why).toContain("ids instead of addresses");
  expect(await loadGuardReasons(workspaceId, [ADA.email, ADA.alias])).toEqual(
    new Map([
      [ADA.email, ["MANUAL"]],
      [ADA.alias, ["MANUAL"]],
    ]),
  );
  const recipient = await scoped(workspaceId).Recipient.get(ada.recipientId);
  expect(recipient).toMatchObject({ status: "SKIPPED", stopReason: "REMOVED", nextSendAt: null });
  const rows = [{ email: ADA.email, firstName: "Ada" }, { email: ADA.alias }];
  await rest.post("/leads/import", { action: "commit", rows });
  const { body } = await rest.get("/leads");
  expect(body.items.map(({ suppressed }: { suppressed: boolean }) => suppressed)).toEqual([true, true]);
  const deeds = await scoped(workspaceId).AuditEntry.find({ action: "privacy.erase" });
  expect(deeds.map(({ outcome }) => outcome)).toEqual(["DONE"]);
}, 60_000);

test("a second erasure of a person finds nothing and succeeds", async () => {
  const { rest, workspaceId } = await world.workspace();
  await storeLeadOf(await storedPlace(workspaceId), ADA);
  await erase(rest, ADA.email);
  expect((await erase(rest, ADA.email)).erased).toEqual([]);
  expect((await erase(rest, "never.seen@people.test")).erased).toEqual([]);
}, 60_000);

test("an erasure that is interrupted at any transaction erases the rest, and counts each record once", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const { threadId } = await storeLeadOf(place, ADA);
  for (let n = 0; n < 120; n++)
    await storeMessage(place, { threadId, from: ADA.email, to: [place.mailboxEmail], text: `${n}` });
  const { Job, Lead, Message } = scoped(workspaceId);
  const rows = [await findPerson(workspaceId, ADA.email)];
  const job = await Job.store({
    _id: newId("job"),
    type: "PERSON_ERASURE",
    status: "RUNNING",
    chunkCount: 1,
    state: {},
  });
  const work = await personErasure.open(job, noChunks());
  let isRecorded = false;
  for (let steps = 1; !isRecorded; steps++) {
    const chunk = { rows, firstRow: 1, state: {}, signal: endingAfter(steps) };
    const record = async () => {
      isRecorded = true;
    };
    await work(chunk, record).catch((error: Error) => expect(error.message).toBe("killed"));
    if (!isRecorded && (await Message.count({ from: ADA.email })) > 0)
      expect(await Lead.count({ email: ADA.email })).toBe(1);
  }
  expect((await Job.get(job._id))?.state).toMatchObject({ Message: 121, Thread: 1, Lead: 1, Recipient: 1, Send: 1 });
  expect(await Message.count({ from: ADA.email })).toBe(0);
  expect((await erase(rest, ADA.email)).erased).toEqual([]);
}, 60_000);

test("another workspace keeps what it knows about the person", async () => {
  const [own, other] = [await world.workspace(), await world.workspace()];
  await storeLeadOf(await storedPlace(own.workspaceId), ADA);
  const elsewhere = await storeLeadOf(await storedPlace(other.workspaceId), ADA);
  await erase(own.rest, ADA.email);
  expect((await other.rest.get(`/leads/${elsewhere.leadId}`)).body).toMatchObject({
    email: ADA.email,
    suppressed: false,
  });
  expect((await sectionsOf(other.rest, ADA.email)).get("messages")?.records).toHaveLength(1);
}, 60_000);

test("in a thread with others the person's emails are emptied, and the others' emails lose only the address and name", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  await storeLeadOf(place, ADA);
  const threadId = newId("thr");
  const people = [ADA, BOB].map((person) => ({ name: nameOf(person), address: person.email }));
  await scoped(workspaceId).Thread.store({
    _id: threadId,
    mailboxId: place.mailboxId,
    subject: `${nameOf(ADA)} and ${nameOf(BOB)}`,
    participants: people,
    lastMessageAt: new Date(),
    searchWords: people.map(({ address }) => address),
  });
  const to = [place.mailboxEmail];
  const byAda = await storeMessage(place, { threadId, from: ADA.email, to, cc: [BOB.email], text: "Not for me" });
  const byBob = await storeMessage(place, {
    threadId,
    from: BOB.email,
    to,
    cc: [ADA.email],
    text: `As ${nameOf(ADA)} says`,
  });
  const exported = (await sectionsOf(rest, ADA.email)).get("messages")?.records ?? [];
  expect(exported.map(({ id }) => id)).toContain(byAda);
  expect(exported.map(({ id }) => id)).not.toContain(byBob);
  expect(JSON.stringify(exported)).not.toContain(BOB.email);
  await erase(rest, ADA.email);
  const { Message, Thread } = scoped(workspaceId);
  expect(await Message.get(byAda)).toMatchObject({ from: null, subject: null, bodyText: null, bodyHtml: null });
  expect(await Message.get(byBob)).toMatchObject({ from: BOB.email, cc: [], bodyText: "As [erased] says" });
  expect(await Thread.get(threadId)).toMatchObject({
    subject: `[erased] and ${nameOf(BOB)}`,
    participants: [people[1]],
  });
  expect((await Thread.get(threadId))?.searchWords).not.toContain(ADA.email);
}, 60_000);

test("an address from which several leads have replied leads to none of them", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { Lead } = scoped(workspaceId);
  for (const email of ["boss.one@firm.test", "boss.two@firm.test"])
    await Lead.store({ _id: newId("led"), email, emailDomain: "firm.test", secondaryEmails: ["office@firm.test"] });
  const one = await rest.post("/privacy/export", { email: "boss.one@firm.test" });
  expect(one.body).toMatchObject({ addresses: ["boss.one@firm.test"], sharedAddresses: ["office@firm.test"] });
  const { begun, erased } = await erase(rest, "office@firm.test");
  expect(begun).toMatchObject({ addresses: ["office@firm.test"], sharedAddresses: ["office@firm.test"] });
  expect(erased).toEqual([{ what: "leads", count: 2 }]);
  expect(
    (await Lead.find({}, { sort: { email: 1 } })).map(({ email, secondaryEmails }) => [email, secondaryEmails]),
  ).toEqual([
    ["boss.one@firm.test", []],
    ["boss.two@firm.test", []],
  ]);
}, 60_000);

test("an address that a lead had before is suppressed and erased too, unless another lead has it now", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const [ada, bob] = [await storeLeadOf(place, ADA), await storeLeadOf(place, BOB)];
  const { Lead, Recipient, Send } = scoped(workspaceId);
  await Recipient.updateOne({ _id: ada.recipientId }, { $set: { status: "COMPLETED" } });
  await Lead.updateOne({ _id: ada.leadId }, { $set: { email: "ada.new@people.test" } });
  await Lead.updateOne({ _id: bob.leadId }, { $set: { email: "bob.new@people.test" } });
  await Lead.store({ _id: newId("led"), email: BOB.email, emailDomain: "people.test" });
  const { begun } = await erase(rest, "ada.new@people.test");
  expect(begun).toMatchObject({ addresses: ["ada.new@people.test", ADA.alias, ADA.email], sharedAddresses: [] });
  expect((await loadGuardReasons(workspaceId, [ADA.email])).get(ADA.email)).toEqual(["MANUAL"]);
  expect(await Send.count({ to: ADA.email })).toBe(0);
  const other = await rest.post("/privacy/export", { email: "bob.new@people.test" });
  expect(other.body).toMatchObject({ addresses: ["bob.new@people.test", BOB.alias], sharedAddresses: [BOB.email] });
}, 60_000);

test("a request by an address that a lead had before leads to the lead, also after a retention replaced the address", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const { Lead, Recipient } = scoped(workspaceId);
  const [ada, bob] = [await storeLeadOf(place, ADA), await storeLeadOf(place, BOB)];
  for (const [{ leadId, recipientId }, email] of [
    [ada, "ada.new@people.test"],
    [bob, "bob.new@people.test"],
  ] as const) {
    await Recipient.updateOne({ _id: recipientId }, { $set: { status: "COMPLETED" } });
    await Lead.updateOne({ _id: leadId }, { $set: { email } });
  }
  await Recipient.updateOne({ _id: bob.recipientId }, { $set: { email: erasedAddressOf(workspaceId, BOB.email) } });
  const other = await rest.post("/privacy/export", { email: BOB.email });
  expect(other.body).toMatchObject({
    addresses: [BOB.email, "bob.new@people.test", BOB.alias],
    document: { names: expect.arrayContaining([nameOf(BOB)]) },
  });
  const { begun, erased } = await erase(rest, ADA.email);
  expect(begun).toMatchObject({ addresses: [ADA.email, "ada.new@people.test", ADA.alias], sharedAddresses: [] });
  expect(erased).toEqual(expect.arrayContaining([{ what: "leads", count: 1 }]));
  expect((await loadGuardReasons(workspaceId, ["ada.new@people.test"])).size).toBe(1);
  expect(await Lead.get(bob.leadId)).not.toBeNull();
}, 60_000);

test("an address at which campaigns contacted several leads before leads to none of them", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const { Lead, Recipient } = scoped(workspaceId);
  for (const person of [ADA, BOB]) {
    const { leadId, recipientId } = await storeLeadOf(place, person);
    await Recipient.updateOne({ _id: recipientId }, { $set: { status: "COMPLETED" } });
    await Lead.updateOne({ _id: leadId }, { $set: { email: `new.${person.email}` } });
    const campaignId = newId("cmp");
    await Recipient.updateOne({ _id: recipientId }, { $set: { email: "office@firm.test", campaignId } });
  }
  const { body } = await rest.post("/privacy/export", { email: "office@firm.test" });
  expect(body).toMatchObject({ addresses: ["office@firm.test"], sharedAddresses: ["office@firm.test"] });
}, 60_000);

test("a test email that a member got with the person's data is exported, emptied and deleted with its approvals", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  const { leadId } = await storeLeadOf(place, ADA);
  const { Approval, OutgoingMail, Send } = scoped(workspaceId);
  const [sendId, decided, earlier] = [newId("snd"), newId("apr"), newId("apr")];
  const [to, text] = ["me@member.test", `Hi ${ADA.firstName}`];
  const test = { kind: "TEST" as const, mailboxId: place.mailboxId, to, subject: text };
  await Send.store({ _id: sendId, ...test, leadId, approvalId: decided, state: "SENT", content: { text, html: null } });
  await OutgoingMail.store({ _id: sendId, ...test, text });
  const asked = { kind: "TEST_SEND" as const, addresses: [to] };
  await Approval.store({ _id: decided, ...asked, status: "APPROVED", proposedText: text });
  await Approval.store({
    _id: earlier,
    ...asked,
    campaignId: place.campaignId,
    status: "REJECTED",
    proposedText: `Hello ${nameOf(ADA)}`,
  });
  const exported = await sectionsOf(rest, ADA.email);
  expect(exported.get("emails")?.records).toContainEqual(expect.objectContaining({ kind: "TEST", subject: text }));
  expect(JSON.stringify([...exported])).not.toContain(to);
  await erase(rest, ADA.email);
  expect(await Send.get(sendId)).toMatchObject({ to, subject: null, content: null, state: "SENT" });
  expect(await OutgoingMail.get(sendId)).toBeNull();
  for (const _id of [decided, earlier])
    expect(await Approval.get(_id)).toMatchObject({ proposedText: null, request: null, addresses: [] });
}, 60_000);

test("an email of others that names the person loses the address, also in a thread without participants", async () => {
  const { rest, workspaceId } = await world.workspace();
  const place = await storedPlace(workspaceId);
  await storeLeadOf(place, ADA);
  const text = `Better ask ${nameOf(ADA)} <${ADA.email}> about it`;
  const { Message, Thread } = scoped(workspaceId);
  const stored = [[{ name: nameOf(BOB), address: BOB.email }], []].map(async (participants) => {
    const threadId = newId("thr");
    await Thread.store({
      _id: threadId,
      mailboxId: place.mailboxId,
      subject: "Question",
      participants,
      snippet: text,
      lastMessageAt: new Date(),
      searchWords: threadWords({ subject: "Question", participants }, text, []),
    });
    return [
      threadId,
      await storeMessage(place, { threadId, from: BOB.email, to: [place.mailboxEmail], text }),
    ] as const;
  });
  const all = await Promise.all(stored);
  expect((await sectionsOf(rest, ADA.email)).get("threads")?.records).toHaveLength(1);
  await erase(rest, ADA.email);
  for (const [threadId, messageId] of all) {
    const redacted = "Better ask [erased] <[erased]> about it";
    expect(await Message.get(messageId)).toMatchObject({ from: BOB.email, bodyText: redacted });
    const thread = await Thread.get(threadId);
    expect(thread).toMatchObject({ subject: "Question", snippet: redacted });
    expect(thread?.searchWords).not.toContain(ADA.email);
  }
  expect((await erase(rest, ADA.email)).erased).toEqual([]);
}, 60_000);

test("an erasure redacts the errors and warnings that a finished import lists, whatever the case of the address", async () => {
  const { rest, workspaceId } = await world.workspace();
  await storeLeadOf(await storedPlace(workspaceId), ADA);
  const written = ADA.email.toUpperCase();
  const errors = [{ row: 1, email: written, code: "INVALID_EMAIL", message: "wrong" }];
  const warnings = [{ row: 2, column: "email", code: "ADDRESS_TYPO", value: "other", suggestion: ADA.email }];
  const listed = [
    { errors, warnings: [] },
    { errors: [], warnings },
  ];
  const { Job } = scoped(workspaceId);
  const job = { type: "LEAD_IMPORT" as const, status: "COMPLETED" as const, chunkCount: 0, finishedAt: new Date() };
  const ids = await Promise.all(
    [...listed.map((state) => ({ state })), ...listed.map((result) => ({ result }))].map(async (texts) => {
      const _id = newId("job");
      await Job.store({ _id, ...job, ...texts });
      return _id;
    }),
  );
  const mixed = newId("job");
  const item = { row: 1, email: written, status: "FAILED", code: "INVALID_EMAIL", message: null, mailboxId: null };
  await Job.store({ _id: mixed, ...job, items: [item] });
  await erase(rest, ADA.email);
  const stored = await Promise.all([...ids, mixed].map((id) => Job.get(id)));
  expect(JSON.stringify(stored).toLowerCase()).not.toContain(ADA.email);
  expect(stored.map((one) => JSON.stringify(one).includes("[erased]"))).toEqual([true, true, true, true, false]);
}, 60_000);

test("a plan of an erasure counts what is lost, says what is kept, and changes nothing", async () => {
  const { workspaceId, withPolicy } = await world.workspace();
  const place = await storedPlace(workspaceId);
  await storeLeadOf(place, ADA);
  const planning = await withPolicy({ DESTROYS: "PLAN" }, ...ALL_SCOPES);
  const asked = { email: ADA.email };
  expect(await planning.post("/privacy/erase", asked)).toMatchObject({ status: 403, body: { code: "PLAN_REQUIRED" } });
  const { body } = await planning.post("/privacy/erase", { ...asked, planOnly: true });
  expect(body.plan.effect.causes).toEqual(["DESTROYS"]);
  expect(body.plan.effect.changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: "suppressions", changed: 2, examples: [ADA.email, ADA.alias] }),
      expect.objectContaining({ what: "leads", deleted: 1 }),
      expect.objectContaining({ what: "messages", changed: 1 }),
    ]),
  );
  expect(body.plan.effect.kept.map(({ what }: { what: string }) => what)).toContain("invoices");
  expect((await loadGuardReasons(workspaceId, [ADA.email])).size).toBe(0);
  expect(await scoped(workspaceId).Job.count({})).toBe(0);
  const done = await planning.post("/privacy/erase", { ...asked, planToken: body.planToken });
  expect(done).toMatchObject({ status: 202, body: { type: "PERSON_ERASURE" } });
  const never = await withPolicy({ DESTROYS: "NONE" }, ...ALL_SCOPES);
  expect((await never.post("/privacy/erase", asked)).body.code).toBe("EFFECT_NOT_ALLOWED");
}, 60_000);

test("an erasure that a person approved empties its own approval too", async () => {
  const { workspaceId, withPolicy, person } = await world.workspace();
  const { leadId } = await storeLeadOf(await storedPlace(workspaceId), ADA);
  const asking = await withPolicy({ DESTROYS: "APPROVAL" }, ...ALL_SCOPES);
  const { body } = await asking.post("/privacy/erase", { email: ADA.email });
  expect(body.approval).toMatchObject({ kind: "CHANGE", status: "PENDING" });
  const { Approval, Lead } = scoped(workspaceId);
  expect(await Lead.get(leadId)).not.toBeNull();
  expect((await Approval.get(body.approval.id))?.addresses).toEqual([ADA.email, ADA.alias]);
  const approved = await (await person()).post(`/approvals/${body.approval.id}`, { action: "approve" });
  expect(approved).toMatchObject({ status: 200, body: { status: "APPROVED" } });
  const isErased = async () =>
    (await Approval.get(body.approval.id))?.request === null && (await Lead.get(leadId)) === null;
  await until(isErased, { deadlineMs: 30_000, what: "the erasure to end" });
  expect(await Approval.get(body.approval.id)).toMatchObject({ status: "APPROVED", addresses: [] });
}, 60_000);

test.each([
  ["no address", {}, "email"],
  ["no address in the text", { email: "Ada" }, "email"],
  ["two addresses", { email: "a@x.test, b@x.test" }, "email"],
  ["an unknown field", { email: "a@x.test", leadId: "led_1" }, "leadId"],
])("a request about a person with %s is refused with the field and has no effect", async (_, body, path) => {
  const { rest, workspaceId } = await world.workspace();
  for (const verb of ["export", "erase"]) {
    const answer = await rest.post(`/privacy/${verb}`, body);
    expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(answer.body.details.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  }
  expect(await scoped(workspaceId).AddressGuard.count({})).toBe(0);
  expect(await scoped(workspaceId).Job.count({})).toBe(0);
});

test.each(["leads:read", "inbox:read", "deals:read"] as const)(
  "without %s a credential exports and erases no one",
  async (scope) => {
    const { withScopes } = await world.workspace();
    const rest = await withScopes(...ALL_SCOPES.filter((one) => one !== scope));
    expect((await rest.post("/privacy/export", { email: ADA.email })).status).toBe(403);
    const eraser = await withScopes(...ALL_SCOPES.filter((one) => one !== scope.replace(":read", ":write")));
    expect((await eraser.post("/privacy/erase", { email: ADA.email })).status).toBe(403);
  },
);

/** Ends the work at the given question whether it should end. */
function endingAfter(steps: number): AbortSignal {
  let asked = 0;
  const throwIfAborted = () => {
    if (++asked > steps) throw new Error("killed");
  };
  return Object.assign(new AbortController().signal, { throwIfAborted });
}

async function* noChunks(): AsyncGenerator<never> {}
