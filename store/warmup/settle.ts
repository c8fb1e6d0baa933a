import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { recordSingleSent } from "../sending/record.ts";
import { freeSlot } from "../sending/release.ts";
import { revokeClaims } from "../sending/revoke.ts";
import { countOnDay } from "./days.ts";
import { changeWarmupMail, loadWarmupMail, mailIdOf } from "./mails.ts";

/** The failure reason of a planned warmup email that was given up without a fault of its server. */
const MISSED = "WARMUP_MISSED";

/**
 * Updates a warmup email from its send, which alone shows whether the email was sent. Any caller corrects a difference,
 * so a process that died in between leaves nothing to repair.
 */
export function settleWarmupMail(mailId: string): Promise<WarmupMail | null> {
  return inTransaction(async () => {
    const mail = await loadWarmupMail(mailId);
    const send = mail === null ? null : await scoped(mail.fromWorkspaceId).Send.get(mail.sendId);
    return send === null ? mail : ((await applySend(send)) ?? mail);
  });
}

/**
 * Updates a warmup email from the given send. Null when nothing changes. `sender` is the mailbox of the email, if the
 * caller has loaded it. Call it in a transaction.
 */
export async function applySend(send: Send, sender?: Mailbox): Promise<WarmupMail | null> {
  const mailId = mailIdOf(send.sendKey);
  if (mailId === null) return null;
  switch (send.state) {
    case "SENT":
    case "BOUNCED": {
      const sentAt = send.sentAt ?? new Date();
      const open = { state: { $in: ["PLANNED", "UNKNOWN", "MISSED"] } };
      const sent = await changeWarmupMail(mailId, open, { state: "SENT", sentAt });
      if (sent !== null) await countOnDay(sent.fromWorkspaceId, sent.fromMailboxId, { sent: 1 }, sentAt, sender);
      if (sent?.answers) await noteAnswered(sent.answers, sentAt);
      return sent;
    }
    case "UNKNOWN":
      return changeWarmupMail(mailId, { state: "PLANNED" }, { state: "UNKNOWN" });
    case "FAILED":
      return changeWarmupMail(
        mailId,
        { state: "PLANNED" },
        { state: send.failure?.reason === MISSED ? "MISSED" : "FAILED" },
      );
    default:
      return null;
  }
}

/** Records that an email was answered, and counts that for its sender. Call it in a transaction. */
export async function noteAnswered(mailId: string, at: Date): Promise<void> {
  const answered = await changeWarmupMail(mailId, { "engaged.repliedAt": null }, { "engaged.repliedAt": at });
  if (answered !== null) await countOnDay(answered.fromWorkspaceId, answered.fromMailboxId, { replied: 1 }, at);
}

/**
 * Gives up every planned email of a mailbox. Once the transaction has committed, the transmission of none of them
 * begins. An email that is already being transmitted is completed and recorded. Call it in a transaction.
 */
export async function missPlanned(workspaceId: string, mailboxId: string): Promise<void> {
  const { MailboxDay, Send } = scoped(workspaceId);
  const planned = await WarmupMail.find({ fromMailboxId: mailboxId, state: "PLANNED" }, null, sessionOption()).lean<
    WarmupMail[]
  >();
  if (planned.length === 0) return;
  const sendIds = planned.map(({ sendId }) => sendId);
  const failure = { reason: MISSED, code: null, text: null };
  await Send.updateMany({ _id: trusted({ $in: sendIds }), state: "RESERVED" }, { $set: { state: "FAILED", failure } });
  const sends = await Send.read({ _id: { $in: sendIds } });
  const failedSends = sends.filter(({ state }) => state === "FAILED");
  for (const [day, some] of Map.groupBy(failedSends, ({ day }) => day)) {
    if (day === null) continue;
    const ids = some.map(({ _id }) => _id);
    await MailboxDay.updateOne({ _id: `${mailboxId}:${day}` }, { $pull: { taken: { sendId: trusted({ $in: ids }) } } });
  }
  for (const send of failedSends) await applySend(send);
  await revokeClaims(workspaceId, { sendIds });
}

/**
 * Gives up an email that is planned and not being sent: it becomes MISSED, and its slot is released. It writes the same
 * document as a claim, so only one of the two succeeds. Returns whether the email was given up.
 */
export function missWarmupMail(mail: Pick<WarmupMail, "_id" | "fromWorkspaceId" | "sendId">): Promise<boolean> {
  return inTransaction(async () => {
    const { Send } = scoped(mail.fromWorkspaceId);
    const failure = { reason: MISSED, code: null, text: null };
    const given = await Send.findOneAndUpdate(
      { _id: mail.sendId, state: "RESERVED" },
      { $set: { state: "FAILED", failure } },
    );
    if (given === null) return false;
    await freeSlot(given);
    return (await changeWarmupMail(mail._id, { state: "PLANNED" }, { state: "MISSED" })) !== null;
  });
}

/** Records that the server accepted an email, in the warmup email and its send together. */
export function recordWarmupSent(
  {
    send,
    attemptId,
    response,
    serverMessageId,
  }: { send: Send; attemptId: string; response: string; serverMessageId: string | null },
  mailbox: Mailbox,
): Promise<void> {
  return inTransaction(async () => {
    const sent = await recordSingleSent(send, attemptId, response, serverMessageId);
    if (sent !== null) await applySend(sent, mailbox);
  });
}

/** Ends an email that its server refused permanently, or that must not be sent. */
export function failWarmupMail(send: Send, failure: NonNullable<Send["failure"]>): Promise<void> {
  return inTransaction(async () => {
    const failed = await scoped(send.workspaceId).Send.findOneAndUpdate(
      { _id: send._id, state: "RESERVED" },
      { $set: { state: "FAILED", failure } },
    );
    if (failed === null) return;
    await freeSlot(failed);
    await applySend(failed);
  });
}

/** Postpones an email by some milliseconds. Its booked slot does not change. */
export async function delayWarmupMail({ _id, dueAt }: WarmupMail, ms: number): Promise<void> {
  await changeWarmupMail(_id, { state: "PLANNED", dueAt }, { dueAt: new Date(Date.now() + ms) });
}
