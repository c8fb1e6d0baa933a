import { expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../../store/outbox.ts";
import { recipientWorkflowId } from "../../temporal/run.ts";
import { admitRecipient } from "../../temporal/starts.ts";
import { startSubscriber } from "../fakes/subscriber.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { campaignOf, MAILBOXES, mailsTo, NOW, rest, sandbox, useSetup, workspaceId, world } from "./sending-setup.ts";

useSetup();

/** As if the booked day had come for everybody in a campaign. */
async function comesDue(path: string): Promise<void> {
  const campaignId = path.split("/").at(-1) ?? "";
  const { Recipient, Send } = scoped(workspaceId);
  await Send.updateMany({ campaignId, state: "RESERVED" }, { $set: { slotAt: new Date() } });
  for (const { _id: recipientId } of await Recipient.find({ campaignId }))
    await inTransaction(() => nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" }));
}

test("a campaign sends each recipient each step once, follow-ups in the same thread, then completes and notifies its webhook", async () => {
  const subscriber = await startSubscriber();
  await rest.post("/webhooks", { url: subscriber.url, events: [] });
  await rest.post("/leads", { email: "zoe@people.test", firstName: "Zoë", company: "Zebra & Co" });
  const variants = [
    { label: "A", subject: "Hello {{firstName}}", bodyHtml: "<p>Dear {{firstName}} of {{company}}</p>", weight: 50 },
    {
      label: "B",
      subject: "Hi {{firstName}}",
      bodyHtml: "<p>{Good day|Greetings}, {{firstName}} of {{company}}</p>",
      weight: 50,
    },
  ];
  const path = await campaignOf(
    ["zoe@people.test"],
    [
      { variants, delay: NOW },
      { subject: "", body: "<p>Still there?</p>", delay: NOW },
    ],
  );
  const { body: page } = await rest.get(`${path}/recipients`);
  const [recipient] = page.items;
  const preview = await rest.post(`${path}/sequence/preview`, { leadId: recipient.leadId });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  await until(async () => (await rest.get(path)).body.status === "COMPLETED", {
    ...MAIL_DEADLINE,
    what: "the campaign to finish",
  });

  const [first, second, ...more] = await Promise.all(mailsTo("zoe@people.test").map(({ raw }) => simpleParser(raw)));
  expect(more).toEqual([]);
  // The preview shows exactly what was sent
  expect(first?.subject).toBe(preview.body.subject);
  expect(first?.text?.trim()).toContain(preview.body.text.split("\n")[0]);
  expect(first?.html).toContain("Zebra &amp; Co");
  expect(second?.subject).toBe(`Re: ${first?.subject}`);
  expect(second?.inReplyTo).toBe(first?.messageId);
  expect(first?.headers.get("list")).toMatchObject({
    unsubscribe: { url: expect.stringContaining("/u/v1."), mail: expect.stringContaining("@") },
  });
  const mailbox = first?.from?.value[0]?.address ?? "";
  expect(second?.from?.value[0]?.address).toBe(mailbox);
  await until(() => sandbox.imapOf(mailbox).folder("Sent").length >= 2, {
    ...MAIL_DEADLINE,
    what: "the copies under Sent",
  });

  const sentEvents = () => subscriber.received.filter(({ headers }) => headers["x-service-event"] === "SENT");
  await until(() => sentEvents().length === 2, { ...MAIL_DEADLINE, what: "two SENT events" });
  const data = { recipientId: recipient.id, email: "zoe@people.test", campaignId: path.split("/").at(-1) };
  expect(sentEvents()[0]?.json).toMatchObject({ event: "SENT", data });
  expect((await rest.get(path)).body.metrics).toMatchObject({ recipients: 1, contacted: 1, sent: 2 });
  await subscriber.close();
});

test("text that looks like an encoded word arrives as written, from a lead's field and from the author, also in follow-ups", async () => {
  const [word, authors] = ["=?utf-8?q?You_won?=", "=?UTF-8?B?WW91IHdvbg==?="];
  await rest.post("/leads", { email: "word@people.test", firstName: word });
  const steps = [
    { subject: `${authors} {{firstName}}`, body: "<p>Hello</p>", delay: NOW },
    { subject: "", body: "<p>Again</p>", delay: NOW },
  ];
  const path = await campaignOf(["word@people.test"], steps);
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  await until(() => mailsTo("word@people.test").length === 2, { ...MAIL_DEADLINE, what: "both mails" });
  const read = await Promise.all(mailsTo("word@people.test").map(({ raw }) => simpleParser(raw)));
  expect(read.map(({ subject }) => subject)).toEqual([`${authors} ${word}`, `Re: ${authors} ${word}`]);
  for (const { to } of read) expect([to].flat()[0]?.value).toEqual([{ name: word, address: "word@people.test" }]);
});

test("a reply, a refusal and an out-of-office reply each stop or pause only their own recipient", async () => {
  const emails = [
    "reply1@people.test",
    "unsub1@people.test",
    "refuse1@people.test",
    "ooo1@people.test",
    "plain1@people.test",
  ];
  const track = { trackUrl: world.baseUrl };
  Object.assign(world.services.settings, track);
  const path = await campaignOf(emails, [
    { subject: "One", body: "<p>First</p>", delay: NOW },
    { subject: "", body: "<p>Second</p>", delay: { value: 10, unit: "MINUTES" } },
  ]);
  await rest.post(`${path}/control`, { action: "launch" });
  const statusOf = async () => {
    const { body } = await rest.get(`${path}/recipients`);
    return Object.fromEntries(body.items.map((item: { email: string; status: string }) => [item.email, item.status]));
  };
  await until(async () => (await statusOf())["reply1@people.test"] === "REPLIED", {
    ...MAIL_DEADLINE,
    what: "the reply to be read",
  });
  await until(async () => (await statusOf())["refuse1@people.test"] === "BOUNCED", {
    ...MAIL_DEADLINE,
    what: "the refusal to be recorded",
  });
  await until(async () => (await statusOf())["ooo1@people.test"] === "PAUSED", {
    ...MAIL_DEADLINE,
    what: "the out-of-office to be read",
  });
  const hasFirst = () => scoped(workspaceId).Send.findOne({ to: "plain1@people.test", state: "SENT" });
  await until(hasFirst, { ...MAIL_DEADLINE, what: "the first email to the recipient who does not answer" });
  await comesDue(path);
  await until(() => mailsTo("plain1@people.test").length === 2, {
    ...MAIL_DEADLINE,
    what: "the second email to the recipient who did not answer",
  });
  expect(mailsTo("reply1@people.test")).toHaveLength(1);
  expect(mailsTo("ooo1@people.test")).toHaveLength(1);
  expect(mailsTo("refuse1@people.test")).toHaveLength(0);
  const { body: lead } = await rest.get("/leads?search=refuse1");
  expect(lead.items[0]).toMatchObject({
    suppressed: true,
    suppressionReason: "HARD_BOUNCE",
    verificationStatus: "INVALID",
  });
  // A permanent refusal by the server is a fact of the mailbox, though it never went out
  const refused = await scoped(workspaceId).Send.findOne({ to: "refuse1@people.test" });
  const facts = await scoped(workspaceId).MailboxFacts.find({ mailboxId: refused?.mailboxId });
  expect(facts).toMatchObject([{ bounced: 1, refused: 1, isNew: true }]);
}, 150_000);

test("an email of unknown outcome is never sent again, and its recipient waits for evidence", async () => {
  const to = "drop1@people.test";
  const path = await campaignOf([to], [{ subject: "Lost", body: "<p>x</p>", delay: NOW }]);
  await rest.post(`${path}/control`, { action: "launch" });
  const send = () => scoped(workspaceId).Send.findOne({ to });
  const hasEnded = async () => mailsTo(to).length > 0 && (await send())?.state !== "SENDING";
  await until(hasEnded, { ...MAIL_DEADLINE, what: "the mail whose answer is lost" });
  expect(await send()).toMatchObject({ state: "UNKNOWN", phase: null, attempts: 0 });
  const { body } = await rest.get(`${path}/recipients`);
  expect(body.items).toMatchObject([{ status: "IN_PROGRESS", sentCount: 0 }]);
  expect(mailsTo(to)).toHaveLength(1);
});

test("a run that starts for a recipient waiting for admission books nothing and leaves the recipient to admission", async () => {
  const today = new Date().getUTCDay() || 7;
  const days = [1, 2, 3, 4, 5, 6, 7].filter((day) => day !== today && day !== (today % 7) + 1);
  const windows = [{ days, from: "00:00", to: "24:00" }];
  const path = await campaignOf(["unadmitted@people.test"], [{ subject: "One", body: "<p>1</p>", delay: NOW }], {
    windows,
  });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
  const [{ id: recipientId, campaignId }] = (await rest.get(`${path}/recipients`)).body.items;
  const { workspaceId } = (await rest.get("/whoami")).body;
  const client = world.temporal?.client;
  if (client === undefined) throw new Error("There is no engine");
  await admitRecipient(client, { v: 1, workspaceId, campaignId, recipientId }, 0);
  expect(await client.workflow.getHandle(recipientWorkflowId(recipientId)).result()).toBe("WAITS_FOR_ADMISSION");
  expect((await rest.get(`${path}/recipients`)).body.items).toMatchObject([
    { status: "PENDING", stopReason: null, nextSendAt: null },
  ]);
});

test("a missing variable pauses the recipient instead of sending an email with a blank", async () => {
  await rest.post("/custom-fields", { label: "Budget" });
  const path = await campaignOf(
    ["blank@people.test"],
    [{ subject: "Hi {{firstName}}", body: "<p>{{customFields.budget}}</p>", delay: NOW }],
  );
  await rest.post(`${path}/control`, { action: "launch" });
  const recipient = await until(async () => (await rest.get(`${path}/recipients?status=PAUSED`)).body.items[0], {
    ...MAIL_DEADLINE,
    what: "the recipient to pause",
  });
  const missingVariables = ["firstName", "customFields.budget"];
  expect(recipient).toMatchObject({
    email: "blank@people.test",
    pauseReason: "MISSING_VARIABLE",
    missingVariables,
    sentCount: 0,
  });
  const explained = (await rest.get(`${path}/recipients/${recipient.id}/explain`)).body;
  expect(explained.rules).toContainEqual(
    expect.objectContaining({ code: "MISSING_VARIABLE", values: expect.objectContaining({ names: missingVariables }) }),
  );
  const events = (await rest.get(`/leads/${recipient.leadId}/activity`)).body.items;
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "PAUSED",
      data: expect.objectContaining({ reason: "MISSING_VARIABLE", names: missingVariables }),
    }),
  );
  expect(mailsTo("blank@people.test")).toEqual([]);
});

