import { readOptOut } from "../../domain/mail/opt-out.ts";
import { withoutOurs } from "../../domain/mail/our-words.ts";
import { textOf } from "../../domain/templates/body.ts";
import { scoped } from "../../models/scoped.ts";

/** As many mails as a sequence and a talk have. */
const MOST_SENT = 30;

export interface OptOutWords {
  asked: "CLEAR" | "AMBIGUOUS";
  words: string;
}

/**
 * What of a reply asks us to stop writing (B9); null when nothing does. Of words that ask, those that we sent to the recipient ourselves
 * are left out: a program may have pasted our footer without any mark. Reads in the running transaction.
 */
export async function optOutWords(workspaceId: string, recipientId: string, replyText: string): Promise<OptOutWords | null> {
  if (readOptOut(replyText) === null) return null;
  const words = withoutOurs(replyText, await sentTexts(workspaceId, recipientId));
  const asked = readOptOut(words);
  return asked === null ? null : { asked, words: words.trim() };
}

/** What we wrote to a recipient, in the campaign and by hand, as either form reads. */
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
