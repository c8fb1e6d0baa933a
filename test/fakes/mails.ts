import { randomUUID } from "node:crypto";
import { headersOf, type SentMail } from "./sent-mail.ts";

/** A reply of a person. `from` is another address of theirs, or a colleague's. */
export function replyTo(sent: SentMail, { from = recipientOf(sent), text }: { from?: string; text: string }): Buffer {
  return mail(
    [
      `Return-Path: <${from}>`,
      `From: ${from}`,
      `To: ${sent.from}`,
      `Subject: Re: ${sent.subject.replace(/^re: /i, "")}`,
      ...answerHeaders(sent),
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: 8bit",
    ],
    `${text}\n\nOn ${new Date(sent.at).toUTCString()}, ${sent.from} wrote:\n> ${sent.subject}\n`,
  );
}

/** The notice of a vacation responder (RFC 3834); `until` is the day on which the person is back. */
export function outOfOffice(sent: SentMail, { until }: { until?: Date } = {}): Buffer {
  const back = until?.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return mail(
    [
      "Return-Path: <>",
      `From: ${recipientOf(sent)}`,
      `To: ${sent.from}`,
      `Subject: Automatic reply: ${sent.subject}`,
      ...answerHeaders(sent),
      "Auto-Submitted: auto-replied",
      "X-Auto-Response-Suppress: All",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: 8bit",
    ],
    `Hello,\n\nI am out of the office${back ? ` until ${back}` : ""} and cannot read my mail.\n`,
  );
}

/**
 * A delivery status notification as Postfix writes it (RFC 3464): no In-Reply-To, our ids only in the returned headers.
 */
export function deliveryFailure(
  sent: SentMail,
  {
    status = "5.1.1",
    diagnostic = "550 5.1.1 User unknown",
    action = "failed",
    recipient = recipientOf(sent),
  }: { status?: string; diagnostic?: string; action?: "failed" | "delayed" | "delivered"; recipient?: string } = {},
): Buffer {
  const host = domainOf(recipient);
  return report("delivery-status", sent, {
    from: `Mail Delivery System <MAILER-DAEMON@${host}>`,
    subject: action === "delayed" ? "Delayed Mail (still being retried)" : "Undelivered Mail Returned to Sender",
    text: `This is the mail system at host ${host}.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.\n\n<${recipient}>: host ${host} said: ${diagnostic}\n`,
    fields: [
      `Reporting-MTA: dns; ${host}`,
      `Arrival-Date: ${new Date(sent.at).toUTCString()}`,
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      `Original-Recipient: rfc822;${recipient}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Remote-MTA: dns; ${host}`,
      `Diagnostic-Code: smtp; ${diagnostic}`,
    ],
    returned: "text/rfc822-headers",
  });
}

/** A bounce that is no DSN: the text of a qmail-like system above our headers. */
export function plainBounce(sent: SentMail, text: string): Buffer {
  const host = domainOf(recipientOf(sent));
  return mail(
    [
      "Return-Path: <>",
      `From: MAILER-DAEMON@${host}`,
      `To: ${sent.from}`,
      "Subject: failure notice",
      ...freshHeaders(host),
    ],
    `Hi. This is the mail program at ${host}.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<${recipientOf(sent)}>:\n${text}\n\n--- Below this line is a copy of the message.\n\n${headersOf(sent.raw).toString("latin1").replace(/\r\n/g, "\n")}`,
  );
}

/** The report of a feedback loop about a person who pressed "spam" (ARF, RFC 5965). */
export function complaint(sent: SentMail, { type = "abuse" }: { type?: string } = {}): Buffer {
  const host = domainOf(recipientOf(sent));
  return report("feedback-report", sent, {
    from: `Feedback loop <feedback@${host}>`,
    subject: sent.subject,
    text: `This is an email abuse report for a message received on ${new Date(sent.at).toUTCString()}.\n`,
    fields: [
      `Feedback-Type: ${type}`,
      "User-Agent: FeedbackLoop/1.0",
      "Version: 1",
      `Original-Mail-From: <${sent.from}>`,
      `Original-Rcpt-To: <${recipientOf(sent)}>`,
      `Arrival-Date: ${new Date(sent.at).toUTCString()}`,
      "Source-IP: 192.0.2.1",
    ],
    returned: "message/rfc822",
  });
}

interface Report {
  from: string;
  subject: string;
  text: string;
  fields: string[];
  returned: "text/rfc822-headers" | "message/rfc822";
}

/** multipart/report (RFC 6522): words for people, fields for programs, and what came back. */
function report(
  type: "delivery-status" | "feedback-report",
  sent: SentMail,
  { from, subject, text, fields, returned }: Report,
): Buffer {
  const boundary = `report-${randomUUID()}`;
  const parts = [
    `Content-Type: text/plain; charset=us-ascii\n\n${text}`,
    `Content-Type: message/${type}\n\n${fields.join("\n")}\n`,
    `Content-Type: ${returned}\n\n${headersOf(sent.raw).toString("latin1").replace(/\r\n/g, "\n")}`,
  ];
  return mail(
    [
      "Return-Path: <>",
      `From: ${from}`,
      `To: ${sent.from}`,
      `Subject: ${subject}`,
      ...freshHeaders(domainOf(recipientOf(sent))),
      "Auto-Submitted: auto-replied",
      `Content-Type: multipart/report; report-type=${type};\n boundary="${boundary}"`,
    ],
    `${parts.map((part) => `--${boundary}\n${part}\n`).join("")}--${boundary}--\n`,
  );
}

function answerHeaders(sent: SentMail): string[] {
  return [
    ...freshHeaders(domainOf(recipientOf(sent))),
    `In-Reply-To: ${sent.messageId}`,
    `References: ${sent.messageId}`,
  ];
}

function freshHeaders(host: string): string[] {
  return [
    `Date: ${new Date().toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${randomUUID()}@${host}>`,
    "MIME-Version: 1.0",
  ];
}

function mail(headers: string[], body: string): Buffer {
  return Buffer.from(`${headers.join("\n")}\n\n${body}`.replace(/\r?\n/g, "\r\n"));
}

function recipientOf(sent: SentMail): string {
  const [first] = sent.to;
  if (first === undefined) throw new Error(`The mail ${sent.messageId} has no recipient`);
  return first;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
