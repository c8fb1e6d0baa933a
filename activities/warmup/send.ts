import { composeMessage } from "../../connectors/smtp/compose.ts";
import { newestKey } from "../../domain/access/tokens.ts";
import { readRefusal } from "../../domain/bounces/refusal.ts";
import { domainOf, mailRef, messageId } from "../../domain/mail/message.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { isOpen } from "../../domain/time/schedule.ts";
import { warmupText } from "../../domain/warmup/text.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { recordUnclear } from "../../store/inbox/reply.ts";
import { recordSuccess } from "../../store/mailboxes/faults.ts";
import type { ClaimRefusal } from "../../store/sending/claim-conditions.ts";
import { takeOver } from "../../store/sending/record.ts";
import { isWarming, loadPair, type WarmupGround } from "../../store/warmup/ground.ts";
import { loadWarmupMail } from "../../store/warmup/mails.ts";
import {
  delayWarmupMail,
  failWarmupMail,
  missWarmupMail,
  recordWarmupSent,
  settleWarmupMail,
} from "../../store/warmup/settle.ts";
import { WARMUP_GAP } from "../../store/warmup/slots.ts";
import { type OneTransmission, transmitOnce } from "../sending/one-transmission.ts";
import type { SingleDependencies } from "../sending/single-delivery.ts";
import { blameMailbox } from "../sending/single-refusal.ts";

export type WarmupSendDeps = Pick<SingleDependencies, "connections" | "keys" | "metrics" | "findHosts">;

/** Milliseconds: an email that is late by more than this becomes MISSED, so that a backlog is never sent in a burst. */
const LATE_MS = 30 * MINUTE_MS;
/**
 * Milliseconds until the next attempt for an email that another attempt is sending, and for one whose server asked to
 * wait.
 */
const HELD_MS = 5_000;
const PATIENT_MS = 10 * MINUTE_MS;

/**
 * Sends a warmup email whose slot has come and records the outcome. A repetition finds in the send record what was
 * already done.
 */
export async function sendWarmupMail(deps: WarmupSendDeps, ground: WarmupGround, mailId: string): Promise<void> {
  const mail = await loadWarmupMail(mailId);
  if (mail === null || mail.state !== "PLANNED") return;
  const send = await afterOthers(mail);
  if (send === null || send.state !== "RESERVED") {
    if (send?.state === "SENDING") await delayWarmupMail(mail, HELD_MS);
    else await settleWarmupMail(mailId);
    return;
  }
  const isLate = Date.now() > mail.dueAt.getTime() + LATE_MS;
  const partner = await loadPair(mail.toWorkspaceId, mail.toMailboxId);
  // Nothing is sent to a mailbox that does not take part in warmup now
  const isAwaited = partner !== null && isWarming(partner);
  if (isLate || !isOpen(ground.hours, Date.now()) || !isWarming(ground) || !isAwaited) {
    await missWarmupMail(mail);
    return;
  }
  const { mailbox } = ground;
  const written = await composeWarmupMail(deps, mail, send, mailbox, partner.mailbox);
  const outcome = await transmitOnce(deps, {
    send,
    mailbox,
    bytes: written.bytes,
    claim: async () => ({
      send,
      mailbox,
      campaign: null,
      gap: WARMUP_GAP,
      messageId: written.messageId,
      bytesHash: written.sha256,
      mailRef: mailRef(newestKey(deps.keys.reference), send._id),
      subject: written.subject,
      // The text is not stored, because it can be generated again from the email's id
      content: { text: "", html: null },
      tracking: null,
      variantId: null,
      checks: { mailbox: mailbox.status, enrolment: ground.enrolment.status },
    }),
    record: (sent) => recordWarmupSent(sent, mailbox),
    after: () => recordSuccess(mailbox),
  });
  await handleTransmission(mail, send, mailbox, outcome);
}

async function handleTransmission(
  mail: WarmupMail,
  send: Send,
  mailbox: Mailbox,
  outcome: OneTransmission,
): Promise<void> {
  switch (outcome.kind) {
    case "sent":
      return;
    case "unclear":
      await settleWarmupMail(mail._id);
      return;
    case "again":
      await delayWarmupMail(mail, HELD_MS);
      return;
    case "held":
      await delayWarmupMail(mail, outcome.until - Date.now());
      return;
    case "unclaimed":
      return afterRefusal(mail, send, outcome.refusal);
    case "trouble":
      return afterTrouble(mail, send, mailbox, outcome.trouble);
  }
}

