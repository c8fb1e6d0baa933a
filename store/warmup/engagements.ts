import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { deletedAt, triedAgainAt, type WarmupWaits } from "../../domain/warmup/engagement.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { type PlaceInMailbox, WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";
import { countOnDay } from "./days.ts";
import { invalidTransition, notEnrolled } from "./enrol.ts";
import { changeWarmupMail } from "./mails.ts";
import { planAnswer } from "./write-plan.ts";

/** How many emails are handled over one connection. */
const MOST = 100;
/** For how many days back a person may request that emails are handled immediately, and how many emails. */
const ASKED_DAYS = 7;
const MOST_ASKED = 1_000;

/** An email in a mailbox, with the Message-IDs by which it can be found there. */
export interface DueMail {
  mail: WarmupMail;
  messageIds: readonly string[];
}

/**
 * The emails that are due in a mailbox by an instant: received ones, and copies of the mailbox's own emails that its
 * provider stored.
 */
export async function loadDue(mailboxId: string, until: Date): Promise<{ received: DueMail[]; copies: DueMail[] }> {
  const due = trusted({ ...IS_INSTANT, $lte: until });
  const received = await WarmupMail.find({ toMailboxId: mailboxId, engageAt: due })
    .sort({ engageAt: 1 })
    .limit(MOST)
    .lean<WarmupMail[]>();
  const copies = await WarmupMail.find({ fromMailboxId: mailboxId, tidyAt: due })
    .sort({ tidyAt: 1 })
    .limit(MOST)
    .lean<WarmupMail[]>();
  const sendIds = [...received, ...copies].map(({ sendId }) => sendId);
  const sends = await Send.find({ _id: trusted({ $in: sendIds }) }, { messageIds: 1 }, { acrossWorkspaces: true }).lean<
    Pick<Send, "_id" | "messageIds">[]
  >();
  const idsOf = new Map(sends.map(({ _id, messageIds }) => [_id, messageIds]));
  const withIds = (mail: WarmupMail) => ({ mail, messageIds: idsOf.get(mail.sendId) ?? [] });
  return { received: received.map(withIds), copies: copies.map(withIds) };
}

/** What was done with an email during one connection. `filed`: its new position; null when it was not moved. */
export interface Treated {
  mail: WarmupMail;
  read: boolean;
  rescued: boolean;
  important: boolean;
  filed: PlaceInMailbox | null;
  /** Whether the provider shows the email outside of the inbox, for example among promotions. */
  isApart: boolean;
}

/** Records what was done, counts it for the senders, and books the replies. Recording it twice changes nothing. */
export async function recordTreated(treated: readonly Treated[], waits: WarmupWaits): Promise<void> {
  for (const one of treated) await inTransaction(() => recordOne(one, waits));
}

async function recordOne(
  { mail, read, rescued, important, filed, isApart }: Treated,
  waits: WarmupWaits,
): Promise<void> {
  const now = new Date();
  const engageAt = filed === null ? null : new Date(deletedAt(now.getTime()));
  const engaged = {
    ...mail.engaged,
    readAt: read ? now : null,
    rescuedAt: rescued ? now : null,
    importantAt: important ? now : null,
    filedAt: filed === null ? null : now,
  };
  const landed =
    isApart && mail.landed?.folder === "INBOX" ? { ...mail.landed, folder: "OTHER" as const } : mail.landed;
  const set = { engaged, engageAt, landed, ...(filed !== null && { place: filed }) };
  const changed = await changeWarmupMail(
    mail._id,
    { engageAt: mail.engageAt, "engaged.readAt": mail.engaged.readAt },
    set,
  );
  if (changed === null) return;
  const counts = { ...(read && mail.engaged.readAt === null && { engaged: 1 }), ...(rescued && { rescued: 1 }) };
  if (Object.keys(counts).length > 0) await countOnDay(mail.fromWorkspaceId, mail.fromMailboxId, counts, now);
  if (read && mail.wish?.answer === true) await planAnswer(mail, now, waits);
}

/** Records that archived emails were flagged. */
export async function recordFlagged(mails: readonly WarmupMail[]): Promise<void> {
  const now = new Date();
  for (const { _id, engageAt, engaged } of mails) {
    const back = engaged.filedAt === null ? null : new Date(deletedAt(engaged.filedAt.getTime()));
    await changeWarmupMail(_id, { engageAt }, { engaged: { ...engaged, importantAt: now }, engageAt: back });
  }
}

