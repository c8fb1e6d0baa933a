import type { RecipientIds } from "../../domain/workflow-contract.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_COUNT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { rebookStep } from "./book-next-step.ts";
import { earliestOf, mailboxBar } from "./eligibility.ts";
import { loadSituation, type Situation } from "./recipient-state.ts";

/**
 * Signals the recipient's workflow to check it again, or starts the workflow. `epoch`: the epoch of the gates that are
 * open now.
 */
export type Wake = (ids: RecipientIds, signal: "replan" | "resume", epoch?: number) => Promise<void>;

const PAGE = 200;

/**
 * Wakes the recipients that were parked while the gates were closed, in due order. Each is booked again first, so that
 * a resume never causes a burst (rules/sending 2.8). Ends when the campaign is no longer active. A recipient that is
 * parked again meanwhile keeps its newer epoch. Returns how many were woken.
 */
export async function wakeParked(workspaceId: string, campaignId: string, wake: Wake): Promise<number> {
  const { Recipient } = scoped(workspaceId);
  let woken = 0;
  for (;;) {
    const parked = { campaignId, parkedEpoch: trusted(IS_COUNT) };
    const page = await Recipient.find(parked, { limit: PAGE, sort: { nextSendAt: 1 }, select: { parkedEpoch: 1 } });
    if (page.length === 0) return woken;
    for (const { _id: recipientId, parkedEpoch } of page) {
      const ids = { v: 1, workspaceId, campaignId, recipientId } as const;
      const situation = await loadSituation(ids);
      // The campaign is read again for each recipient, because it may have been paused since the page was read
      if (situation !== null && situation.campaign.status !== "ACTIVE") return woken;
      await takeNote({ workspaceId, recipientId }, { parkedEpoch }, situation);
      await wake(ids, "resume", situation?.campaign.fence ?? (parkedEpoch ?? 0) + 1);
      woken++;
    }
  }
}

/**
 * Wakes the recipients that waited for a mailbox that has recovered, in order of their due time, and books each again.
 * If the mailbox was disconnected meanwhile, the recipients find that out. Ends when the mailbox cannot send again.
 * Returns how many were woken.
 */
export async function wakeHeld(workspaceId: string, mailboxId: string, wake: Wake): Promise<number> {
  const { Mailbox, Recipient } = scoped(workspaceId);
  let woken = 0;
  for (;;) {
    const waitingForMailbox = { awaitedMailboxId: mailboxId };
    const page = await Recipient.find(waitingForMailbox, {
      limit: PAGE,
      sort: { "due.at": 1, _id: 1 },
      select: { campaignId: 1 },
    });
    if (page.length === 0) return woken;
    for (const { _id: recipientId, campaignId } of page) {
      if (mailboxBar(await Mailbox.get(mailboxId), Date.now())?.kind === "RESTING") return woken;
      const ids = { v: 1, workspaceId, campaignId, recipientId } as const;
      await takeNote({ workspaceId, recipientId }, { awaitedMailboxId: mailboxId }, await loadSituation(ids));
      await wake(ids, "replan");
      woken++;
    }
  }
}

/** Wakes the recipients for which no slot was found, because a change may have made one available. */
export async function wakeUnbooked(workspaceId: string, campaignId: string, wake: Wake): Promise<number> {
  const unbooked = {
    campaignId,
    nextSendAt: null,
    parkedEpoch: null,
    awaitedMailboxId: null,
    admittedAt: trusted({ $ne: null }),
    status: trusted({ $in: ["PENDING", "IN_PROGRESS"] }),
  };
  const found = await scoped(workspaceId).Recipient.find(unbooked, { select: { _id: 1 } });
  for (const { _id: recipientId } of found) await wake({ v: 1, workspaceId, campaignId, recipientId }, "replan");
  return found.length;
}

type Note = Partial<Pick<Recipient, "parkedEpoch" | "awaitedMailboxId">>;

/**
 * Clears the reason for which a recipient waits, unless a newer one has replaced it, and books the email again. From
 * then on the recipient has a time after which it is overdue, so the reconciler wakes it if a later signal is lost.
 */
function takeNote(
  { workspaceId, recipientId }: { workspaceId: string; recipientId: string },
  note: Note,
  situation: Situation | null,
) {
  const { Recipient } = scoped(workspaceId);
  return inTransaction(async () => {
    const without = Object.fromEntries(Object.keys(note).map((name) => [name, null]));
    if ((await Recipient.updateOne({ _id: recipientId, ...note }, { $set: without })) === 0 || situation === null)
      return;
    const at = await bookAnew(situation);
    if (at === null)
      await Recipient.updateOne({ _id: recipientId, nextSendAt: null }, { $set: { nextSendAt: new Date() } });
  });
}

/**
 * Books the email of a woken recipient again. A recipient whose slot is still ahead keeps it, because it was woken and
 * booked before and then found the campaign inactive.
 */
async function bookAnew(situation: Situation): Promise<Date | null> {
  const { campaign, recipient, mailbox, send, step } = situation;
  const now = Date.now();
  const isWaiting = send?.state === "RELEASED" || (send?.state === "RESERVED" && (send.slotAt?.getTime() ?? 0) <= now);
  const mayGo = campaign.status === "ACTIVE" && (recipient.status === "PENDING" || recipient.status === "IN_PROGRESS");
  if (!isWaiting || !mayGo || step === null || mailbox === null || mailboxBar(mailbox, now) !== null)
    return recipient.nextSendAt;
  return rebookStep(situation, send, mailbox, await earliestOf(situation, mailbox, step, now));
}
