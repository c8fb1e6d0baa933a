import { SECOND_MS } from "../time/durations.ts";
import type { Inbound } from "./inbound.ts";

/** What of an email arrives as it was written; a provider's API may replace or drop any of it (rules/sending 5.13). */
export interface HeaderSurvival {
  messageId: boolean;
  from: boolean;
  date: boolean;
  listUnsubscribe: boolean;
  /** Without it, mail programs offer no one-click unsubscribe (RFC 8058). */
  listUnsubscribePost: boolean;
  /** Our own headers, whose names begin with X-. */
  ownHeaders: boolean;
  /** The plain text, which a provider may make anew from the HTML. */
  text: boolean;
}

const PLAIN = "This is the plain text of the email.";
const WORDS = "This email checks that the mailbox can send and receive. There is nothing to do.";
/** The plain text has a sentence that no one can make from the HTML. */
export const PROBE_BODY = { text: `${WORDS}\n\n${PLAIN}\n`, html: `<p>${WORDS}</p>` };

/** The subject names the send, because it is what every provider keeps. */
export function probeSubject(sendId: string): string {
  return `Mailbox check ${sendId}`;
}

/** The id of the send whose probe email has this subject; null for any other subject. */
export function probeIn(subject: string): string | null {
  return /^Mailbox check (snd_\w{1,60})$/.exec(subject.trim())?.[1] ?? null;
}

/** Compares the probe email that arrived with the one that was sent. */
export function survivalOf(
  message: Inbound,
  sent: { messageId: string | null; mailRef: string | null; from: string; date: Date },
): HeaderSurvival {
  const header = (name: string) => message.headers.get(name)?.[0]?.trim().toLowerCase() ?? "";
  const seconds = (ms: number) => Math.floor(ms / SECOND_MS);
  return {
    messageId: message.messageId === sent.messageId,
    from: message.from?.address === sent.from,
    date: message.date !== null && seconds(message.date) === seconds(sent.date.getTime()),
    listUnsubscribe: /<https?:/.test(header("list-unsubscribe")),
    listUnsubscribePost: header("list-unsubscribe-post") === "list-unsubscribe=one-click",
    ownHeaders: sent.mailRef !== null && header("x-mail-ref") === sent.mailRef.toLowerCase(),
    text: message.text.includes(PLAIN),
  };
}
