import { expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { complaint, deliveryFailure, outOfOffice, plainBounce, replyTo } from "./mails.ts";
import type { SentMail } from "./sent-mail.ts";

const sent: SentMail = {
  at: Date.UTC(2026, 0, 5, 9, 30),
  from: "ann@a.test",
  to: ["bob@b.test"],
  raw: Buffer.from("From: ann@a.test\r\nMessage-ID: <1@a.test>\r\nX-Mail-Ref: abcd2345\r\n\r\nSecret body\r\n"),
  messageId: "<1@a.test>",
  mailRef: "abcd2345",
  subject: "Hello",
  user: "ann@a.test",
  session: "s1",
  answered: "250",
};

test("a built reply comes from the recipient of the email and quotes the email", async () => {
  const mail = await simpleParser(replyTo(sent, { text: "Gern, schöne Grüße" }));
  expect(mail).toMatchObject({
    subject: "Re: Hello",
    inReplyTo: "<1@a.test>",
    from: { text: "bob@b.test" },
    to: { text: "ann@a.test" },
  });
  expect(mail.text).toMatch(/^Gern, schöne Grüße\n\nOn Mon, 05 Jan 2026 .* wrote:\n> Hello\n/);
  expect(mail.date).toBeInstanceOf(Date);
});

test("an out-of-office reply is marked as automatic and names the end of the absence", async () => {
  const mail = await simpleParser(outOfOffice(sent, { until: new Date("2026-02-03T00:00:00Z") }));
  expect(mail.headers.get("auto-submitted")).toBe("auto-replied");
  expect(mail.subject).toBe("Automatic reply: Hello");
  expect(mail.text).toContain("until 3 February 2026");
});

test("a delivery failure is a DSN that contains our ids only in the returned headers", async () => {
  const raw = deliveryFailure(sent, { status: "4.2.2", diagnostic: "452 4.2.2 Full", action: "delayed" });
  const { headers, inReplyTo, attachments } = await simpleParser(raw, { keepDeliveryStatus: true });
  expect(headers.get("content-type")).toMatchObject({
    value: "multipart/report",
    params: { "report-type": "delivery-status" },
  });
  expect(inReplyTo).toBeUndefined();
  const status = attachments.find(({ contentType }) => contentType === "message/delivery-status")?.content.toString();
  expect(status).toMatch(
    /Final-Recipient: rfc822; bob@b\.test\r?\n.*Action: delayed\r?\nStatus: 4\.2\.2\r?\n.*Diagnostic-Code: smtp; 452 4\.2\.2 Full/s,
  );
  expect(raw.toString()).toContain("X-Mail-Ref: abcd2345\r\n");
  expect(raw.toString()).not.toContain("Secret body");
});

test("a plain bounce is text from MAILER-DAEMON with a null return path", async () => {
  const { from, headers, text } = await simpleParser(
    plainBounce(sent, "Sorry, no mailbox here by that name. (#5.1.1)"),
  );
  expect(from?.text).toBe("MAILER-DAEMON@b.test");
  expect(headers.get("return-path")).toMatchObject({ text: "" });
  expect(text).toMatch(/<bob@b\.test>:\nSorry, no mailbox here by that name\. \(#5\.1\.1\)/);
  expect(text).toContain("Message-ID: <1@a.test>");
});

test("a complaint is a feedback report with the recipient and the returned email", async () => {
  const raw = complaint(sent, { type: "fraud" });
  const { headers } = await simpleParser(raw);
  expect(headers.get("content-type")).toMatchObject({ params: { "report-type": "feedback-report" } });
  expect(raw.toString()).toContain("Feedback-Type: fraud\r\n");
  expect(raw.toString()).toContain("Original-Rcpt-To: <bob@b.test>\r\n");
  expect(raw.toString()).toContain("Message-ID: <1@a.test>\r\n");
});

test("every built email ends each line with CRLF", () => {
  const mails = [
    replyTo(sent, { text: "a\nb\r\nc" }),
    outOfOffice(sent),
    deliveryFailure(sent),
    plainBounce(sent, "x"),
    complaint(sent),
  ];
  for (const mail of mails) expect(mail.toString()).not.toMatch(/[^\r]\n|\r[^\n]/);
});
