import { randomUUID } from "node:crypto";
import { DAY_MS } from "../../domain/time/durations.ts";
import { QuickImap } from "../../test/fakes/quick-imap.ts";
import { answer } from "../system/processes.ts";

export interface ImapFarOrders {
  certificate: { key: string; cert: string };
  password: string;
  /** How many emails of the last days are in the INBOX of each user. */
  old?: { user: string; count: number }[];
  /** Replies, which are delivered one after another. */
  replies?: { user: string; from: string; messageId: string; subject: string; folder?: string }[];
}

/** The IMAP server of the mailboxes, in its own process. */
const { certificate, password, old = [], replies = [] }: ImapFarOrders = JSON.parse(process.argv[2] ?? "{}");
const imap = await QuickImap.start({ certificate, password });
for (const { user, count } of old)
  for (let n = 0; n < count; n++)
    imap.deliver(user, oldMail(n), "INBOX", { date: new Date(Date.now() - ((n % 6) + 0.5) * DAY_MS) });
answer(
  {
    port: () => imap.port,
    sessions: () => imap.sessions.size,
    bodies: () => imap.commands.splice(0).filter((command) => command.includes("BODY.PEEK[]")).length,
    next: () => {
      const reply = replies.shift();
      if (reply !== undefined) imap.deliver(reply.user, replyOf(reply), reply.folder);
      return reply !== undefined;
    },
  },
  () => imap.close(),
);

function head(lines: string[]): string {
  return [
    ...lines,
    `Message-ID: <${randomUUID()}@people.test>`,
    `Date: ${new Date().toUTCString()}`,
    "MIME-Version: 1.0",
  ].join("\r\n");
}

/** A typical email: a plain and an HTML version of a text, with the email that it answers quoted below. */
function oldMail(n: number): Buffer {
  const quoted = Array.from(
    { length: 15 },
    (_, line) => `> line ${line} of what was written before, as mail programs quote it`,
  ).join("\r\n");
  const text = `Hello Ann,\r\n\r\nthank you for your mail number ${n}. We shall look at it next week.\r\n\r\nBest\r\nBob\r\n\r\nOn Fri, 20 Nov 2026, Ann wrote:\r\n${quoted}`;
  const html = `<html><body><p>Hello Ann,</p><p>thank you for your mail number ${n}.</p><blockquote>${"<p>a line of what was written before</p>".repeat(15)}</blockquote></body></html>`;
  const lines = head([`From: Bob <bob${n % 500}@people.test>`, "To: ann@a.test", `Subject: Mail ${n}`]);
  const part = (type: string, body: string) =>
    `--b\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${body}\r\n`;
  return Buffer.from(
    `${lines}\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n${part("text/plain", text)}${part("text/html", html)}--b--\r\n`,
  );
}

function replyOf({ user, from, messageId, subject }: NonNullable<ImapFarOrders["replies"]>[number]): string {
  const lines = head([
    `From: ${from}`,
    `To: ${user}`,
    `Subject: Re: ${subject}`,
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
  ]);
  return `${lines}\r\nContent-Type: text/plain\r\n\r\nTell me more, please.\r\n\r\nOn Friday Ann wrote:\r\n> ${subject}\r\n`;
}