/**
 * Handles a refused claim. When the mailbox is stopped or its day is full, the email is never sent, because no one
 * waits for a warmup email.
 */
async function afterRefusal(mail: WarmupMail, send: Send, refusal: ClaimRefusal): Promise<void> {
  if (refusal.kind === "stopped")
    return failWarmupMail(send, { reason: "RECIPIENT_SUPPRESSED", code: null, text: null });
  if (refusal.kind === "parked" || refusal.by === "day") {
    await missWarmupMail(mail);
    return;
  }
  if (refusal.by === "send") return delayWarmupMail(mail, HELD_MS);
  const current = await scoped(send.workspaceId).Mailbox.get(mail.fromMailboxId);
  const waitMs = (current?.nextAt?.getTime() ?? 0) - Date.now();
  // A mailbox that sent a moment ago can send again after its gap
  if (current?.status === "CONNECTED" && waitMs < LATE_MS) await delayWarmupMail(mail, Math.max(HELD_MS, waitMs));
  else await missWarmupMail(mail);
}

async function afterTrouble(mail: WarmupMail, send: Send, mailbox: Mailbox, trouble: Trouble): Promise<void> {
  const { effect } = readRefusal(trouble);
  await blameMailbox(mailbox, trouble);
  if (effect === "RETRY" || effect === "BREAKER" || effect === "SLOW_DOWN") return delayWarmupMail(mail, PATIENT_MS);
  const code = trouble.code === null ? null : String(trouble.code);
  await failWarmupMail(send, { reason: effect, code, text: trouble.text.slice(0, 500) || null });
}

/**
 * The send record. If the lease of another attempt has ended (rules/sending 8.4), that attempt's claim is undone, or
 * its outcome is recorded as unclear if it had begun to transmit.
 */
async function afterOthers({ fromWorkspaceId, sendId }: WarmupMail): Promise<Send | null> {
  const { Send } = scoped(fromWorkspaceId);
  const send = await Send.get(sendId);
  if (send?.state !== "SENDING" || (send.leaseUntil !== null && send.leaseUntil > new Date())) return send;
  if (send.phase === "DATA") await recordUnclear(send, send.attemptId ?? "");
  else await takeOver(send);
  return Send.get(sendId);
}

async function composeWarmupMail(
  { keys }: WarmupSendDeps,
  mail: WarmupMail,
  send: Send,
  mailbox: Mailbox,
  partner: Mailbox,
) {
  const answered = mail.answers === null ? null : await loadWarmupMail(mail.answers);
  const chain = await chainOf(answered);
  const { subject, text, html } = warmupText({
    openingId: mail.opening,
    turn: mail.turn,
    language: mail.language,
    from: mailbox,
    to: { name: partner.name, email: mail.toAddress, signatureHtml: null },
  });
  const id = messageId(
    newestKey(keys.messageId),
    { workspaceId: send.workspaceId, idempotencyKey: send.sendKey ?? send._id },
    domainOf(mailbox.email),
  );
  const inReplyTo = chain.at(-1);
  const composed = await composeMessage({
    from: { address: mailbox.email, ...(mailbox.name !== null && { name: mailbox.name }) },
    to: { address: mail.toAddress, ...(partner.name !== null && { name: partner.name }) },
    subject,
    text,
    html,
    messageId: id,
    ...(inReplyTo !== undefined && { inReplyTo, references: chain }),
    date: new Date(),
  });
  return { ...composed, messageId: id, subject };
}

/** The Message-IDs of the conversation so far, oldest first, as the mailbox that replies received them. */
async function chainOf(answered: WarmupMail | null): Promise<string[]> {
  const ids: string[] = [];
  for (let one = answered; one !== null; one = one.answers === null ? null : await loadWarmupMail(one.answers)) {
    const send = await scoped(one.fromWorkspaceId).Send.get(one.sendId);
    const id = send?.messageIds.at(-1);
    if (id !== undefined) ids.unshift(id);
  }
  return ids;
}