test("a repeated test email goes out once, is marked as a test, counts in no statistics, and is refused for a suppressed address", async () => {
  const path = await campaignOf([], [{ subject: "Try {{firstName}}", body: "<p>Hello</p>", delay: NOW }]);
  const headers = { "Idempotency-Key": "test-send-1" };
  const sent = await rest.post(`${path}/test-send`, { toEmail: "me@people.test" }, headers);
  expect(sent).toMatchObject({
    status: 200,
    body: { ok: true, sentTo: "me@people.test", messageId: expect.stringContaining("@") },
  });
  expect(await rest.post(`${path}/test-send`, { toEmail: "me@people.test" }, headers)).toMatchObject({
    status: 200,
    body: sent.body,
  });
  const [mail, ...others] = await Promise.all(mailsTo("me@people.test").map(({ raw }) => simpleParser(raw)));
  expect(others).toEqual([]);
  expect(mail?.subject).toMatch(/^\[TEST\] Try /);
  expect(mail?.headers.get("x-mail-test")).toBe("1");
  expect(mail?.headers.get("list")).toBeUndefined();
  expect((await rest.get(path)).body.metrics).toMatchObject({ sent: 0, contacted: 0 });
  // A refusal says nothing about the address that a test was sent to
  for (let attempt = 0; attempt < 2; attempt++) {
    const refused = await rest.post(`${path}/test-send`, { toEmail: "refuse2@people.test" });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "SEND_FAILED", details: { code: "550", text: expect.stringMatching(/^550 /) } },
    });
    expect(refused.body.message).toBe(`The mail server refused the email: ${refused.body.details.text}`);
  }
  await rest.post("/block-list", { value: "people2.test" });
  expect(await rest.post(`${path}/test-send`, { toEmail: "me@people2.test" })).toMatchObject({
    status: 422,
    body: { code: "RECIPIENT_SUPPRESSED" },
  });
});

test("wrong mailbox credentials are refused with the name of the refusing server, and no mailbox is stored", async () => {
  const [email = ""] = MAILBOXES;
  const servers = {
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(email),
  };
  const credentials = { email: "new@a.test", password: "wrong", security: "SSL_TLS", ...servers };
  const refused = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  expect(refused).toMatchObject({
    status: 422,
    body: { code: "MAILBOX_CONNECTION_FAILED", details: { smtp: { ok: false, error: { code: "AUTH_FAILED" } } } },
  });
  expect((await rest.get("/mailboxes")).body).toHaveLength(MAILBOXES.length);
});
