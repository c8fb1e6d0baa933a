import { createHash } from "node:crypto";
import { AppError } from "../../domain/errors.ts";
import { type LeadFact, type LeadStateSince, statesOf } from "../../domain/evidence/lead-state.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { ActivityEvent } from "../../models/recipients/event.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { findBlockEntries } from "../suppression/block-list.ts";
import { loadGuardReasons } from "../suppression/suppress.ts";

export interface LeadEvidence {
  /** The lines of the file, in order. */
  lines: object[];
  states: LeadStateSince[];
  counts: { sends: number; received: number; events: number };
}

/** The maximum number of events. A lead with more is refused, because incomplete evidence would be worthless. */
const MOST = 20_000;
const LONGEST_MS = 20_000;

/**
 * Everything known about a lead that shows where its address came from, what was sent to it after which checks, and
 * which replies and bounces came from it. Texts appear as hashes. Call it in a transaction, so that all data is of one
 * instant. @throws AppError LIMIT_EXCEEDED
 */
export async function gatherEvidence(lead: Lead): Promise<LeadEvidence> {
  const { workspaceId, _id: leadId, email } = lead;
  const { ActivityEvent, Mailbox, Message, Recipient, Send } = scoped(workspaceId);
  const recipients = await Recipient.read({ leadId }, { sort: { _id: 1 }, limit: MOST });
  const ids = recipients.map(({ _id }) => _id);
  const whole = { sort: { _id: 1 as const }, limit: MOST + 1, maxTimeMs: LONGEST_MS };
  const sends = await Send.read({ recipientId: { $in: ids } }, whole);
  const received = await Message.read({ workspaceId, recipientId: { $in: ids }, direction: "INBOUND" }, whole);
  const events = await ActivityEvent.read({ leadId }, { ...whole, hint: "workspaceId_1_leadId_1__id_-1" });
  if (Math.max(sends.length, received.length, events.length) > MOST) {
    throw new AppError("LIMIT_EXCEEDED", `Evidence has at most ${MOST} events of a lead`, { limit: MOST });
  }
  const mailboxIds = [...new Set(sends.flatMap(({ mailboxId }) => mailboxId ?? []))];
  const mailboxes = await Mailbox.read({ _id: { $in: mailboxIds } }, { select: { email: 1 } });
  const addresses = new Map(mailboxes.map((one) => [one._id, one.email]));
  const reasons = (await loadGuardReasons(workspaceId, [email])).get(email) ?? [];
  const blockedBy = await findBlockEntries(workspaceId, email);
  const states = statesOf(lead.createdAt, [...events, ...unwrittenFacts(lead, events)]);
  const lines = [
    originOf(lead),
    {
      line: "stops",
      guard: reasons,
      blockList: blockedBy.map(({ value, type, reason, createdAt, createdBy }) => ({
        value,
        type,
        reason,
        createdAt,
        createdBy,
      })),
    },
    ...recipients.map(recipientLine),
    ...sends.map((send) => sendLine(send, send.mailboxId === null ? null : (addresses.get(send.mailboxId) ?? null))),
    ...received.map(receivedLine),
    ...events.map(({ at, type, campaignId, recipientId, actor, data }) => ({
      line: "event",
      at,
      type,
      campaignId,
      recipientId,
      actor,
      data,
    })),
    ...states.map((state) => ({ line: "state", ...state })),
  ];
  return { lines, states, counts: { sends: sends.length, received: received.length, events: events.length } };
}

/** Names of custom fields in which a workspace may record its legal basis for sending, in normalised spelling. */
const BASES = new Set([
  "basis",
  "legalbasis",
  "consent",
  "consentbasis",
  "consentsource",
  "consentat",
  "consentdate",
  "lawfulbasis",
]);

function originOf(lead: Lead): object {
  const {
    email,
    source,
    createdAt,
    imports = [],
    verificationStatus,
    verifiedAt,
    verification,
    secondaryEmails,
  } = lead;
  const noted = Object.entries(lead.customFields ?? {}).filter(([key]) =>
    BASES.has(key.toLowerCase().replaceAll(/[^a-z]/g, "")),
  );
  const checked = { status: verificationStatus, at: verifiedAt, ...(verification !== null && { found: verification }) };
  return {
    line: "origin",
    email,
    secondaryEmails,
    source,
    createdAt,
    imports: imports.map(({ importId: _, digest: __, ...shown }) => shown),
    basis: Object.fromEntries(noted),
    verification: checked,
  };
}

/** A lead that was created as suppressed has no SUPPRESSED event, so the fact is taken from the lead. */
function unwrittenFacts(
  { suppressed, suppressionReason, suppressedAt, createdAt }: Lead,
  events: readonly ActivityEvent[],
): LeadFact[] {
  const last = events.findLast(({ type }) => type === "SUPPRESSED" || type === "UNSUPPRESSED");
  if (!suppressed || last?.type === "SUPPRESSED") return [];
  return [{ at: suppressedAt ?? createdAt, type: "SUPPRESSED", campaignId: null, data: { reason: suppressionReason } }];
}

function recipientLine({
  _id: recipientId,
  campaignId,
  status,
  stopReason,
  pauseReason,
  createdAt,
  sentCount,
  unsubscribedAt,
  bouncedAt,
  bounce,
  repliedAt,
}: Recipient): object {
  return {
    line: "recipient",
    recipientId,
    campaignId,
    createdAt,
    status,
    stopReason,
    pauseReason,
    sentCount,
    repliedAt,
    bouncedAt,
    bounce,
    unsubscribedAt,
  };
}

function sendLine(send: Send, mailbox: string | null): object {
  const {
    _id: sendId,
    kind,
    campaignId,
    recipientId,
    stepId,
    variantId,
    mailboxId,
    to,
    state,
    generation,
    slotAt,
    claimedAt,
    dataAt,
    sentAt,
  } = send;
  const {
    unknownAt,
    attempts,
    messageId,
    checks,
    bytesHash,
    subject,
    content,
    response,
    failure,
    evidence,
    createdAt,
  } = send;
  return {
    line: "send",
    sendId,
    kind,
    campaignId,
    recipientId,
    stepId,
    variantId,
    mailboxId,
    mailbox,
    to,
    state,
    generation,
    createdAt,
    slotAt,
    claimedAt,
    dataAt,
    sentAt,
    unknownAt,
    attempts,
    messageId,
    checks,
    hashes: { bytes: bytesHash, subject: hashOf(subject), text: hashOf(content?.text), html: hashOf(content?.html) },
    response,
    failure,
    evidence,
  };
}

function receivedLine(message: Message): object {
  const {
    _id: messageId,
    kind,
    recipientId,
    campaignId,
    sendId,
    receivedAt,
    from,
    authentication,
    category,
    bounce,
    evidence,
    rfcMessageId,
  } = message;
  const hashes = { subject: hashOf(message.subject), text: hashOf(message.bodyText), html: hashOf(message.bodyHtml) };
  return {
    line: "received",
    messageId,
    kind,
    recipientId,
    campaignId,
    sendId,
    receivedAt,
    from,
    rfcMessageId,
    authentication,
    category,
    bounce,
    attributedBy: evidence,
    hashes,
  };
}

/** SHA-256 of the UTF-8 bytes, in hexadecimal. */
function hashOf(text: string | null | undefined): string | null {
  return typeof text === "string" ? createHash("sha256").update(text).digest("hex") : null;
}