/** The action names with which a person requests each treatment. */
const TREATMENTS = { important: "markImportant", rescue: "unspam" } as const;

/**
 * Requests that a mailbox's warmup emails of the last seven days are flagged, or moved out of Junk, immediately.
 * @throws AppError ENROLMENT_NOT_FOUND, INVALID_STATE_TRANSITION for a warmup that has stopped
 */
export function askTreatment(
  workspaceId: string,
  mailboxId: string,
  kind: "important" | "rescue",
): Promise<WarmupEnrolment> {
  return inTransaction(async () => {
    const enrolment = await scoped(workspaceId).WarmupEnrolment.get(mailboxId);
    if (enrolment === null) throw notEnrolled();
    // Emails in a mailbox whose warmup has stopped are not handled
    if (enrolment.status === "STOPPED") throw invalidTransition("STOPPED", TREATMENTS[kind]);
    const now = new Date();
    const since = new Date(now.getTime() - ASKED_DAYS * DAY_MS);
    const mails = await WarmupMail.find(
      { toMailboxId: mailboxId, day: trusted({ $gte: utcDay(since.getTime()) }) },
      null,
      sessionOption(),
    )
      .limit(MOST_ASKED)
      .lean<WarmupMail[]>();
    for (const { _id, landed, wish, place, engaged } of mails) {
      if (landed === null || place === null || landed.at < since) continue;
      const isOpen =
        kind === "important" ? engaged.importantAt === null : landed.folder === "SPAM" && engaged.rescuedAt === null;
      if (!isOpen) continue;
      const before = wish ?? { rescue: false, important: false, answer: false };
      await changeWarmupMail(_id, {}, { wish: { ...before, [kind]: true }, engageAt: now });
    }
    if (mails.length > 0) await nudge(workspaceId, "WARMUP", { mailboxId, signal: "changed" });
    return enrolment;
  });
}

/**
 * Records emails that warmup no longer handles, because a person has moved, answered or deleted them, or their time is
 * over.
 */
export async function recordLeft(mails: readonly WarmupMail[]): Promise<void> {
  for (const { _id, engageAt } of mails) await changeWarmupMail(_id, { engageAt }, { engageAt: null });
}

/**
 * Records that a copy was archived, so that it is deleted later like other warmup email. Null: warmup no longer handles
 * the copy.
 */
export async function recordTidied({ _id, tidyAt }: WarmupMail, filed: PlaceInMailbox | null): Promise<void> {
  const set = filed === null ? { tidyAt: null } : { tidyAt: new Date(deletedAt(Date.now())), sentCopy: filed };
  await changeWarmupMail(_id, { tidyAt }, set);
}

/**
 * Postpones due work because the mailbox could not be reached or its server refused. After two days the work is given
 * up.
 */
export async function postpone({
  received,
  copies,
}: {
  received: readonly DueMail[];
  copies: readonly DueMail[];
}): Promise<void> {
  const now = Date.now();
  const nextTryAt = (due: Date | null, since: Date) => {
    const at = due === null ? null : triedAgainAt(since.getTime(), now);
    return at === null ? null : new Date(at);
  };
  // Deletions are not urgent. They are retried as rarely as work that is a day old, and never given up
  const aDayAgo = new Date(now - DAY_MS);
  for (const { mail } of received) {
    const since = mail.engaged.filedAt === null ? (mail.landed?.at ?? mail.createdAt) : aDayAgo;
    await changeWarmupMail(mail._id, { engageAt: mail.engageAt }, { engageAt: nextTryAt(mail.engageAt, since) });
  }
  for (const { mail } of copies) {
    const sentAt = mail.sentAt ?? mail.createdAt;
    // Long after the two days in which it is archived or given up
    const isPutAway = now - sentAt.getTime() > 10 * DAY_MS;
    await changeWarmupMail(
      mail._id,
      { tidyAt: mail.tidyAt },
      { tidyAt: nextTryAt(mail.tidyAt, isPutAway ? aDayAgo : sentAt) },
    );
  }
}
