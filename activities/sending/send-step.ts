import { randomUUID } from "node:crypto";
import { ApplicationFailure, Context } from "@temporalio/activity";
import { SmtpTrouble } from "../../connectors/smtp/connection.ts";
import { readRefusal, type SmtpRefusal } from "../../domain/bounces/refusal.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { activePauses } from "../../domain/mailboxes/refusal-evidence.ts";
import type { ProviderDraft } from "../../domain/mailboxes/transport.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { type Step, stepAfter } from "../../domain/sequences/sequence.ts";
import { variantFor, variantShares } from "../../domain/sequences/variant.ts";
import {
  LAST_ATTEMPT,
  type RecipientIds,
  retryDelayMs,
  type StepOutcome,
  type StepVerb,
} from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Send } from "../../models/sending/send.ts";
import { recordSuccess } from "../../store/mailboxes/faults.ts";
import { bookNext } from "../../store/recipients/book-next-step.ts";
import { checkDue, noteLook, rebookAt } from "../../store/recipients/due-step.ts";
import { verbOf } from "../../store/recipients/non-mail-step.ts";
import { loadSituation, type Situation } from "../../store/recipients/recipient-state.ts";
import { applyRefusal } from "../../store/recipients/smtp-fault.ts";
import { copiesBeside, earlyLook, type LookRefusal, lookAgain, mayFollow } from "../../store/sending/last-look.ts";
import {
  EVIDENCE_MS,
  recordNotSent,
  recordRefused,
  recordSent,
  recordUnknown,
  recordWithdrawn,
} from "../../store/sending/record.ts";
import { noteWithdrawn } from "../../store/sending/resolve-unknown.ts";
import { withHeartbeat } from "../beat.ts";
import type { FindMailHosts } from "../mail-hosts.ts";
import { heardRefusal } from "../mailboxes/refusals.ts";
import { applyClaimRefusal, claimInTime, type Delivery } from "./claim-step.ts";
import { type Connections, WorkerEnds } from "./connections.ts";
import { type HeldBackWhy, holdBackClaimed, holdBackForProvider, holdBackUnclaimed } from "./hold-back.ts";
import type { LineTransmission, MailLine } from "./line.ts";
import type { SendSlots, ServerWait } from "./slots.ts";
import { fail, requestApproval, writeDueMail } from "./step-mail.ts";
import type { SendTurns } from "./turns.ts";
import type { Writing } from "./write-mail.ts";

export interface SendDependencies extends Writing {
  connections: Connections;
  turns: SendTurns;
  slots: SendSlots;
  metrics: SendMetrics;
  /** Finds at which provider recipients receive their email. */
  findHosts: FindMailHosts;
}

export interface SendMetrics {
  /**
   * A server accepted the email. `slotAt` is the instant for which it was booked; null for an email to be sent
   * immediately.
   */
  sent(slotAt: Date | null): void;
  /** The last look found a stop after the claim. */
  withdrawn(): void;
  /** An email that no one had stopped did not begin its content, because the database was slow. */
  heldBack(why: HeldBackWhy): void;
  /** How a claim ended: `claimed`, or the kind of its refusal. */
  claim(outcome: string): void;
  refused(about: string): void;
  unknown(): void;
}

export interface SendActivities {
  sendStep(ids: RecipientIds): Promise<StepOutcome>;
}

/**
 * The activities for a recipient's email step: everything between a due slot and a recorded outcome (rules/sending
 * 5.1).
 */
export function sendActivities(dependencies: SendDependencies): SendActivities {
  return {
    /**
     * Sends the email that is due for one recipient, or returns what to do instead. Throws only faults that are worth a
     * retry.
     */
    async sendStep(ids) {
      try {
        return await withHeartbeat(() => step(dependencies, ids));
      } catch (error) {
        if (!(error instanceof WorkerEnds)) throw error;
        return { kind: "replan", at: Date.now(), why: "another worker" };
      }
    },
  };
}

async function step(dependencies: SendDependencies, ids: RecipientIds): Promise<StepOutcome> {
  const { slots, turns, metrics } = dependencies;
  const { workspaceId } = ids;
  const at = slots.leavesUntil(workspaceId);
  if (at !== null) {
    const situation = await loadSituation(ids);
    if (situation === null) return { kind: "stop", reason: "GONE" };
    await noteLook(situation.recipient, at);
    return { kind: "replan", at, why: "a free slot, because the workspace's mail servers are slow" };
  }
  return slots.hold(workspaceId, async (wait) => {
    const ready = await turns.run(workspaceId, UNCOUNTED, (inTurn) => prepare(dependencies, ids, inTurn));
    if (ready === null) {
      metrics.heldBack("NO_TURN");
      return holdBackUnprepared(ids);
    }
    return "kind" in ready ? ready : deliver(dependencies, ready.situation, ready.delivery, wait);
  });
}

