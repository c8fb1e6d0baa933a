import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { referencesOf } from "../../domain/mail/message.ts";
import { POLICY_WAITS_MS } from "../../domain/mailboxes/refusals.ts";
import { hadOf } from "../../domain/recipients/had.ts";
import { BOOK_AHEAD_MS } from "../../domain/sending/pacing.ts";
import { relayKeyOf } from "../../domain/sending/relay-id.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import { isOpenStatus } from "../../domain/states.ts";
import { HORIZON_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { dueAfter } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { notePeople } from "../changed-days.ts";
import { applySentReply } from "../inbox/reply.ts";
import { nudge } from "../outbox.ts";
import { applySentMail } from "../recipients/after-sent.ts";
import { type Ending, endRecipient } from "../recipients/stop.ts";
import { bookStep } from "./book.ts";
import { calendarOf } from "./calendar.ts";
import { freeSlot, releaseBooking } from "./release.ts";

/**
 * Thrown when a message refers to a send whose own attempt is still recording the result. The message must be processed
 * again after `until`.
 */
export class StillRecording extends Error {
  readonly until: Date;
  constructor(until: Date) {
    super("The send is still being recorded");
    this.until = until;
  }
}

/** How a step is sent again after a proven failure, and how the recipient ends after the last attempt. */
export interface StepRepeats {
  counter: "softFailures" | "policyRefusals";
  /** Milliseconds after each failure. */
  waitsMs: readonly number[];
  ending: Ending;
}

/** rules/mail 7.8. */
export const AFTER_SOFT_BOUNCE: StepRepeats = {
  counter: "softFailures",
  waitsMs: [HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS],
  ending: { status: "SKIPPED", stopReason: "SOFT_BOUNCE_EXHAUSTED" },
};

/** rules/sending 10.2. */
export const AFTER_POLICY: StepRepeats = {
  counter: "policyRefusals",
  waitsMs: POLICY_WAITS_MS,
  ending: { status: "FAILED", stopReason: "REFUSED_BY_POLICY" },
};

/**
 * Confirms that an email was sent, because something responded to it (rules/sending 9.3). A send with an unknown
 * outcome becomes SENT, with all consequences. Returns the current send. Call it in a transaction.
 * @throws StillRecording while the send's own attempt may still record the result
 */
export async function confirmSent(send: Send, evidence: string): Promise<Send> {
  const { Send, Sequence } = scoped(send.workspaceId);
  if (send.state === "SENDING" && send.leaseUntil !== null && send.leaseUntil > new Date())
    throw new StillRecording(send.leaseUntil);
  const isUnknown = send.state === "UNKNOWN" || (send.state === "SENDING" && send.phase === "DATA");
  const wasGivenUp = send.state === "FAILED" && send.failure?.reason === "SEND_UNKNOWN";
  if (!isUnknown && !wasGivenUp) return send;
  const sent = await Send.findOneAndUpdate(
    { _id: send._id, state: send.state },
    {
      $set: {
        state: "SENT",
        phase: null,
        leaseUntil: null,
        sentAt: send.claimedAt ?? new Date(),
        evidence,
        attempts: 0,
      },
    },
  );
  if (sent === null) throw new StillRecording(new Date());
  if (sent.threadId !== null) await applySentReply(sent);
  if (sent.recipientId !== null) await notePeople(sent.workspaceId, [sent.recipientId]);
  const { recipientId, campaignId } = sent;
  const sequence = campaignId === null ? null : await Sequence.findOne({ campaignId });
  if (sequence === null) return sent;
  await applySentMail(sent, sequence, await threadWith(sent, sequence), (recipient, { stepId }) =>
    planStep(recipient, stepId, null),
  );
  if (recipientId !== null && campaignId !== null)
    await nudge(sent.workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  return sent;
}

/**
 * Our replies with an unknown outcome to which a message refers. The message proves that they were sent, no matter who
 * wrote it.
 */
export async function findOpenAnswers(
  workspaceId: string,
  { inReplyTo, references }: Pick<Inbound, "inReplyTo" | "references">,
): Promise<Send[]> {
  const ids = [...new Set([...(inReplyTo === null ? [] : [inReplyTo]), ...referencesOf(references)])];
  if (ids.length === 0) return [];
  const open = {
    messageIds: trusted({ $in: ids }),
    state: trusted({ $in: ["SENDING", "UNKNOWN"] }),
    threadId: trusted({ $ne: null }),
  };
  return scoped(workspaceId).Send.find(open);
}

/**
 * Sends of a mailbox that one of these ids may refer to through the id of the relay that accepted them, each with the
 * matching ids (rules/mail 2.5).
 */
export async function findRelayed(
  { workspaceId, _id: mailboxId }: Pick<Mailbox, "workspaceId" | "_id">,
  ids: readonly string[],
): Promise<{ send: Send; ids: string[] }[]> {
  const keyed = ids.flatMap((id) => {
    const key = relayKeyOf(id);
    return key === null ? [] : [{ id, key }];
  });
  if (keyed.length === 0) return [];
  const sends = await scoped(workspaceId).Send.find(
    { mailboxId, relayIds: trusted({ $in: keyed.map(({ key }) => key) }) },
    { limit: MOST_RELAYED },
  );
  return sends.map((send) => ({ send, ids: keyed.flatMap(({ id, key }) => (send.relayIds.includes(key) ? id : [])) }));
}

const MOST_RELAYED = 100;

/** The thread of the recipient after adding this email. */
async function threadWith(sent: Send, sequence: Sequence): Promise<Recipient["thread"]> {
  const { workspaceId, recipientId, stepId, messageId } = sent;
  const recipient = recipientId === null ? null : await scoped(workspaceId).Recipient.get(recipientId);
  const thread = recipient?.thread ?? null;
  if (messageId === null || thread?.ids.includes(messageId)) return thread;
  const opens = thread === null || stepOf(sequence.steps, stepId)?.threadMode === "NEW_THREAD";
  return opens
    ? { subject: sent.subject ?? "", ids: [messageId] }
    : { subject: thread.subject, ids: [...thread.ids, messageId] };
}

/**
 * Books a step of a recipient, not before `notBefore`; with null, after the step's delay from the last email. A step
 * that is no email, or is not known yet, is left to the recipient's next check. Null when data for a booking is
 * missing. Call it in a transaction.
 */
async function planStep(recipient: Recipient, stepId: string | null, notBefore: number | null): Promise<Date | null> {
  const { Campaign, Lead, Mailbox, Sequence } = scoped(recipient.workspaceId);
  const campaign = await Campaign.get(recipient.campaignId);
  const sequence = await Sequence.findOne({ campaignId: recipient.campaignId });
  const lead = await Lead.get(recipient.leadId);
  const mailbox = recipient.mailboxId === null ? null : await Mailbox.get(recipient.mailboxId);
  const step = stepOf(sequence?.steps ?? [], stepId);
  if (stepId === null || (step !== null && step.type !== "EMAIL")) return new Date();
  if (campaign === null || lead === null || mailbox === null || step === null) return null;
  const settings = settingsOf(campaign.settings);
  const from = recipient.lastSentAt?.getTime() ?? Date.now();
  const calendar = await calendarOf(settings, mailbox, recipient.timezone, lead.country, from);
  const earliest = notBefore ?? dueAfter(step.delay, from, recipient.timezone ?? settings.timezone, calendar);
  if (earliest > Date.now() + BOOK_AHEAD_MS) return new Date(earliest);
  const request = {
    campaign,
    settings,
    recipient,
    mailbox,
    calendar,
    stepId,
    earliest,
    latest: earliest + HORIZON_MS,
    isNewLead: false,
  };
  return (await bookStep(request))?.slotAt ?? new Date(calendar.endAt ?? earliest);
}

/**
 * Sends a step again after a proven failure (rules/mail 7.8): later and with a new generation. After a few times, the
 * recipient ends. IMPOSSIBLE when the sequence has advanced or ended meanwhile. Call it in a transaction.
 */
export async function repeatStep(
  send: Send,
  { counter, waitsMs, ending }: StepRepeats,
): Promise<"REPEATED" | "EXHAUSTED" | "IMPOSSIBLE"> {
  const { Recipient, Send } = scoped(send.workspaceId);
  const recipient = send.recipientId === null ? null : await Recipient.get(send.recipientId);
  if (
    recipient === null ||
    !isOpenStatus(recipient.status) ||
    recipient.currentStepId !== send.stepId ||
    send.stepId === null
  ) {
    return "IMPOSSIBLE";
  }
  const next = await Send.findOne({ recipientId: recipient._id, stepId: recipient.nextStepId });
  if (next !== null && next.state !== "RESERVED" && next.state !== "RELEASED") return "IMPOSSIBLE";
  const waitMs = waitsMs[send[counter] ?? 0]; // `policyRefusals` is absent in sends of earlier versions
  if (waitMs === undefined) {
    await endRecipient(send.workspaceId, recipient._id, ending);
    await nudge(send.workspaceId, "CAMPAIGN", { campaignId: recipient.campaignId });
    return "EXHAUSTED";
  }
  await notePeople(send.workspaceId, [recipient._id]);
  if (next?.state === "RESERVED") await releaseBooking(next);
  await freeSlot(send);
  const again = {
    state: "RELEASED",
    slotAt: null,
    day: null,
    campaignDay: null,
    attemptId: null,
    sentAt: null,
  } as const;
  await Send.updateOne({ _id: send._id, state: "SENT" }, { $set: again, $inc: { generation: 1, [counter]: 1 } });
  const had = hadOf(recipient).filter(({ stepId }) => stepId !== send.stepId);
  const ids = recipient.thread?.ids.filter((id) => !send.messageIds.includes(id)) ?? [];
  const back = {
    currentStepId: had.at(-1)?.stepId ?? null,
    nextStepId: send.stepId,
    had: [...had],
    // The email is not sent earlier when its mailbox becomes free earlier
    due: { stepId: send.stepId, at: new Date(Date.now() + waitMs) },
    thread: recipient.thread === null || ids.length === 0 ? null : { ...recipient.thread, ids },
  };
  const nextSendAt =
    recipient.status === "PAUSED"
      ? recipient.pausedUntil
      : await planStep({ ...recipient, ...back }, send.stepId, Date.now() + waitMs);
  await Recipient.updateOne({ _id: recipient._id }, { $set: { ...back, nextSendAt } });
  await nudge(send.workspaceId, "RECIPIENT", {
    recipientId: recipient._id,
    campaignId: recipient.campaignId,
    signal: "replan",
  });
  return "REPEATED";
}
