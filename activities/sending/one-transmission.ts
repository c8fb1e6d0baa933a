import { randomUUID } from "node:crypto";
import { SmtpTrouble, transmit } from "../../connectors/smtp/connection.ts";
import { readRefusal } from "../../domain/bounces/smtp-refusal.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import type { Send } from "../../models/send.ts";
import { recordUnclear } from "../../store/inbox/reply.ts";
import { claim } from "../../store/sending/claim.ts";
import type { ClaimRefusal, ClaimRequest } from "../../store/sending/claim-conditions.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { recordNotSent, recordWithdrawn } from "../../store/sending/record.ts";
import type { SendDependencies } from "./send-step.ts";
import { WorkerEnds } from "./smtp-connections.ts";

export type OneDependencies = Pick<SendDependencies, "connections" | "metrics">;

/** Transmits the same bytes to these addresses, unless the look before the content refuses. */
export type Transmit = (to: string | string[], mayGo: () => Promise<boolean>) => ReturnType<typeof transmit>;

/** One mail that belongs to no recipient's step, composed and ready to go. */
export interface OneMail {
  send: Send;
  mailbox: Mailbox;
  bytes: Buffer;
  /** What is claimed, without the attempt, which is drawn here. */
  claim(): Promise<Omit<ClaimRequest, "attemptId">>;
  /** Records that the server took it. */
  record(sent: { send: Send; attemptId: string; response: string; serverMessageId: string | null }): Promise<unknown>;
  /** Follows the record while the connection is still open. */
  after?(request: ClaimRequest, transmitTo: Transmit): Promise<void>;
}

export type OneTransmission =
  | { kind: "sent" }
  /** The claim or the last look refused. Nothing has been transmitted, and nothing is claimed. */
  | { kind: "unclaimed"; refusal: ClaimRefusal }
  /** A server refused or did not answer, before any content: known not sent. */
  | { kind: "trouble"; trouble: Trouble }
  /** Content was being transmitted and no response was read: it is UNKNOWN now. */
  | { kind: "unclear" }
  /** Another attempt owns the send, or this process ends: look again. */
  | { kind: "again" };

/** Connects, claims, looks a last time, transmits and records (rules/sending 5.1), once. What follows from it is the caller's. */
export async function transmitOnce({ connections, metrics }: OneDependencies, one: OneMail): Promise<OneTransmission> {
  const { mailbox } = one;
  try {
    return await connections.use(mailbox, (connection) =>
      transmitted(metrics, one, (to, look) => transmit(connection, mailbox.email, to, one.bytes, look)),
    );
  } catch (error) {
    if (error instanceof WorkerEnds) return { kind: "again" };
    if (!(error instanceof SmtpTrouble)) throw error;
    metrics.refused(readRefusal(error.trouble).fault);
    return { kind: "trouble", trouble: error.trouble };
  }
}

async function transmitted(metrics: OneDependencies["metrics"], one: OneMail, transmitTo: Transmit): Promise<OneTransmission> {
  const attemptId = randomUUID();
  const claimed = await claim({ ...(await one.claim()), attemptId });
  metrics.claim(claimed.kind);
  if (claimed.kind !== "claimed") return { kind: "unclaimed", refusal: claimed };
  const { send, request } = claimed;
  let refusal: ClaimRefusal | null = null;
  const sent = await transmitTo(send.to, async () => {
    refusal = await lastLook(request);
    return refusal === null;
  });
  const undone = (trouble: Trouble) => recordNotSent(send, attemptId, null).then((isOurs) => troubleOf(isOurs, trouble));
  switch (sent.kind) {
    case "sent":
      await one.record({ send, attemptId, response: sent.response, serverMessageId: sent.serverMessageId });
      metrics.sent(null);
      await one.after?.(request, transmitTo);
      return { kind: "sent" };
    case "withdrawn":
      metrics.withdrawn();
      return (await recordWithdrawn(send, attemptId)) && refusal !== null ? { kind: "unclaimed", refusal } : { kind: "again" };
    case "refused":
      metrics.refused(readRefusal(sent.trouble).fault);
      return undone(sent.trouble);
    case "lost":
      if (!sent.inData) return undone(sent.trouble);
      metrics.unknown();
      await recordUnclear(send, attemptId);
      return { kind: "unclear" };
  }
}

function troubleOf(isOurs: boolean, trouble: Trouble): OneTransmission {
  return isOurs ? { kind: "trouble", trouble } : { kind: "again" };
}
