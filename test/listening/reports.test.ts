import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { loadConduct } from "../../store/campaigns/conduct.ts";
import { complaint, deliveryFailure, plainBounce, replyTo } from "../fakes/mails.ts";
import {
  contacted,
  events,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  type Person,
  recipientNow,
  SUBJECT,
  sendNow,
  webhooks,
  workspaceId,
} from "./listening.ts";
import { answered, type Block, deliveryReport, mail, take } from "./reading.ts";

listening();

const block = (person: Person, status: string, diagnostic: string): Block => ({
  address: person.recipient.email,
  status,
  diagnostic,
});

test("a delivery report affects each listed recipient separately, and has no effect when read again", async () => {
  const campaignId = await newCampaign();
  const gone = await contacted("gone@b.test", campaignId);
  const full = await contacted("full@b.test", campaignId);
  const late = await contacted("late@b.test", campaignId);
  const fine = await contacted("fine@b.test", campaignId);
  const blocks = [
    block(gone, "5.1.1", "550 5.1.1 User unknown"),
    block(full, "5.2.2", "552 5.2.2 Mailbox full"),
    { ...block(late, "4.4.1", "451 4.4.1 No answer"), action: "delayed" },
    { ...block(fine, "2.0.0", "250 OK"), action: "delivered" },
    { address: "stranger@b.test", status: "5.1.1", diagnostic: "550 5.1.1 User unknown" },
  ];
  const returned = [gone, full, late, fine].map(({ sent }) => sent.raw);
  for (let round = 0; round < 2; round++) await take(deliveryReport(blocks, returned));
  expect(await recipientNow(gone)).toMatchObject({
    status: "BOUNCED",
    bounce: { type: "HARD", reason: "USER_UNKNOWN" },
  });
  expect(await recipientNow(full)).toMatchObject({
    status: "IN_PROGRESS",
    bounce: { type: "SOFT", reason: "MAILBOX_FULL" },
  });
  expect(await sendNow(full)).toMatchObject({ generation: 1, softFailures: 1 });
  for (const person of [late, fine])
    expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", bounce: null });
  expect(await scoped(workspaceId).Lead.find({ suppressed: true })).toMatchObject([{ email: "gone@b.test" }]);
  const told = await webhooks("BOUNCED");
  expect(told).toMatchObject([{ email: "gone@b.test" }, { email: "full@b.test" }]);
});

test.each([
  ["550 5.7.1 Client host [192.0.2.1] blocked using zen.spamhaus.org", "BLOCKED", "COOLING_DOWN"],
  ["550-5.7.26 This mail is unauthenticated: SPF did not pass, user unknown", "AUTHENTICATION", "COOLING_DOWN"],
  ["554 5.7.1 Message rejected as spam; no such user", "CONTENT_REJECTED", "CONNECTED"],
])(
  "a refusal because of our server or content (%s) is a SOFT bounce and suppresses no address, even if the text names the user",
  async (diagnostic, reason, status) => {
    const person = await contacted("one@b.test", await newCampaign());
    for (let round = 0; round < 2; round++) {
      expect(await take(deliveryFailure(person.sent, { status: "5.7.1", diagnostic }))).toMatchObject({
        bounce: { type: "SOFT", reason },
      });
    }
    expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", bouncedAt: null });
    expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
      status,
      coolDowns: status === "CONNECTED" ? 0 : 1,
    });
    expect(await scoped(workspaceId).Lead.count({ suppressed: true })).toBe(0);
  },
);

test("a bounce of a user's reply marks the recipient of that reply as bounced", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const { threadId } = await take(replyTo(person.sent, { text: "Hi" }));
  const answer = await answered(person, threadId);
  const raw = Buffer.from(
    `From: ${mailbox.email}\r\nTo: bob@b.test\r\nMessage-ID: ${answer.messageId}\r\n\r\nThanks\r\n`,
  );
  const report = await take(deliveryReport([block(person, "5.1.1", "550 5.1.1 User unknown")], [raw]));
  expect(report).toMatchObject({ kind: "BOUNCE", recipientId: person.recipient._id, sendId: answer._id, threadId });
  expect(await recipientNow(person)).toMatchObject({ status: "BOUNCED" });
  expect(await leadNow(person)).toMatchObject({ suppressed: true, suppressionReason: "HARD_BOUNCE" });
  // The service does not judge the workspace by it (rules/access 8.2)
  expect(await events("BOUNCED")).toMatchObject([{ data: { type: "HARD", sendKind: "REPLY" } }]);
  const judged = await loadConduct({ _id: workspaceId, judgedFrom: null }, Date.now(), { isShown: true });
  expect(judged).toMatchObject({ bounced: 0 });
});