/** Writes the email that is due; an outcome if there is none to send. */
async function prepare(
  dependencies: SendDependencies,
  ids: RecipientIds,
  wait: ServerWait,
): Promise<StepOutcome | { situation: Situation; delivery: Delivery }> {
  const situation = await loadSituation(ids);
  if (situation === null) return { kind: "stop", reason: "GONE" };
  await learnProvider(dependencies, situation, wait);
  const due = await checkDue(situation);
  if (due.kind !== "due") return due;
  const { send, mailbox } = due;
  const plan = situation.step;
  if (plan === null) return { kind: "stop", reason: "SEQUENCE_FINISHED" };
  const variant = variantFor(plan, ids.recipientId);
  if (variant === null) return fail(send, "TEMPLATE_ERROR", "NO_ENABLED_VARIANT");
  const mail = await writeDueMail(dependencies, situation, plan, variant, mailbox, send);
  if ("kind" in mail) return mail;
  const approvalOutcome = await requestApproval(situation, send, plan, mail);
  return approvalOutcome ?? { situation, delivery: { send, mailbox, mail, variant, shares: sharesOf(plan) } };
}

/** Lets an email wait whose turn to be written did not come in time. */
async function holdBackUnprepared(ids: RecipientIds): Promise<StepOutcome> {
  const situation = await loadSituation(ids);
  if (situation === null) return { kind: "stop", reason: "GONE" };
  const due = await checkDue(situation);
  return due.kind === "due" ? holdBackUnclaimed(situation, due.send) : due;
}

/** While the mailbox skips a provider, the recipient's own provider must be known before its step is checked. */
async function learnProvider(
  { findHosts }: SendDependencies,
  { mailbox, recipient }: Situation,
  wait: ServerWait,
): Promise<void> {
  if (mailbox === null || activePauses(mailbox, Date.now()).length === 0) return;
  wait.begins();
  await findHosts([domainOf(recipient.email)], PROVIDER_MS);
  wait.ends();
}

/** A wait that is no sign of a slow mail server. */
const UNCOUNTED: ServerWait = { begins() {}, ends() {} };

/** Milliseconds for that. */
const PROVIDER_MS = 5_000;

function sharesOf(step: Step): Send["variantShares"] {
  const shares = variantShares(step);
  return Object.keys(shares).length > 1 ? shares : null;
}

/** Connects first, then claims, then transmits: a dead host or a wrong password never holds a claim. */
async function deliver(
  dependencies: SendDependencies,
  situation: Situation,
  delivery: Delivery,
  wait: ServerWait,
): Promise<StepOutcome> {
  const { connections, metrics, turns } = dependencies;
  try {
    wait.begins();
    const finish = await connections
      .use(delivery.mailbox, (line, ending) => {
        wait.ends();
        const { workspaceId } = delivery.send;
        return turns.run(workspaceId, wait, (inTurn) =>
          claimAndSend(dependencies, situation, delivery, line, ending, inTurn),
        );
      })
      .finally(wait.ends);
    if (finish !== null) return await finish();
    metrics.heldBack("NO_TURN");
    return await holdBackUnclaimed(situation, delivery.send);
  } catch (error) {
    if (!(error instanceof SmtpTrouble)) throw error;
    const refusal = readRefusal(error.trouble);
    metrics.refused(refusal.about);
    return afterTrouble(situation, delivery.send, delivery.mailbox, error.trouble, refusal);
  }
}

/** The work that remains once the connection is free for the mailbox's next email. */
type Finish = () => Promise<StepOutcome>;

async function claimAndSend(
  dependencies: SendDependencies,
  situation: Situation,
  delivery: Delivery,
  line: MailLine,
  ending: AbortSignal,
  wait: ServerWait,
): Promise<Finish> {
  const { metrics } = dependencies;
  const attemptId = randomUUID();
  const claimed = await claimInTime(situation, delivery, attemptId, ending);
  metrics.claim(claimed.kind);
  if (claimed.kind !== "claimed") return () => applyClaimRefusal(situation, delivery, claimed);
  const { mail } = delivery;
  const { send, request, timing } = claimed;
  let refusal: LookRefusal | null = await earlyLook(request, timing);
  const copies = line.hasEnvelopes ? [] : await copiesBeside(request, mail.copies);
  const mayGo = async (draft: ProviderDraft | null) => {
    wait.ends();
    refusal = await lookAgain(request, timing, draft, copies);
    wait.begins();
    return refusal === null;
  };
  const withdraws = ({ draftId }: ProviderDraft) => noteWithdrawn(send, draftId, true);
  const options = { copies, inThread: mail.thread.providerId ?? null, withdraws };
  wait.begins();
  const sent: LineTransmission =
    refusal === null ? await line.transmit(send.to, mail.bytes, mayGo, options) : { kind: "withdrawn" };
  wait.ends();
  if (sent.kind === "late" || (sent.kind === "withdrawn" && refusal?.kind === "late")) {
    metrics.heldBack("LATE_LOOK");
    return () => holdBackClaimed(situation, send, attemptId);
  }
  const conclude = () => handleTransmission(dependencies, situation, { ...delivery, send }, attemptId, sent);
  if (sent.kind === "sent" && (mail.copies.length === 0 || !line.hasEnvelopes)) return conclude;
  // A server's refusal is recorded before the mailbox's next email
  const outcome = await conclude();
  // Copies go in an envelope of their own, so that the recipient's delivery never depends on them; a lost copy is not
  // repeated
  wait.begins();
  if (sent.kind === "sent" && line.hasEnvelopes)
    await line.transmit(mail.copies, mail.bytes, () => mayFollow(request, mail.copies));
  wait.ends();
  return async () => outcome;
}

