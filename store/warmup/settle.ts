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

/** Why a planned warmup email is not sent, when its server is not the reason. */
const MISSED = "WARMUP_MISSED";

/**
 * Brings an email into line with the ledger. Only the ledger shows whether it was sent; any caller that finds a
 * difference removes it, so a process that died in between leaves nothing to repair.
 */
export function settleWarmupMail(mailId: string): Promise<WarmupMail | null> {
  return inTransaction(async () => {
    const mail = await loadWarmupMail(mailId);
    const send = mail === null ? null : await scoped(mail.fromWorkspaceId).Send.get(mail.sendId);
    return send === null ? mail : ((await applySend(send)) ?? mail);
  });
}

/**
 * The same from the row of the ledger. Null when there is nothing to change. Call it in a transaction. `sender` is the
 * mailbox of the email, if the caller has it.
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

/** An email got its reply, which counts for its sender. Call it in a transaction. */
export async function noteAnswered(mailId: string, at: Date): Promise<void> {
  const answered = await changeWarmupMail(mailId, { "engaged.repliedAt": null }, { "engaged.repliedAt": at });
  if (answered !== null) await countOnDay(answered.fromWorkspaceId, answered.fromMailboxId, { replied: 1 }, at);
}

/**
 * Gives up every email that a mailbox has planned: once the transaction has committed, no content of them begins. An
 * email that has begun ends and is recorded. Call it in a transaction.
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
 * Gives up an email that is planned and not on its way: it is MISSED, and its slot is free. It writes what a claim
 * writes, so only one of the two wins. Returns whether it did.
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

/** Records that the server accepted an email, in this row and in the ledger together. */
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

/** Ends an email that its server refused permanently, or that may not be sent at all. */
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

/** Looks at an email again after some milliseconds; its slot stays where it was. */
export async function delayWarmupMail({ _id, dueAt }: WarmupMail, ms: number): Promise<void> {
  await changeWarmupMail(_id, { state: "PLANNED", dueAt }, { dueAt: new Date(Date.now() + ms) });
}