test("a bounce that only replies to our email counts for that email; an out-of-office reply that mentions delivery is no bounce", async () => {
  const gone = await contacted("gone@b.test", await newCampaign());
  const away = await contacted("away@b.test", gone.recipient.campaignId);
  const headers = (person: Person) => ({
    "Return-Path": "<>",
    "Auto-Submitted": "auto-replied",
    "In-Reply-To": person.sent.messageId,
  });
  const report = { ...headers(gone), From: "postmaster@b.test", Subject: "Undeliverable: Hello" };
  expect(
    await take(mail(report, "gone@b.test\nThe e-mail address you entered couldn't be found."), {
      authentication: "FAIL",
    }),
  ).toMatchObject({
    kind: "BOUNCE",
    evidence: { rule: "Message-ID", value: gone.sent.messageId },
  });
  expect(await recipientNow(gone)).toMatchObject({ status: "BOUNCED" });
  const notice = { ...headers(away), From: "away@b.test", Subject: `Re: ${SUBJECT}` };
  const words = "I am out of the office until further notice; your message could not be delivered to my desk.";
  const kept = await take(mail(notice, words));
  expect(kept).toMatchObject({ kind: "AUTO_REPLY", recipientId: away.recipient._id });
});

test("a bounce report forwarded from another account counts as a bounce, but a recipient's reply that quotes one counts as a reply", async () => {
  const person = await contacted("gone@b.test", await newCampaign());
  const quoted = [
    "Begin forwarded message:",
    "",
    "> From: Mail Delivery System <MAILER-DAEMON@relay.test>",
    "> Subject: Undelivered Mail Returned to Sender",
    ">",
    "> Final-Recipient: rfc822; gone@b.test",
    "> Action: failed",
    "> Status: 5.1.1",
    "> Diagnostic-Code: smtp; 550 5.1.1 User unknown",
    ">",
    `> Message-ID: ${person.sent.messageId}`,
  ].join("\n");
  const forward = { Subject: "Fwd: Undelivered Mail Returned to Sender" };
  const answer = { ...forward, From: "gone@b.test", "In-Reply-To": person.sent.messageId };
  expect(await take(mail(answer, `Look what I got\n\n${quoted}`))).toMatchObject({ kind: "REPLY" });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  expect(await take(mail({ ...forward, From: "me@elsewhere.test" }, quoted))).toMatchObject({
    kind: "BOUNCE",
    bounce: { type: "HARD" },
  });
  expect(await leadNow(person)).toMatchObject({ suppressed: true });
});

test("a soft bounce does not undo a hard bounce, and a reply only marks the hard bounce as disputed", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await take(deliveryFailure(person.sent));
  await take(plainBounce(person.sent, "452 4.2.2 Mailbox full"));
  expect(await recipientNow(person)).toMatchObject({
    status: "BOUNCED",
    bounce: { type: "HARD", reason: "USER_UNKNOWN" },
  });
  await take(replyTo(person.sent, { text: "I am here" }));
  expect(await recipientNow(person)).toMatchObject({
    status: "BOUNCED",
    repliedAt: expect.any(Date),
    bounce: { type: "HARD", disputedAt: expect.any(Date) },
  });
  expect(await leadNow(person)).toMatchObject({ suppressed: true });
});

