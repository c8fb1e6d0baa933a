import { randomUUID } from "node:crypto";
import { SmtpTrouble } from "../../connectors/smtp/connection.ts";
import { readRefusal } from "../../domain/bounces/refusal.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { ProviderDraft } from "../../domain/mailboxes/transport.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Send } from "../../models/sending/send.ts";
import { recordUnclear } from "../../store/inbox/reply.ts";
import { claim } from "../../store/sending/claim.ts";
import type { ClaimRefusal, ClaimRequest } from "../../store/sending/claim-conditions.ts";
import { copiesBeside, earlyLook, type LookRefusal, lookAgain } from "../../store/sending/last-look.ts";
import { recordNotSent, recordRefused, recordWithdrawn } from "../../store/sending/record.ts";
import { noteWithdrawn } from "../../store/sending/resolve-unknown.ts";
import { heardRefusal } from "../mailboxes/refusals.ts";
import { WorkerEnds } from "./connections.ts";
import { heldBackNow } from "./hold-back.ts";
import type { LineTransmission, MailLine } from "./line.ts";
import type { SendDependencies } from "./send-step.ts";

export type OneDependencies = Pick<SendDependencies, "connections" | "metrics" | "findHosts">;

/**
 * Transmits the same bytes to these addresses, unless the look before the content refuses; not over a line that took
 * them along.
 */
export type Transmit = (to: string | string[], mayGo: () => Promise<boolean>) => Promise<void>;

/** One email that belongs to no recipient's step, composed and ready to be sent. */
export interface OneMail {
  send: Send;
  mailbox: Mailbox;
  bytes: Buffer;
  /** The request to claim, without the attempt, whose id is drawn here. */
  claim(): Promise<Omit<ClaimRequest, "attemptId">>;
  /** Records that the server accepted it. */
  record(sent: { send: Send; attemptId: string; response: string; serverMessageId: string | null }): Promise<unknown>;
  /** The provider's id of the conversation that it continues; null when there is none. */
  inThread?: string | null;
  /** Who gets a copy, as far as email may be sent to them. */
  copies?(): Promise<string[]>;
  /** Follows the record while the connection is still open. */
  after?(request: ClaimRequest, transmitTo: Transmit): Promise<void>;
}

export type OneTransmission =
  | { kind: "sent" }
  /** The claim, or the last check before the content, refused. Nothing was transmitted, and nothing is claimed. */
  | { kind: "unclaimed"; refusal: ClaimRefusal }
  /** A server refused or did not answer, before any content: it is known to be unsent. */
  | { kind: "trouble"; trouble: Trouble }
  /** Content was being transmitted and no response was read: it is UNKNOWN now. */
  | { kind: "unclear" }
  /** Another attempt owns the send, or this process ends: look again. */
  | { kind: "again" }
  /**
   * The database is so slow, or the mailbox has to wait at its provider, that nothing was transmitted: look again then
   * (epoch milliseconds).
   */
  | { kind: "held"; until: number };

/**
 * Connects, claims, looks a last time, transmits and records (rules/sending 5.1), once. The caller handles the
 * outcome.
 */
export async function transmitOnce(dependencies: OneDependencies, one: OneMail): Promise<OneTransmission> {
  const { connections, metrics } = dependencies;
  const { mailbox } = one;
  try {
    return await connections.use(mailbox, (line) => claimAndTransmit(dependencies, one, line));
  } catch (error) {
    if (error instanceof WorkerEnds) return { kind: "again" };
    if (!(error instanceof SmtpTrouble)) throw error;
    metrics.refused(readRefusal(error.trouble).about);
    return { kind: "trouble", trouble: error.trouble };
  }
}

async function claimAndTransmit(
  { metrics, findHosts }: OneDependencies,
  one: OneMail,
  line: MailLine,
): Promise<OneTransmission> {
  const attemptId = randomUUID();
  const claimed = await claim({ ...(await one.claim()), attemptId });
  metrics.claim(claimed.kind);
  if (claimed.kind !== "claimed") return { kind: "unclaimed", refusal: claimed };
  const { send, request, timing } = claimed;
  let refusal: LookRefusal | null = await earlyLook(request, timing);
  const copies = line.hasEnvelopes ? [] : await copiesBeside(request, (await one.copies?.()) ?? []);
  const mayGo = async (draft: ProviderDraft | null) => {
    refusal = await lookAgain(request, timing, draft, copies);
    return refusal === null;
  };
  const sent: LineTransmission =
    refusal === null
      ? await line.transmit(send.to, one.bytes, mayGo, {
          copies,
          inThread: one.inThread ?? null,
          withdraws: ({ draftId }) => noteWithdrawn(send, draftId, true),
        })
      : { kind: "withdrawn" };
  if (sent.kind === "late" || (sent.kind === "withdrawn" && refusal?.kind === "late")) {
    metrics.heldBack("LATE_LOOK");
    const heldBack = heldBackNow(send);
    await recordWithdrawn(send, attemptId, heldBack);
    return { kind: "held", until: heldBack.until.getTime() };
  }
  const undoClaim = (trouble: Trouble) =>
    recordNotSent(send, attemptId, null).then((isOurs) => troubleOf(isOurs, trouble));
  switch (sent.kind) {
    case "held":
      await recordWithdrawn(send, attemptId);
      return { kind: "held", until: Date.now() + sent.waitMs };
    case "sent":
      await one.record({ send, attemptId, response: sent.response, serverMessageId: sent.serverMessageId });
      metrics.sent(null);
      await one.after?.(request, async (to, mayGo) => {
        if (line.hasEnvelopes) await line.transmit(to, one.bytes, mayGo);
      });
      return { kind: "sent" };
    case "withdrawn":
      metrics.withdrawn();
      return (await recordWithdrawn(send, attemptId)) && refusal !== null && refusal.kind !== "late"
        ? { kind: "unclaimed", refusal }
        : { kind: "again" };
    case "refused": {
      const { trouble } = sent;
      const refusal = readRefusal({ ...trouble, own: [domainOf(one.mailbox.email)] });
      metrics.refused(refusal.about);
      // Only the connection was at its end
      if (refusal.effect === "RECONNECT") return undoClaim(trouble).then(() => ({ kind: "again" }));
      // A refused test email or placement test shows nothing about the mailbox
      if (send.kind === "TEST" || send.kind === "PLACEMENT") return undoClaim(trouble);
      const refusalEvent = await heardRefusal(findHosts, one.mailbox, send, trouble, refusal);
      return troubleOf((await recordRefused(send, attemptId, null, refusalEvent)) !== null, trouble);
    }
    case "lost":
      if (!sent.inData) return undoClaim(sent.trouble);
      metrics.unknown();
      await recordUnclear(send, attemptId);
      return { kind: "unclear" };
  }
}

function troubleOf(isOurs: boolean, trouble: Trouble): OneTransmission {
  return isOurs ? { kind: "trouble", trouble } : { kind: "again" };
}
