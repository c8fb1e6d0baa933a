import type { Intent } from "../sending/permit.ts";
import type { ReplyDraft } from "./reply-draft.ts";

/** The email that a reply would send, now or at the time that the caller requests. */
export function replyIntent({ letter, answered, mailbox }: ReplyDraft, sendAt: Date | null = null): Intent {
  const { to, cc, bcc, subject, text, html, attachments } = letter;
  const recipients = [to, ...cc, ...bcc];
  const files = attachments.map(({ id }) => id);
  const shown = {
    kind: sendAt === null ? ("REPLY" as const) : ("SCHEDULED_REPLY" as const),
    people: recipients.length,
    mails: 1,
    recipients,
    firstSendAt: sendAt,
    lastSendAt: sendAt,
    mailboxes: [{ id: mailbox._id, email: mailbox.email }],
    texts: [{ to, cc, bcc, subject, text, html, fileNames: attachments.map(({ fileName }) => fileName) }],
  };
  const identity = [
    shown.kind,
    to,
    cc,
    bcc,
    subject,
    text,
    html,
    files,
    mailbox._id,
    mailbox.email,
    answered._id,
    sendAt,
  ];
  return { effect: async () => ({ shown, identity }), cost: async () => 1 };
}
