import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import { readIntent } from "../../domain/inbox/intent/read.ts";
import { textOf } from "../../domain/templates/body.ts";
import { isZone } from "../../domain/time/schedule.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { loadWorkspace } from "../campaigns/load.ts";
import type { Arrival } from "./arrival.ts";

/** The maximum number of emails of one recipient that are read, as many as a sequence and a conversation have. */
const MOST_SENT = 30;

/**
 * Determines what a person wants with a reply (rules/states 5.4, rules/agent 5.1). Text that we sent to the recipient
 * does not count, because an email program may quote our email without marking the quote. Reads in the running
 * transaction.
 */
export async function readReply({ message, mailbox, receivedAt }: Arrival, recipient: Recipient): Promise<ReplyIntent> {
  const { workspaceId, email } = recipient;
  const { replyText: words, subject } = message;
  const ownAddresses = [mailbox.email, message.from?.address ?? "", email, ...message.to];
  const reply = { words, subject, ownAddresses, at: receivedAt.getTime(), timeZone: await writerZoneOf(recipient) };
  const read = readIntent(reply);
  // Most replies have only intents for which our own text need not be removed
  return read.clauses.every(({ intent }) => HARMLESS.includes(intent))
    ? read
    : readIntent({ ...reply, ours: await sentTexts(workspaceId, recipient._id) });
}

const HARMLESS: readonly ReplyIntent["clauses"][number]["intent"][] = ["QUESTION", "INTERESTED", "MEETING", "OTHER"];

/** The author's time zone if it is known, otherwise the workspace's. */
async function writerZoneOf({ workspaceId, timezone, leadId }: Recipient): Promise<string> {
  const given =
    timezone ?? (await scoped(workspaceId).Lead.get(leadId))?.timezone ?? (await loadWorkspace(workspaceId)).timezone;
  return isZone(given) ? given : "UTC";
}

/**
 * The subjects of our campaign and manual emails to a recipient, and their texts, both the plain text and the text of
 * the HTML.
 */
async function sentTexts(workspaceId: string, recipientId: string): Promise<string[]> {
  const { Message, Send } = scoped(workspaceId);
  const newest = { sort: { _id: -1 }, limit: MOST_SENT } as const;
  const sends = await Send.find({ recipientId }, { ...newest, select: { content: 1, subject: 1 } });
  const ofMessages = { bodyText: 1, bodyHtml: 1, subject: 1 } as const;
  const messages = await Message.find({ recipientId, direction: "OUTBOUND" }, { ...newest, select: ofMessages });
  const bodies = [
    ...sends.map(({ content, subject }) => ({ subject, text: content?.text, html: content?.html })),
    ...messages.map(({ bodyText, bodyHtml, subject }) => ({ subject, text: bodyText, html: bodyHtml })),
  ];
  const texts = bodies.flatMap(({ subject, text, html }) => [subject ?? "", text ?? "", textOf(html ?? "")]);
  return [...new Set(texts)].filter((text) => text.trim() !== "");
}
