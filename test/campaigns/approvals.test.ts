import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Approval } from "../../models/campaigns/approval.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { replyTo } from "../fakes/mails.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { explained, Watch } from "../recipients/foreseen.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { mail } from "./campaign-parts.ts";

const WEEK_MS = 7 * DAY_MS;
const LATER = { value: 2, unit: "HOURS" };

let sending: SendingWorld;
beforeAll(async () => {
  sending = await startSendingWorld();
}, 90_000);
afterAll(() => sending.close(), 30_000);

const asking = (approvalMode: string, settings: object = {}) => ({
  mode: "DEFAULT",
  settings: { approvalMode, ...settings },
});
const campaignIdOf = (path: string) => path.split("/").at(-1) ?? "";
const subjectsTo = (email: string) => sending.mailsTo(email).map(({ subject }) => subject);

async function recipientOf(path: string, email: string): Promise<Recipient> {
  const found = await scoped(sending.workspaceId).Recipient.findOne({ campaignId: campaignIdOf(path), email });
  if (found === null) throw new Error(`${email} is no recipient`);
  return found;
}

/** The approvals of a recipient, oldest first. */
function approvalsOf({ _id: recipientId }: Recipient): Promise<Approval[]> {
  return scoped(sending.workspaceId).Approval.find({ recipientId }, { sort: { _id: 1 } });
}

/** The approval that a recipient waits for, once there is one; `after` is an approval it waited for before. */
async function asked(path: string, email: string, after?: Approval): Promise<Approval> {
  const found = await until(
    async () => {
      const pending = (await approvalsOf(await recipientOf(path, email))).filter(({ status }) => status === "PENDING");
      const [only] = pending;
      // Read after its approvals: the other way round it may be as it was before a step was removed, beside the
      // approval of the next step. Read as a transaction sees it: outside of one a write shows before it has been
      // acknowledged, and a resume would still find nothing paused
      const recipient = await inTransaction(() => recipientOf(path, email));
      if (recipient.status !== "PAUSED" || only === undefined || only._id === after?._id) return null;
      expect(recipient).toMatchObject({ pauseReason: "APPROVAL_REQUIRED", pausedUntil: null, nextSendAt: null });
      expect(recipient.nextStepId).toBe(only.stepId);
      expect(pending).toHaveLength(1);
      return only;
    },
    { ...MAIL_DEADLINE, what: `${email} to be asked about` },
  ).catch(async (error) => {
    const recipient = await recipientOf(path, email);
    const { body: why } = await sending.rest.get(`${path}/recipients/${recipient._id}/explain`);
    throw new Error(`${error.message}: ${JSON.stringify({ recipient, why })}`);
  });
  return found ?? Promise.reject(new Error("awaited above"));
}

