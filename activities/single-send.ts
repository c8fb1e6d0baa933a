import { randomUUID } from "node:crypto";
import { Context } from "@temporalio/activity";
import type { SendIds, SingleOutcome } from "../domain/engine.ts";
import { mailRef, messageId } from "../domain/message.ts";
import { readRefusal } from "../domain/smtp-outcome.ts";
import { claim, enterData } from "../ledger/claim.ts";
import { recordFailed, recordNotSent, recordSingleSent, recordUnknown } from "../ledger/record.ts";
import type { Draft } from "../models/draft.ts";
import type { Mailbox } from "../models/mailbox.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import { composeMessage } from "./compose.ts";
import { hasLogin } from "./logins.ts";
import type { SendDependencies } from "./send-step.ts";
import { SmtpTrouble, type Transmission, type Trouble, transmit } from "./smtp-connection.ts";

export interface SingleSendActivities {
  sendOnce(ids: SendIds): Promise<SingleOutcome>;
}

const BEAT_MS = 10_000;

type SingleDependencies = Pick<SendDependencies, "connections" | "keys" | "metrics">;

/** One mail that a person waits for: a test send (later an answer). Its draft and its ledger row hold all there is to know. */
export function singleSendActivities(dependencies: SingleDependencies): SingleSendActivities {
  return {
    async sendOnce(ids) {
      const beat = setInterval(() => Context.current().heartbeat(), BEAT_MS);
      try {
        return await once(dependencies, ids);
      } finally {
        clearInterval(beat);
      }
    },
  };
}

async function once(dependencies: SingleDependencies, { workspaceId, sendId }: SendIds): Promise<SingleOutcome> {
  const { Send, Draft, Mailbox } = scoped(workspaceId);
  const [send, draft] = await Promise.all([Send.get(sendId), Draft.get(sendId)]);
  if (send === null || draft === null) return { kind: "failed", reason: "GONE", code: null };
  if (send.state === "SENT") return { kind: "sent", messageId: send.messageId ?? "" };
  if (send.state === "FAILED") return { kind: "failed", reason: send.failure?.reason ?? "SEND_FAILED", code: send.failure?.code ?? null };
  // Another attempt began it and died: whether it went out is not known, so it does not go out again
  if (send.state !== "RESERVED") return { kind: "failed", reason: "SEND_UNKNOWN", code: null };
  const mailbox = await Mailbox.get(draft.mailboxId);
  if (mailbox === null || !hasLogin(mailbox)) return refuse(send, "MAILBOX_DISCONNECTED", null);
  try {
    return await dependencies.connections.use(mailbox, (connection) =>
      deliver(dependencies, send, draft, mailbox, (content, from, look) => transmit(connection, from, draft.to, content, look)),
    );
  } catch (error) {
    if (!(error instanceof SmtpTrouble)) throw error;
    dependencies.metrics.refused(readRefusal(error.trouble).fault);
    return refuse(send, reasonOf(error.trouble), error.trouble);
  }
}

type Transmit = (content: Buffer, from: string, lastLook: () => Promise<boolean>) => Promise<Transmission>;

async function deliver(
  { keys, metrics }: SingleDependencies,
  send: Send,
  draft: Draft,
  mailbox: Mailbox,
  transmitIt: Transmit,
): Promise<SingleOutcome> {
  const attemptId = randomUUID();
  const [idKey] = keys.messageId;
  const [refKey] = keys.reference;
  if (idKey === undefined || refKey === undefined) throw new Error("A signing key is missing");
  const domain = mailbox.email.slice(mailbox.email.lastIndexOf("@") + 1);
  const id = messageId(idKey.key, { workspaceId: send.workspaceId, idempotencyKey: send.sendKey ?? send._id }, domain);
  const { bytes, sha256 } = await composeMessage({
    from: { address: mailbox.email, ...(mailbox.name !== null && { name: mailbox.name }) },
    to: { address: draft.to },
    ...(mailbox.replyTo !== null && { replyTo: mailbox.replyTo }),
    subject: draft.subject,
    text: draft.text,
    html: draft.html,
    messageId: id,
    test: draft.kind === "TEST",
    date: new Date(),
  });
  const ref = mailRef(refKey.key, send._id);
  const claimed = await claim({
    send,
    mailbox,
    campaign: null,
    attemptId,
    messageId: id,
    bytesHash: sha256,
    mailRef: ref,
    subject: draft.subject,
    content: { text: draft.text, html: draft.html },
    variantId: send.variantId,
    checks: {},
  });
  if (claimed.kind !== "claimed") return refuse(send, claimed.kind === "stopped" ? "RECIPIENT_SUPPRESSED" : "MAILBOX_UNAVAILABLE", null);
  const sent = await transmitIt(bytes, mailbox.email, () => enterData(claimed.send, attemptId));
  switch (sent.kind) {
    case "sent":
      await recordSingleSent(claimed.send, attemptId, sent.response, sent.serverMessageId);
      metrics.sent();
      return { kind: "sent", messageId: id };
    case "withdrawn":
      await recordNotSent(claimed.send, attemptId, null);
      return refuse(send, "RECIPIENT_SUPPRESSED", null);
    case "refused":
      metrics.refused(readRefusal(sent.trouble).fault);
      await recordNotSent(claimed.send, attemptId, null);
      return refuse(send, reasonOf(sent.trouble), sent.trouble);
    case "lost":
      if (!sent.inData) {
        await recordNotSent(claimed.send, attemptId, null);
        return refuse(send, reasonOf(sent.trouble), sent.trouble);
      }
      metrics.unknown();
      await recordUnknown(claimed.send, attemptId);
      return { kind: "failed", reason: "SEND_UNKNOWN", code: null };
  }
}

async function refuse(send: Send, reason: string, trouble: Trouble | null): Promise<SingleOutcome> {
  const code = trouble === null || trouble.code === null ? null : String(trouble.code);
  await recordFailed(send, { status: "FAILED", stopReason: "SEND_FAILED" }, { reason, code, text: trouble?.text.slice(0, 500) ?? null });
  return { kind: "failed", reason, code };
}

function reasonOf({ stage, code, cause }: Trouble): string {
  if (stage === "AUTH" && code !== null) return "AUTH_FAILED";
  if (code !== null) return "REFUSED_BY_SERVER";
  return cause === "TIMEOUT" ? "TIMEOUT" : cause === "TLS" ? "TLS_FAILED" : "CONNECT_FAILED";
}
