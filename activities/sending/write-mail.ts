import { type AbuseMarks, composeMessage } from "../../connectors/smtp/compose.ts";
import type { PurposeKeys } from "../../domain/access/tokens.ts";
import { newestKey, oldestKey, signToken } from "../../domain/access/tokens.ts";
import { contentHash } from "../../domain/campaigns/approval.ts";
import type { MailTracking } from "../../domain/hits.ts";
import { domainOf, feedbackId, type MailType, mailRef, messageId } from "../../domain/mail/message.ts";
import { trackingDomainOf, trackUrlOf } from "../../domain/mailboxes/tracking-domain.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import type { Rendered } from "../../domain/templates/template.ts";
import { type TrackedMail, trackMail } from "../../domain/templates/track.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Situation } from "../../store/recipients/recipient-state.ts";
import { renderStepMail, threadOf } from "../../store/sending/rendering.ts";
import { loadContents } from "../../store/sending/uploads.ts";
import { findSendable } from "../../store/suppression/sendable.ts";

interface MailKeys extends PurposeKeys {
  messageId: { kid: string; key: Buffer }[];
  reference: { kid: string; key: Buffer }[];
}

/** What writing an email needs besides the records. */
export interface Writing {
  keys: MailKeys;
  trackUrl: string;
  /** Where recipients report abuse to the operator; null when the operator has not said. */
  abuseContact: string | null;
}

export interface WrittenMail {
  bytes: Buffer;
  bytesHash: string;
  messageId: string;
  mailRef: string;
  subject: string;
  /** What was written: without tracking, for readers of the thread. */
  content: { text: string; html: string | null };
  /** The email's tracking data; null when there is none. */
  tracking: MailTracking | null;
  /** The hash of subject and content that an approval refers to. */
  contentHash: string;
  missingVariables: string[];
  /** Addresses of Cc and Bcc, which get the same bytes. */
  copies: string[];
  /** The thread after this email has been sent. */
  thread: NonNullable<Recipient["thread"]>;
}

/** Renders and composes the email of a step, once; the same ids give the same bytes except for the date. */
export async function writeMail(
  situation: Situation,
  { step, variant, mailbox, send }: { step: Step; variant: Variant; mailbox: Mailbox; send: Send },
  { keys, trackUrl, abuseContact }: Writing,
  now: Date,
): Promise<WrittenMail> {
  const { settings, recipient, lead } = situation;
  const token = signToken(keys, "u", send._id);
  const unsubscribeLink = `${trackUrlOf(trackUrl, mailbox.trackingDomain)}/u/${token}`;
  const thread = threadOf(situation, step);
  const rendered = renderStepMail(situation, { step, variant, mailbox }, unsubscribeLink, now);
  const tracked = track(situation, { mailbox, send }, rendered, token, keys, trackUrl);
  const cc = await findSendable(send.workspaceId, settings.ccList);
  const bcc = await findSendable(send.workspaceId, settings.bccList);
  const fromDomain = domainOf(mailbox.email);
  const { workspaceId } = send;
  const id = messageId(
    newestKey(keys.messageId),
    { workspaceId, recipientId: recipient._id, stepId: step.stepId, generation: send.generation },
    fromDomain,
  );
  const ref = mailRef(newestKey(keys.reference), send._id);
  const inReplyTo = thread?.ids.at(-1);
  const { bytes, sha256 } = await composeMessage({
    from: { address: mailbox.email, ...(mailbox.name !== null && { name: mailbox.name }) },
    to: { address: recipient.email, ...(lead.fullName !== null && { name: lead.fullName }) },
    ...(cc.length > 0 && { cc: cc.map((address) => ({ address })) }),
    ...(mailbox.replyTo !== null && { replyTo: mailbox.replyTo }),
    subject: rendered.subject,
    text: tracked.text,
    html: tracked.html,
    messageId: id,
    ...(thread !== null && inReplyTo !== undefined && { inReplyTo, references: thread.ids }),
    ...(settings.unsubscribeHeader && {
      listUnsubscribe: { url: unsubscribeLink, mailto: `mailto:${mailbox.email}?subject=unsubscribe%20${token}` },
    }),
    mailRef: ref,
    abuse: abuseMarks({ keys, abuseContact }, send, "campaign"),
    files: await loadContents(workspaceId, variant.attachments ?? []),
    date: now,
  });
  return {
    bytes,
    bytesHash: sha256,
    messageId: id,
    mailRef: ref,
    subject: rendered.subject,
    content: { text: rendered.text, html: rendered.html },
    tracking: tracked.tracking,
    contentHash: contentHash(rendered, unsubscribeLink, variant.attachments),
    missingVariables: rendered.missingVariables,
    copies: [...new Set([...cc, ...bcc])].filter((address) => address !== recipient.email),
    thread: thread === null ? { subject: rendered.subject, ids: [id] } : { ...thread, ids: [...thread.ids, id] },
  };
}

/**
 * The marks by which abuse is reported (rules/mail 1.7). They use the oldest key, so that they stay the same for a
 * workspace.
 */
export function abuseMarks(
  { keys, abuseContact: contact }: Pick<Writing, "keys" | "abuseContact">,
  { workspaceId, campaignId }: Pick<Send, "workspaceId" | "campaignId">,
  type: MailType,
): AbuseMarks {
  return { contact, feedbackId: feedbackId(oldestKey(keys.reference), { workspaceId, campaignId, type }) };
}

/** Puts the addresses of the tracking domain into the email (rules/tracking 1). */
function track(
  { workspace, settings, recipient }: Situation,
  { mailbox, send }: { mailbox: Mailbox; send: Send },
  rendered: Rendered,
  unsubscribeToken: string,
  keys: MailKeys,
  trackUrl: string,
): TrackedMail {
  const domain = trackingDomainOf(mailbox, workspace);
  const under = `${trackUrlOf(trackUrl, domain)}/t`;
  return trackMail(rendered, {
    wishes: { ...settings, honeypotLink: workspace.honeypotLink ?? false }, // workspaces of earlier versions have none
    cid: recipient.cid,
    unsubscribeToken,
    isTracked: domain !== null,
    before: send.tracking ?? null, // rows of earlier versions have none
    pixelUrl: () => `${under}/o/${signToken(keys, "o", send._id)}`,
    hiddenUrl: () => `${under}/c/${signToken(keys, "c", send._id)}`,
    linkUrl: (index) => `${under}/c/${signToken(keys, "c", send._id, index)}`,
  });
}
