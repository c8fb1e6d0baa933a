import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { mailboxSyncWorkflowId } from "../../temporal/run.ts";
import { until } from "../fakes/wait.ts";
import { listened } from "../inbox/mailbox-in.ts";
import { agentOf } from "../support/mcp.ts";
import { ANN, among, BOB, INBOX, JUNK, NEVER, PATH, placing, useSetup } from "./placement-setup.ts";
import { endedTest, placesOf, QUIET, SEEDS, SENDERS } from "./placement-world.ts";

useSetup();

test("each sender emails each test mailbox once, and the placement test shows which emails are in the inbox, in Junk or missing", async () => {
  const { rest, ids, workspaceId, key } = await placing.workspace();
  const asked = { name: "Where are we", mailboxIds: among(ids, SENDERS), testMailboxIds: among(ids, SEEDS) };
  const made = await rest.post(PATH, asked);
  expect([made.status, made.body.status, made.body.mails, made.body.results.length]).toEqual([201, "QUEUED", 6, 6]);
  const path = `${PATH}/${made.body.id}`;
  const partly = await until(
    async () => ((await rest.get(path)).body.inboxRate === null ? null : (await rest.get(path)).body),
    {
      deadlineMs: 30_000,
      what: "the first places",
    },
  );
  expect(partly).toMatchObject({ status: "RUNNING", finishedAt: null, startedAt: expect.any(String) });
  const ended = await endedTest(rest, made.body.id);
  expect(placesOf(ended, ids)).toEqual(
    SENDERS.flatMap((from) => [
      `${from} > ${INBOX}: INBOX`,
      `${from} > ${JUNK}: SPAM`,
      `${from} > ${NEVER}: MISSING`,
    ]).sort(),
  );
  expect(ended).toMatchObject({
    status: "COMPLETED",
    inboxRate: 0.3333,
    spamRate: 0.3333,
    missingRate: 0.3333,
    isScheduled: false,
  });
  expect(
    ended.results.every(({ provider, sentAt }: Record<string, unknown>) => provider === "OTHER" && sentAt !== null),
  ).toBe(true);

  // What leaves is like an email of a campaign: our mark and the way out, and nothing that tells a filter of a test
  const mails = placing.sandbox.ledger.filter(({ from, to }) => from === ANN && to.some((one) => SEEDS.includes(one)));
  expect(mails).toHaveLength(3);
  const [mail] = mails;
  const head = mail?.raw.toString("latin1").split("\r\n\r\n")[0] ?? "";
  expect(head).toMatch(/^X-Mail-Ref: /m);
  expect(head).toMatch(/^List-Unsubscribe: </m);
  expect(head).not.toMatch(/\[TEST\]|X-Mail-Test/i);

  // It counts in the mailbox's day like a person's mail
  const days = await scoped(workspaceId).MailboxDay.find({ mailboxId: ids[ANN] });
  expect(days.map(({ sent, sentBy }) => ({ sent, sentBy }))).toEqual([{ sent: 3, sentBy: { none: 3 } }]);

  const listed = (await rest.get(`${PATH}?status=COMPLETED`)).body;
  expect(listed).toMatchObject({ total: 1, items: [{ id: made.body.id, spamRate: 0.3333 }] });
  expect(listed.items[0].results).toBeUndefined();
  expect((await rest.get(`${PATH}?status=FAILED`)).body.total).toBe(0);
  const agent = await agentOf(placing.world, key);
  expect((await agent.call("deliverability_placement_tests", {})).body).toMatchObject({ total: 1 });
  expect((await agent.call("deliverability_placement_tests", { testId: made.body.id })).body.results).toHaveLength(6);
  await agent.close();
}, 120_000);

test("a test email that a mailbox rule files into another folder counts as OTHER", async () => {
  const { rest, ids } = await placing.workspace();
  placing.folders.set(INBOX, "Archive");
  try {
    const { body } = await rest.post(PATH, { mailboxIds: [ids[ANN]], testMailboxIds: [ids[INBOX]] });
    expect(placesOf(await endedTest(rest, body.id), ids)).toEqual([`${ANN} > ${INBOX}: OTHER`]);
  } finally {
    placing.folders.delete(INBOX);
  }
}, 60_000);

test("emails of a placement test, the sender's copy and an automatic reply appear in no inbox, statistics or events", async () => {
  const { rest, ids, workspaceId } = await placing.workspace();
  const [from = "", to = ""] = QUIET;
  await Promise.all([listened(workspaceId, ids[from] ?? ""), listened(workspaceId, ids[to] ?? "")]);
  const { body } = await rest.post(PATH, { mailboxIds: [ids[from]], testMailboxIds: [ids[to]] });
  expect(placesOf(await endedTest(rest, body.id), ids)).toEqual([`${from} > ${to}: INBOX`]);
  const copy = placing.sandbox.ledger.find((mail) => mail.from === from);
  // The provider files a copy, and a vacation answers
  const sent = placing.sandbox.imapOf(from);
  sent.deliver(copy?.raw ?? "", "Sent");
  sent.deliver(`${vacationOf(copy?.messageId ?? "", to, from)}\r\n\r\nI am away.\r\n`);
  // The folder of sent mail is looked into from time to time, and now
  await placing.world.services.engine.signal(mailboxSyncWorkflowId(ids[from] ?? ""), "syncNow");
  const { Message, ActivityEvent, Thread } = scoped(workspaceId);
  await until(async () => (await Message.count({})) === 3, { deadlineMs: 60_000, what: "the three to be read" });
  const read = await Message.find({});
  expect(read.map(({ kind, sendId, threadId }) => [kind, sendId === null, threadId])).toEqual(
    Array(3).fill(["OWN", false, null]),
  );
  expect([
    await ActivityEvent.count({}),
    await Thread.count({}),
    (await rest.get("/inbox/threads")).body.total,
  ]).toEqual([0, 0, 0]);
  expect((await rest.get("/deliverability/overview")).body).toMatchObject({ sent: 0, delivered: 0 });
}, 120_000);

