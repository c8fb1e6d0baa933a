import { composeMessage } from "../../connectors/smtp/compose.ts";
import { newestKey, signToken } from "../../domain/access/tokens.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { domainOf, type MailType, mailRef, messageId } from "../../domain/mail/message.ts";
import { bandOf } from "../../domain/mailboxes/band.ts";
import { trackUrlOf } from "../../domain/mailboxes/tracking-domain.ts";
import { isProvidersLimit } from "../../domain/sending/provider-limits.ts";
import type { SingleEnd, SingleOutcome } from "../../domain/workflow-contract.ts";
import type { OutgoingMail } from "../../models/inbox/outgoing-mail.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { recordReplySent } from "../../store/inbox/reply.ts";
import { concernedAddressesOf } from "../../store/inbox/reply-letter.ts";
import { recordSuccess } from "../../store/mailboxes/faults.ts";
import { type ClaimRefusal, type ClaimRequest, USABLE } from "../../store/sending/claim-conditions.ts";
import { mayFollow } from "../../store/sending/last-look.ts";
import { recordSingleSent } from "../../store/sending/record.ts";
import { loadContents } from "../../store/sending/uploads.ts";
import { findSendable } from "../../store/suppression/sendable.ts";
import { type OneTransmission, type Transmit, transmitOnce } from "./one-transmission.ts";
import type { SendDependencies } from "./send-step.ts";
import { afterTrouble, failSend, isAnswer } from "./single-refusal.ts";
import { abuseMarks } from "./write-mail.ts";

export type SingleDependencies = Pick<
  SendDependencies,
  "connections" | "keys" | "trackUrl" | "abuseContact" | "metrics" | "findHosts"
>;

const SOON_MS = 1_000;

interface Written {
  bytes: Buffer;
  sha256: string;
  messageId: string;
  ref: string;
}

interface Delivery {
  send: Send;
  draft: OutgoingMail;
  mailbox: Mailbox;
  mail: Written;
}

/**
 * Everything between a RESERVED send and its recorded outcome (rules/sending 5.1): compose, connect, claim, transmit,
 * record.
 */
export async function deliverOne(
  dependencies: SingleDependencies,
  send: Send,
  draft: OutgoingMail,
  mailbox: Mailbox,
): Promise<SingleOutcome> {
  const mail = await writeMail(dependencies, send, draft, mailbox);
  if ("kind" in mail) return mail;
  const delivery = { send, draft, mailbox, mail };
  const isReply = isAnswer(send);
  const sent = await transmitOnce(dependencies, {
    send,
    mailbox,
    bytes: mail.bytes,
    inThread: await conversationOf(mailbox, draft),
    claim: () => claimOf(delivery),
    record: ({ send, attemptId, response, serverMessageId }) =>
      isReply || send.approvalId
        ? recordReplySent(send, attemptId, response, serverMessageId, isReply ? { mailbox, bytes: mail.bytes } : null)
        : recordSingleSent(send, attemptId, response, serverMessageId),
    ...(isReply && { copies: () => copiesOf(delivery) }),
    after: (request, transmitTo) => (isReply ? sendCopies(delivery, request, transmitTo) : Promise.resolve()),
  });
  return outcomeOfTransmission(delivery, sent);
}

async function outcomeOfTransmission(delivery: Delivery, sent: OneTransmission): Promise<SingleOutcome> {
  switch (sent.kind) {
    case "sent":
      return { kind: "sent", messageId: delivery.mail.messageId };
    case "unclaimed":
      return outcomeOfRefusedClaim(delivery, sent.refusal);
    case "trouble":
      return afterTrouble(delivery.send, delivery.mailbox, sent.trouble);
    case "unclear":
      return { kind: "failed", reason: "SEND_UNKNOWN", code: null };
    case "again":
      return retrySoon();
    case "held":
      return { kind: "later", at: sent.until };
  }
}

async function writeMail(
  { keys, trackUrl, abuseContact }: SingleDependencies,
  send: Send,
  draft: OutgoingMail,
  mailbox: Mailbox,
): Promise<Written | SingleEnd> {
  const domain = domainOf(mailbox.email);
  const key = { workspaceId: send.workspaceId, idempotencyKey: send.sendKey ?? send._id };
  const id = messageId(newestKey(keys.messageId), key, domain);
  const ref = mailRef(newestKey(keys.reference), send._id);
  try {
    const composed = await composeMessage({
      from: { address: mailbox.email, ...(mailbox.name !== null && { name: mailbox.name }) },
      to: { address: draft.to, ...(draft.toName !== null && { name: draft.toName }) },
      ...(draft.cc.length > 0 && { cc: draft.cc.map((address) => ({ address })) }),
      ...(mailbox.replyTo !== null && { replyTo: mailbox.replyTo }),
      subject: draft.subject,
      text: draft.text,
      html: draft.html,
      messageId: id,
      ...(draft.inReplyTo !== null && { inReplyTo: draft.inReplyTo }),
      ...(draft.references.length > 0 && { references: draft.references }),
      ...((isAnswer(send) || send.kind === "PLACEMENT" || draft.kind === "PROBE") && { mailRef: ref }),
      ...(draft.hasUnsubscribe === true && {
        listUnsubscribe: unsubscribeOf(mailbox, tokenOf(send, draft, keys), trackUrl),
      }),
      abuse: abuseMarks({ keys, abuseContact }, send, mailTypeOf(send, draft)),
      test: draft.kind === "TEST",
      files: await loadContents(send.workspaceId, draft.attachments ?? []),
      // The date of a probe must be known where it arrives
      date: draft.kind === "PROBE" ? draft.createdAt : new Date(),
    });
    return { ...composed, messageId: id, ref };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return failSend(
      send,
      error.code === "LIMIT_EXCEEDED" || error.code === "ATTACHMENT_NOT_FOUND" ? error.code : "INVALID_MESSAGE",
    );
  }
}

