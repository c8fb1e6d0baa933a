import { readOptOut } from "../../domain/mail/opt-out.ts";
import { withoutOurs } from "../../domain/mail/our-words.ts";
import { textOf } from "../../domain/templates/body.ts";
import { scoped } from "../../models/scoped.ts";

/** The most mails that are read of one recipient: as many as a sequence and a conversation have. */
const MOST_SENT = 30;

export interface OptOutWords {
  asked: "CLEAR" | "AMBIGUOUS";
  words: string;
}

/**
 * The words of a reply that ask us to stop writing (rules/states 5.4); null when none do. Words that we sent to the recipient ourselves are
 * ignored,
 * because a mail program may have quoted our footer without marking it. Reads in the running transaction.
 */
export async function optOutWords(workspaceId: string, recipientId: string, replyText: string): Promise<OptOutWords | null> {
  if (readOptOut(replyText) === null) return null;
  const words = withoutOurs(replyText, await sentTexts(workspaceId, recipientId));
  const asked = readOptOut(words);
  return asked === null ? null : { asked, words: words.trim() };
}

/** The texts of our mails to a recipient, of the campaign and manual ones, in plain text and as text of the HTML. */
async function sentTexts(workspaceId: string, recipientId: string): Promise<string[]> {
  const { Message, Send } = scoped(workspaceId);
  const newest = { sort: { _id: -1 }, limit: MOST_SENT } as const;
  const sends = await Send.find({ recipientId }, { ...newest, select: { content: 1 } });
  const messages = await Message.find({ recipientId, direction: "OUTBOUND" }, { ...newest, select: { bodyText: 1, bodyHtml: 1 } });
  const bodies = [
    ...sends.map(({ content }) => content),
    ...messages.map(({ bodyText, bodyHtml }) => ({ text: bodyText, html: bodyHtml })),
  ];
  const texts = bodies.flatMap((body) => [body?.text ?? "", textOf(body?.html ?? "")]);
  return [...new Set(texts)].filter((text) => text.trim() !== "");
}