test("a complaint counts once for its email; a feedback report of not-spam or an authentication failure does not count", async () => {
  const campaignId = await newCampaign();
  const calm = await contacted("calm@b.test", campaignId);
  for (const type of ["not-spam", "auth-failure"]) {
    expect(await take(complaint(calm.sent, { type }))).toMatchObject({
      kind: "COMPLAINT",
      campaignId: null,
      recipientId: null,
    });
  }
  expect(await leadNow(calm)).toMatchObject({ suppressed: false });
  const angry = await contacted("angry@b.test", campaignId);
  for (let round = 0; round < 2; round++) await take(complaint(angry.sent));
  expect(await leadNow(angry)).toMatchObject({ suppressed: true, suppressionReason: "COMPLAINT" });
  expect(await scoped(workspaceId).Message.count({ campaignId, kind: "COMPLAINT" })).toBe(1);
});

test("a report that names only the envelope id of our email is attributed to that email", async () => {
  const person = await contacted("gone@b.test", await newCampaign());
  const envelope = `Reporting-MTA: dns; relay.test\nOriginal-Envelope-Id: ${person.send.mailRef}`;
  const report = deliveryReport([block(person, "5.1.1", "550 5.1.1 User unknown")], []);
  expect(await take(report.replace("Reporting-MTA: dns; relay.test", envelope))).toMatchObject({
    kind: "BOUNCE",
    evidence: { rule: "Original-Envelope-Id", value: person.send.mailRef },
  });
  expect(await recipientNow(person)).toMatchObject({ status: "BOUNCED" });
});

test("a complaint that forwards our email under its own headers counts, and a complaint about an unknown email changes nothing", async () => {
  const person = await contacted("angry@b.test", await newCampaign());
  const copy = `X-HmXmrOriginalRecipient: angry@b.test\n${person.sent.raw.toString().replaceAll("\r\n", "\n")}`;
  const headers = {
    From: "staff@hotmail.com",
    Subject: `complaint about message from 192.0.2.1`,
    "Content-Type": 'multipart/mixed; boundary="=_c"',
  };
  const parts = `--=_c\nContent-Type: message/rfc822\n\n${copy}\n--=_c--\n`;
  expect(
    await take(
      mail(headers, parts.replaceAll(person.sent.messageId, "<unknown@x.test>").replaceAll("angry@b.test", "x@x.test")),
    ),
  ).toMatchObject({
    kind: "COMPLAINT",
    sendId: null,
  });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  expect(await take(mail(headers, parts))).toMatchObject({ kind: "COMPLAINT", recipientId: person.recipient._id });
  expect(await leadNow(person)).toMatchObject({ suppressed: true });
});

test("our headers, a bounce text or a forged unsubscribe token in the body of an email have no effect", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const words = [
    "I got this:",
    "> 550 5.1.1 <bob@b.test> User unknown",
    `> Message-ID: ${person.sent.messageId}`,
    `> X-Mail-Ref: ${person.send.mailRef}`,
    "> Final-Recipient: rfc822; bob@b.test",
    "> Action: failed",
    "> Status: 5.1.1",
  ].join("\n");
  const forged = "unsubscribe v1.u1.dTpzbmRfMTo.AAAAAAAAAAAAAAAAAAAAAA";
  expect(await take(mail({ From: "stranger@x.test", Subject: "Returned mail" }, words))).toMatchObject({
    kind: "OTHER",
  });
  expect(await take(mail({ From: "stranger@x.test", Subject: forged }, words))).toMatchObject({ kind: "OTHER" });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", bounce: null });
  expect(await take(mail({ Subject: `Re: ${SUBJECT}` }, words))).toMatchObject({ kind: "REPLY" });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  expect(await events("BOUNCED")).toEqual([]);
});

test("an email with a very long subject, without sender and ids, or with a hundred references is processed like any other", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const long = await take(mail({ From: "stranger@x.test", Subject: `Re: ${SUBJECT} ${"very ".repeat(2_000)}long` }));
  expect(long).toMatchObject({ kind: "OTHER", subject: expect.stringMatching(/^Re: /) });
  expect(await take(mail({ From: null, "Message-ID": null, Date: null, Subject: null }))).toMatchObject({
    kind: "OTHER",
    from: null,
  });
  const references = Array.from({ length: 100 }, (_, index) => `<${index}@x.test>`).join(" ");
  expect(await take(mail({ References: `${references} ${person.sent.messageId}` }))).toMatchObject({ kind: "REPLY" });
});