const vacationOf = (id: string, from: string, to: string) =>
  [
    `From: ${from}`,
    `To: ${to}`,
    "Subject: Automatic reply",
    `In-Reply-To: ${id}`,
    "Auto-Submitted: auto-replied",
    `Message-ID: <${newId("tst")}@quiet.test>`,
  ].join("\r\n");

test("a placement test sends the campaign's text from each sender as previewed, with a separate unsubscribe link in each email", async () => {
  const { rest, ids } = await placing.workspace();
  const campaign = (await rest.post("/campaigns", { name: "Fair" })).body;
  await rest.patch(`/campaigns/${campaign.id}/settings`, { mailboxIds: [ids[BOB]], unsubscribeLink: true });
  const steps = [{ subject: "Hello {{ firstName }}", bodyHtml: "<p>From {{ senderEmail }}: shall we talk?</p>" }];
  await rest.put(`/campaigns/${campaign.id}/sequence`, { action: "replaceSteps", steps });
  const shown = (await rest.post(`/campaigns/${campaign.id}/sequence/preview`)).body;
  const before = placing.sandbox.ledger.length;
  const { body } = await rest.post(PATH, {
    mailboxIds: among(ids, SENDERS),
    testMailboxIds: [ids[INBOX]],
    campaignId: campaign.id,
  });
  expect(body).toMatchObject({ name: "Fair", campaignId: campaign.id });
  expect(placesOf(await endedTest(rest, body.id), ids)).toEqual([
    `${ANN} > ${INBOX}: INBOX`,
    `${BOB} > ${INBOX}: INBOX`,
  ]);
  const mails = placing.sandbox.ledger
    .slice(before)
    .map(({ from, raw }) => ({ from, text: raw.toString("utf8").replaceAll("=\r\n", "") }));
  for (const { from, text } of mails) {
    expect(text).toContain(`Subject: ${shown.subject}`);
    expect(text).toContain(`From ${from}: shall we talk?`);
    expect(text).not.toContain("/u/preview");
  }
  const tokens = mails.map(({ text }) => /\/u\/(v1\.[\w.-]+)/.exec(text)?.[1]);
  expect(new Set(tokens).size).toBe(2);
  expect((await rest.get(`/campaigns/${campaign.id}`)).body.metrics).toMatchObject({ sent: 0, contacted: 0 });
}, 90_000);

test("a placement test accepts only connected mailboxes of the workspace, lets no mailbox email itself, and has at most 200 emails", async () => {
  const { rest, ids, workspaceId } = await placing.workspace();
  const other = await placing.workspace();
  const asked = (fields: object) =>
    rest.post(PATH, { mailboxIds: [ids[ANN]], testMailboxIds: [ids[INBOX]], ...fields });
  const theirs = { status: 404, body: { code: "MAILBOX_NOT_FOUND" } };
  expect(await asked({ mailboxIds: [ids[ANN], other.ids[ANN]] })).toMatchObject(theirs);
  expect(await asked({ testMailboxIds: [other.ids[INBOX]] })).toMatchObject(theirs);
  expect((await asked({ testMailboxIds: [ids[ANN]] })).body.details.issues).toMatchObject([
    { path: "testMailboxIds", code: "NOBODY_TO_WRITE_TO" },
  ]);
  expect((await rest.post(PATH, { mailboxIds: [ids[ANN]] })).body.details.issues).toMatchObject([
    { path: "testMailboxIds", code: "REQUIRED" },
  ]);
  const { body } = await asked({ mailboxIds: [ids[ANN]] });
  expect((await other.rest.get(`${PATH}/${body.id}`)).body.code).toBe("TEST_NOT_FOUND");
  expect((await other.rest.post(`${PATH}/${body.id}/cancel`)).body.code).toBe("TEST_NOT_FOUND");
  expect((await other.rest.get(PATH)).body.total).toBe(0);
  const { Mailbox } = scoped(workspaceId);
  const [seed] = await Mailbox.find({ _id: ids[INBOX] });
  const many = await Mailbox.insertMany(
    Array.from({ length: 41 }, (_, number) => ({
      ...seed,
      _id: newId("mbx"),
      email: `s${number}@many.test`,
      username: `s${number}`,
    })),
  );
  const senders = many.map(({ _id }) => _id);
  const tooMany = await asked({ mailboxIds: senders, testMailboxIds: among(ids, [ANN, BOB, ...SEEDS]) });
  expect(tooMany).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED", details: { limit: 200, asked: 205 } } });
  await Mailbox.updateOne({ _id: ids[ANN] }, { $set: { status: "DISCONNECTED", sealedPassword: null } });
  expect((await asked({})).body.code).toBe("NO_SENDING_MAILBOX");
  expect((await asked({ mailboxIds: [ids[BOB]], testMailboxIds: [ids[ANN]] })).body.details.issues).toMatchObject([
    { code: "NOT_CONNECTED" },
  ]);
}, 60_000);