async function handleTransmission(
  { metrics, findHosts }: SendDependencies,
  situation: Situation,
  { send, mailbox, mail }: Delivery,
  attemptId: string,
  transmission: Exclude<LineTransmission, { kind: "late" }>,
): Promise<StepOutcome> {
  switch (transmission.kind) {
    case "sent": {
      const { response, serverMessageId, threadId: providerId = null } = transmission;
      const { ids } = mail.thread;
      const thread = {
        ...mail.thread,
        ids: serverMessageId === null ? ids : [...ids.slice(0, -1), serverMessageId],
        ...(providerId !== null && { providerId }),
      };
      const recorded = await recordSent({
        send,
        recipient: situation.recipient,
        attemptId,
        response,
        serverMessageId,
        sentAt: new Date(),
        thread,
        sequence: situation.sequence,
        copied: { mailbox, bytes: mail.bytes },
        bookNext: (recipient, nextStepId) => bookNext.after(situation, mailbox, recipient, nextStepId),
      });
      metrics.sent(send.slotAt);
      await recordSuccess(mailbox, { isDelivered: true });
      return { kind: "sent", nextAt: recorded?.nextAt?.getTime() ?? null, ...dueNext(situation) };
    }
    case "withdrawn":
      metrics.withdrawn();
      await recordWithdrawn(send, attemptId);
      return { kind: "replan", at: Date.now(), why: "a second look" };
    case "held":
      return holdBackForProvider(situation, send, attemptId, transmission.waitMs);
    case "refused": {
      const { trouble } = transmission;
      const refusal = readRefusal({ ...trouble, own: [domainOf(mailbox.email)] });
      metrics.refused(refusal.about);
      const refusalEvent = await heardRefusal(findHosts, mailbox, send, trouble, refusal);
      const triedAfter = mailbox.trial?.restsUntil ?? null;
      const effectiveRefusal = await recordRefused(send, attemptId, sendFailureOf(trouble), refusalEvent, triedAfter);
      return afterTrouble(situation, send, mailbox, trouble, effectiveRefusal ?? refusal);
    }
    case "lost":
      if (!transmission.inData) {
        const { trouble } = transmission;
        await recordNotSent(send, attemptId, sendFailureOf(trouble));
        return afterTrouble(situation, send, mailbox, trouble, readRefusal(trouble));
      }
      metrics.unknown();
      await recordUnknown(send, attemptId);
      return { kind: "replan", at: Date.now() + EVIDENCE_MS, why: "evidence that the mail went out" };
  }
}

/** Applies a refusal to mailbox and recipient; a transient one is thrown, so that the activity's policy retries. */
async function afterTrouble(
  situation: Situation,
  send: Send,
  mailbox: Mailbox,
  trouble: Trouble,
  refusal: SmtpRefusal,
): Promise<StepOutcome> {
  const next = await applyRefusal(situation, send, mailbox, trouble, refusal);
  if (next.kind !== "retry") return next;
  const { attempt } = Context.current().info;
  if (attempt < LAST_ATTEMPT) {
    await noteLook(situation.recipient, Date.now() + retryDelayMs(attempt));
    throw ApplicationFailure.retryable(
      `${refusal.about} refused at ${trouble.stage}: ${trouble.code ?? trouble.cause}`,
      "TransientRefusal",
    );
  }
  return rebookAt(situation, send, mailbox, Date.now() + next.laterMs, "another try after a refusal");
}

/** The text of the timer that an operator reads. */
function dueNext({ sequence, step }: Situation): { next: string; by?: StepVerb } {
  const next = step === null ? null : stepAfter(sequence.steps, step.stepId);
  if (next === null || step === null) return { next: "the end" };
  // If conditions decide the next step, they are evaluated first, which every queue can do
  const by = step.conditions.length > 0 ? "mail" : verbOf(next);
  return { next: `step ${next.order} due`, ...(by !== "mail" && { by }) };
}

function sendFailureOf({ stage, code, text, cause }: Trouble): NonNullable<Send["failure"]> {
  return {
    reason: `${stage}_${code === null ? cause : "REFUSED"}`,
    code: code === null ? null : String(code),
    text: text.slice(0, 500) || null,
  };
}