function mailTypeOf(send: Send, { kind }: OutgoingMail): MailType {
  if (isAnswer(send)) return "reply";
  return kind === "TEST" ? "test" : "check";
}

/** The provider's conversation of the email that is answered. */
async function conversationOf(
  { workspaceId, _id: mailboxId }: Mailbox,
  { inReplyTo }: OutgoingMail,
): Promise<string | null> {
  if (inReplyTo === null) return null;
  const answered = { mailboxId, rfcMessageId: inReplyTo, providerThreadId: trusted({ $ne: null }) };
  return (await scoped(workspaceId).Message.findOne(answered))?.providerThreadId ?? null;
}

/** A scanner that follows the link of a probe must not unsubscribe the mailbox's own address. */
function tokenOf({ _id }: Send, { kind }: OutgoingMail, keys: SingleDependencies["keys"]): string {
  return kind === "PROBE" ? "mailbox-check" : signToken(keys, "u", _id);
}

/** The same as in a campaign email. */
function unsubscribeOf({ email, trackingDomain }: Mailbox, token: string, trackUrl: string) {
  return {
    url: `${trackUrlOf(trackUrl, trackingDomain)}/u/${token}`,
    mailto: `mailto:${email}?subject=unsubscribe%20${token}`,
  };
}

/**
 * Sends the copies in an envelope of their own, so that the recipient's delivery never depends on them; a lost copy is
 * not repeated.
 */
async function sendCopies(delivery: Delivery, request: ClaimRequest, transmitTo: Transmit): Promise<void> {
  await recordSuccess(delivery.mailbox, { isDelivered: true });
  const copies = await copiesOf(delivery);
  if (copies.length > 0) await transmitTo(copies, () => mayFollow(request, copies));
}

function copiesOf({ send, draft }: Delivery): Promise<string[]> {
  return findSendable(send.workspaceId, [...draft.cc, ...draft.bcc]);
}

async function claimOf({ send, draft, mailbox, mail }: Delivery): Promise<Omit<ClaimRequest, "attemptId">> {
  return {
    send,
    mailbox,
    campaign: null,
    also: concernedAddressesOf(draft),
    ...(isAnswer(send) && { gap: await gapOf(send) }),
    messageId: mail.messageId,
    bytesHash: mail.sha256,
    mailRef: mail.ref,
    subject: draft.subject,
    content: { text: draft.text, html: draft.html },
    tracking: null,
    variantId: send.variantId,
    checks: { mailbox: mailbox.status, addresses: concernedAddressesOf(draft).length },
  };
}

/** The gap of the campaign that the thread belongs to, otherwise a campaign's default gap. */
async function gapOf({ workspaceId, threadId }: Send): Promise<{ minGapSeconds: number; maxGapSeconds: number }> {
  const { Campaign, Thread } = scoped(workspaceId);
  const thread = threadId === null ? null : await Thread.get(threadId);
  const campaign = thread?.campaignId ? await Campaign.get(thread.campaignId) : null;
  return settingsOf(campaign?.settings ?? {});
}

/**
 * Decides what a refused claim means; the claim has written nothing. A send that another attempt holds is looked at
 * again, never failed.
 */
async function outcomeOfRefusedClaim({ send, mailbox }: Delivery, refusal: ClaimRefusal): Promise<SingleOutcome> {
  if (refusal.kind === "stopped") return failSend(send, "RECIPIENT_SUPPRESSED");
  if (refusal.kind === "parked") return failSend(send, "WORKSPACE_SUSPENDED");
  if (refusal.by === "send") return retrySoon();
  if (refusal.by === "day" || refusal.by === "workspace") {
    const ofMailbox = isProvidersLimit(mailbox) ? "PROVIDER_LIMIT" : "DAILY_LIMIT";
    return failSend(send, refusal.by === "day" ? ofMailbox : "WORKSPACE_LIMIT", null, { resetsAt: refusal.resetsAt });
  }
  const current = await scoped(send.workspaceId).Mailbox.get(mailbox._id);
  const isUsable = USABLE.person.some((status) => status === current?.status);
  if (isUsable && current !== null && bandOf(current) === "BLOCKED") return failSend(send, "BLOCKED");
  // A usable mailbox is only delayed by its provider's pace, which is a matter of seconds
  return isUsable ? retrySoon(current?.paceAt) : failSend(send, "MAILBOX_UNAVAILABLE");
}

function retrySoon(at: Date | null = null): SingleOutcome {
  return { kind: "later", at: at?.getTime() ?? Date.now() + SOON_MS };
}