/** @throws an Error that says what the service answered, when nothing was done */
async function act(path: string, action: string, ...recipientIds: (string | null)[]) {
  const answer = await sending.rest.post(`${path}/recipients`, { action, recipientIds });
  if (answer.status >= 300) throw new Error(`${action} was answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

async function stateOf({ _id }: Approval): Promise<string | undefined> {
  return (await scoped(sending.workspaceId).Approval.get(_id))?.status;
}

function mailed(email: string, count: number) {
  return until(() => sending.mailsTo(email).length === count, { ...MAIL_DEADLINE, what: `mail ${count} to ${email}` });
}

test("under ALL, no email of any step is sent before the exact content has been approved", async () => {
  const { rest, workspaceId } = sending;
  const email = "all@people.test";
  const steps = [
    mail("one", "First", { body: "<p>{{senderEmail}} writes to {{email}}</p>" }),
    mail("two", "", { body: "<p>Still there?</p>" }),
  ];
  const path = await sending.campaign([email, "other@people.test"], steps, asking("ALL", { unsubscribeLink: true }));
  const { body: card } = await rest.get(`${path}/validate`);
  expect(card).toMatchObject({
    valid: true,
    summary: { firstSendAt: null, expectedFinishAt: null, dailyCapacity: expect.any(Number) },
  });
  await sending.launch(path);

  const first = await asked(path, email);
  const { _id: recipientId, leadId, campaignId } = await recipientOf(path, email);
  expect(first).toMatchObject({
    kind: "CAMPAIGN_SEND",
    status: "PENDING",
    campaignId,
    recipientId,
    decidedBy: null,
    sentMessageId: null,
  });
  expect(Math.abs(Number(first.expiresAt) - first.createdAt.getTime() - WEEK_MS)).toBeLessThan(60_000);
  const { body: shown } = await rest.post(`${path}/sequence/preview`, { leadId });
  const withoutLink = (text: string | null) => text?.replace(/https?:\S+\/u\/[\w.-]+/, "LINK");
  expect(withoutLink(first.proposedText)).toBe(withoutLink(shown.text));
  await asked(path, "other@people.test");
  expect((await rest.get(`${path}/recipients`)).body.stats.byStatus).toMatchObject({
    PAUSED: 2,
    PENDING: 0,
    IN_PROGRESS: 0,
  });
  expect((await rest.get(path)).body.sendingStatus).toMatchObject({ code: "WAITING_FOR_RECIPIENTS", nextSendAt: null });
  const { StepExecution, ActivityEvent, MailboxDay } = scoped(workspaceId);
  await until(
    async () => (await MailboxDay.find()).every(({ taken }) => taken.every(({ campaignId: of }) => of !== campaignId)),
    {
      ...MAIL_DEADLINE,
      what: "the slots to be free again",
    },
  );
  expect(subjectsTo(email)).toEqual([]);

  expect((await act(path, "resumeRecipients", recipientId)).body).toMatchObject({ changed: 1 });
  await mailed(email, 1);
  const sent = await until(
    async () => ((await stateOf(first)) === "SENT" ? scoped(workspaceId).Send.findOne({ recipientId }, { sort: { _id: 1 } }) : null),
    {
      ...MAIL_DEADLINE,
      what: "the approval to be settled",
    },
  );
  const { body: who } = await rest.get("/whoami");
  const settled = { decidedBy: who.credentialId, decidedAt: expect.any(Date), sentMessageId: sent?.messageId };
  expect(await scoped(workspaceId).Approval.get(first._id)).toMatchObject(settled);
  const { text } = await simpleParser(sending.mailsTo(email)[0]?.raw ?? "");
  expect(text?.trim()).toBe(first.proposedText?.trim());

  const second = await asked(path, email, first);
  expect(second.proposedText).toContain("Still there?");
  expect((await explained(sending, path, recipientId)).sent[0]).toMatchObject({ checks: { approval: "APPROVED" } });
  await act(path, "resumeRecipients", recipientId);
  await mailed(email, 2);
  await until(async () => (await recipientOf(path, email)).status === "COMPLETED", {
    ...MAIL_DEADLINE,
    what: "the end of the sequence",
  });
  expect((await approvalsOf(await recipientOf(path, email))).map(({ status }) => status)).toEqual(["SENT", "SENT"]);
  expect(await ActivityEvent.count({ recipientId, type: "APPROVAL_REQUESTED" })).toBe(2);
  expect(await StepExecution.count({ recipientId })).toBe(0);
  expect(subjectsTo("other@people.test")).toEqual([]);
});

test("under FIRST_SEND only the first email waits, and two simultaneous approvals send it once", async () => {
  const email = "first@people.test";
  const path = await sending.campaign([email], [mail("one", "First"), mail("two", "Second")], asking("FIRST_SEND"));
  await sending.launch(path);
  const approval = await asked(path, email);
  const { _id: recipientId } = await recipientOf(path, email);
  const answers = await Promise.all([1, 2, 3].map(() => act(path, "resumeRecipients", recipientId)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const bodies = answers.map(({ body }) => body);
  expect({ changed: bodies.reduce((sum, { changed }) => sum + changed, 0), bodies }).toMatchObject({ changed: 1 });
  await sending.ended(path);
  expect(subjectsTo(email)).toEqual(["First", "Second"]);
  expect(await stateOf(approval)).toBe("SENT");
  expect(await approvalsOf(await recipientOf(path, email))).toHaveLength(1);
  const sends = (await explained(sending, path, recipientId)).sent;
  expect(sends.map(({ checks }: { checks: { approval: string } }) => checks.approval)).toEqual([
    "APPROVED",
    "NOT_ASKED",
  ]);
});

test("a recipient that is removed, paused or suppressed, or whose campaign ends, has no pending approval", async () => {
  const names = ["removed", "paused", "suppressed", "left"].map((name) => `${name}@people.test`);
  const path = await sending.campaign(names, [mail("one", "First")], asking("ALL"));
  await sending.launch(path);
  const approvals = await Promise.all(names.map((email) => asked(path, email)));
  const [removed, paused, suppressed, left] = await Promise.all(names.map((email) => recipientOf(path, email)));
  expect((await act(path, "bulkRemove", removed?._id ?? null)).body).toMatchObject({ removed: 1 });
  expect((await act(path, "pauseRecipients", paused?._id ?? null)).body).toMatchObject({ changed: 1 });
  await sending.rest.post("/leads/suppress", { action: "suppress", ids: [suppressed?.leadId] });
  const statuses = () => Promise.all(approvals.map(stateOf));
  expect(await statuses()).toEqual(["EXPIRED", "EXPIRED", "EXPIRED", "PENDING"]);
  expect(await recipientOf(path, "paused@people.test")).toMatchObject({ status: "PAUSED", pauseReason: "MANUAL" });

  // An email that was not approved is shown for approval again
  await act(path, "resumeRecipients", paused?._id ?? null);
  const again = await asked(path, "paused@people.test", approvals[1]);
  await sending.rest.patch(`${path}/settings`, { endAt: new Date(Date.now() + 1_000).toISOString() });
  await until(async () => (await recipientOf(path, left?.email ?? "")).status === "COMPLETED", {
    ...MAIL_DEADLINE,
    what: "the campaign's end",
  });
  await until(async () => (await stateOf(again)) === "EXPIRED", { ...MAIL_DEADLINE, what: "the last approval to end" });
  expect(await statuses()).toEqual(["EXPIRED", "EXPIRED", "EXPIRED", "EXPIRED"]);
  expect(names.flatMap(subjectsTo)).toEqual([]);
});

test.each([true, false])("after a reply no approval is pending, with stopOnReply: %s", async (stopOnReply) => {
  const email = `answers-${stopOnReply}@people.test`;
  const path = await sending.campaign(
    [email],
    [mail("one", "First"), mail("two", "Second")],
    asking("ALL", { stopOnReply }),
  );
  await sending.launch(path);
  const first = await asked(path, email);
  expect((await act(path, "resumeRecipients", first.recipientId)).body).toMatchObject({
    changed: 1,
    items: [{ ok: true, error: null }],
  });
  const second = await asked(path, email, first);
  const [sent] = sending.mailsTo(email);
  if (sent?.user === undefined) throw new Error("The first mail has not arrived");
  sending.sandbox.imapOf(sent.user).deliver(replyTo(sent, { text: "Let us talk in May." }));
  await until(async () => (await stateOf(second)) === "EXPIRED", { ...MAIL_DEADLINE, what: "the question to end" });
  const stands = stopOnReply
    ? { status: "REPLIED" }
    : { status: "PAUSED", pauseReason: "APPROVAL_REQUIRED", repliedAt: expect.any(Date) };
  expect(await recipientOf(path, email)).toMatchObject(stands);
  expect(subjectsTo(email)).toEqual(["First"]);
});

test("an email whose content changes before it is sent needs a new approval", async () => {
  const { rest } = sending;
  const names = ["edited@people.test", "renamed@people.test"];
  for (const [index, email] of names.entries()) await rest.post("/leads", { email, firstName: `Kim${index}` });
  const steps = [mail("one", "Hi", { body: "<p>Dear {{firstName}}</p>" }), mail("two", "Second", { delay: LATER })];
  const edited = await sending.campaign(["edited@people.test"], steps, asking("ALL"));
  const renamed = await sending.campaign(["renamed@people.test"], steps, asking("ALL"));
  for (const path of [edited, renamed]) await sending.launch(path);
  const before = [await asked(edited, "edited@people.test"), await asked(renamed, "renamed@people.test")] as const;
  const sequence = (await rest.get(`${edited}/sequence`)).body;
  sequence.steps[0].variants[0].bodyHtml = "<p>Hello {{firstName}}</p>";
  sequence.steps[0].variants[0].bodyText = null;
  expect(await rest.put(`${edited}/sequence`, { action: "replaceSteps", steps: sequence.steps })).toMatchObject({
    status: 200,
  });
  const { leadId, _id: renamedId } = await recipientOf(renamed, "renamed@people.test");
  expect(await rest.post("/leads/manage", { action: "update", leadId, patch: { firstName: "Robin" } })).toMatchObject({
    status: 200,
  });
  await act(edited, "resumeRecipients", (await recipientOf(edited, "edited@people.test"))._id);
  await act(renamed, "resumeRecipients", renamedId);

  const after = [
    await asked(edited, "edited@people.test", before[0]),
    await asked(renamed, "renamed@people.test", before[1]),
  ] as const;
  expect(before.map(({ proposedText }) => proposedText)).toEqual([
    expect.stringContaining("Dear Kim0"),
    expect.stringContaining("Dear Kim1"),
  ]);
  expect(after.map(({ proposedText }) => proposedText)).toEqual([
    expect.stringContaining("Hello Kim0"),
    expect.stringContaining("Dear Robin"),
  ]);
  expect(await Promise.all(before.map(stateOf))).toEqual(["FAILED", "FAILED"]);
  expect(names.flatMap(subjectsTo)).toEqual([]);

  // When the step is removed, the approval asks about the next one
  const second = (await rest.get(`${edited}/sequence`)).body.steps[1];
  await rest.put(`${edited}/sequence`, {
    action: "replaceSteps",
    steps: [{ ...second, delay: { value: 0, unit: "MINUTES" } }],
  });
  const moved = await asked(edited, "edited@people.test", after[0]);
  expect([await stateOf(after[0]), moved.stepId]).toEqual(["EXPIRED", second.stepId]);
  await act(edited, "resumeRecipients", moved.recipientId);
  await act(renamed, "resumeRecipients", renamedId);
  await mailed("edited@people.test", 1);
  await mailed("renamed@people.test", 1);
  expect(subjectsTo("edited@people.test")).toEqual(["Second"]);
  const { text } = await simpleParser(sending.mailsTo("renamed@people.test")[0]?.raw ?? "");
  expect(text).toContain("Dear Robin");
});

test("a change of the approval setting while a campaign runs applies from the next email on", async () => {
  const { rest } = sending;
  const email = "switch@people.test";
  const path = await sending.campaign(
    [email],
    [mail("one", "First"), mail("two", "Second", { delay: LATER })],
    asking("NONE"),
  );
  await sending.launch(path);
  await mailed(email, 1);
  await until(async () => (await recipientOf(path, email)).sentCount === 1, {
    ...MAIL_DEADLINE,
    what: "the first mail to be recorded",
  });
  await rest.patch(`${path}/settings`, { approvalMode: "ALL" });
  const sequence = (await rest.get(`${path}/sequence`)).body;
  sequence.steps[1].delay = { value: 0, unit: "MINUTES" };
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: sequence.steps });
  const { _id: recipientId } = await recipientOf(path, email);
  await until(
    async () => {
      await act(path, "pauseRecipients", recipientId);
      await act(path, "resumeRecipients", recipientId);
      return (await approvalsOf(await recipientOf(path, email))).length > 0;
    },
    { ...MAIL_DEADLINE, what: "the second mail to be asked about" },
  );
  const approval = await asked(path, email);
  await rest.patch(`${path}/settings`, { approvalMode: "NONE" });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["late@people.test"] });
  await mailed("late@people.test", 2);
  // A recipient whose approval was requested before still waits for the decision
  expect([await stateOf(approval), subjectsTo(email)]).toEqual(["PENDING", ["First"]]);
  await act(path, "resumeRecipients", recipientId);
  await sending.ended(path);
  expect(subjectsTo(email)).toEqual(["First", "Second"]);
  expect(await stateOf(approval)).toBe("SENT");
  expect(await scoped(sending.workspaceId).Approval.count({ campaignId: campaignIdOf(path), status: "PENDING" })).toBe(
    0,
  );
});

test("the explanation of a recipient that waits for approval shows the start and the deadline, and after the approval the time of the email", async () => {
  const names = ["told@people.test", "kept@people.test"];
  const path = await sending.campaign(
    names,
    [mail("one", "First")],
    asking("FIRST_SEND", { minGapSeconds: 2, maxGapSeconds: 2 }),
  );
  const watch = new Watch(sending, path);
  await sending.launch(path);
  await watch.untilStill(MAIL_DEADLINE.deadlineMs);
  await watch.judge();
  expect(watch.events()).toContain("PAUSED APPROVAL_REQUIRED");
  expect([...watch.rules()]).toEqual(expect.arrayContaining(["APPROVAL_REQUIRED", "APPROVAL_PENDING"]));
  const approval = await asked(path, "told@people.test");
  const { _id: recipientId } = await recipientOf(path, "told@people.test");
  const ruleOf = async () => (await explained(sending, path, recipientId)).rules.at(-1);
  const times = { since: approval.createdAt.toISOString(), until: approval.expiresAt?.toISOString() };
  expect(await ruleOf()).toMatchObject({
    code: "APPROVAL_PENDING",
    values: { approvalId: approval._id, order: 1, ...times },
  });
  await scoped(sending.workspaceId).Approval.updateOne({ _id: approval._id }, { $set: { status: "EXPIRED" } });
  expect(await ruleOf()).toMatchObject({ code: "APPROVAL_EXPIRED", values: times });
  expect((await explained(sending, path, recipientId)).next).toBeNull();

  // Once approved, the mail is foreseen in its slot
  const { Mailbox } = scoped(sending.workspaceId);
  // Late enough for a busy machine to ask about the mail before it leaves
  await Mailbox.updateMany({}, { $set: { nextAt: new Date(Date.now() + 12_000) } });
  const { _id: keptId } = await recipientOf(path, "kept@people.test");
  await act(path, "resumeRecipients", keptId);
  const slot = await until(
    async () => (await scoped(sending.workspaceId).Send.findOne({ recipientId: keptId, state: "RESERVED" }))?.slotAt,
    {
      ...MAIL_DEADLINE,
      what: "a slot for the approved mail",
    },
  );
  const told = await explained(sending, path, keptId);
  expect(told.next).toMatchObject({ event: "MAIL", at: slot?.toISOString() });
  expect((await sending.rest.get(path)).body.sendingStatus).toMatchObject({ nextSendAt: slot?.toISOString() });
  await mailed("kept@people.test", 1);
});

test("an approved email that the mail server refuses permanently counts as failed", async () => {
  const email = "refuse@people.test";
  const path = await sending.campaign([email], [mail("one", "First")], asking("ALL"));
  await sending.launch(path);
  const approval = await asked(path, email);
  await act(path, "resumeRecipients", approval.recipientId);
  await until(async () => (await stateOf(approval)) === "FAILED", { ...MAIL_DEADLINE, what: "the refusal" });
  expect(await approvalsOf(await recipientOf(path, email))).toMatchObject([
    { decidedAt: expect.any(Date), sentMessageId: null },
  ]);
  expect(subjectsTo(email)).toEqual([]);
});
