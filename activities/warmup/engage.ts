import { TOGETHER_MS, type WarmupWaits } from "../../domain/warmup/engagement.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { loadDue, postpone, recordLeft, recordTreated, type Treated } from "../../store/warmup/engagements.ts";
import type { WarmupGround } from "../../store/warmup/ground.ts";
import { byFolder, Filing } from "./filing.ts";
import { deleteOld, flagFiled, tidyCopies } from "./put-away.ts";
import type { PlacedMail, Sought, TreatedMailbox } from "./treated-mailbox.ts";

/** Opens a mailbox for warmup. A connection is closed when its server does not answer for `silenceMs`. */
export type OpenMailbox = (mailbox: Mailbox, silenceMs: number) => Promise<TreatedMailbox>;

/** An email with where it was found. */
type Found = [Sought, PlacedMail];

/**
 * Shorter than the activity's timeout, so that a server that stops answering counts as unreachable and is not asked
 * again immediately.
 */
const SILENCE_MS = 45_000;

/**
 * Does all warmup actions that are due in a mailbox within two minutes, over one connection (rules/warmup 5). Each
 * action looks up the email's current state and does only what is left to do, so a repetition changes nothing. Emails
 * that a person has moved, answered or deleted are not touched.
 */
export async function engageMailbox(
  open: OpenMailbox,
  { mailbox, enrolment }: WarmupGround,
  waits: WarmupWaits,
): Promise<void> {
  const due = await loadDue(mailbox._id, new Date(Date.now() + TOGETHER_MS));
  if (due.received.length + due.copies.length === 0) return;
  const treated = await open(mailbox, SILENCE_MS);
  try {
    const filing = new Filing(treated, enrolment.config.folder, waits);
    const fresh = due.received.filter(({ mail }) => mail.engaged.filedAt === null);
    for (const [folder, mails] of byFolder(fresh)) await treatFolder(filing, folder, mails);
    const filed = due.received.filter(({ mail }) => mail.engaged.filedAt !== null);
    const mailsToFlag = filed.filter(({ mail }) => mail.wish?.important === true && mail.engaged.importantAt === null);
    await flagFiled(treated, mailsToFlag);
    await deleteOld(
      treated,
      filed.filter((one) => !mailsToFlag.includes(one)),
    );
    await tidyCopies(filing, due.copies);
  } finally {
    treated.close();
  }
}

async function treatFolder(filing: Filing, folder: string, mails: readonly Sought[]): Promise<void> {
  const here = await filing.mailbox.find(folder, mails);
  const lost = mails.filter((mail) => !here.has(mail));
  const free = [...here].filter(([, { isAnswered }]) => !isAnswered);
  await recordLeft([...here].flatMap(([{ mail }, { isAnswered }]) => (isAnswered ? [mail] : [])));
  const junk = free.filter(([{ mail }]) => mail.landed?.folder === "SPAM");
  const rescued = junk.filter(([{ mail }]) => mail.wish?.rescue === true);
  // An email that is not moved out of spam is not marked as read either
  await recordLeft(junk.filter((one) => !rescued.includes(one)).map(([{ mail }]) => mail));
  await readIn(
    filing,
    folder,
    free.filter((one) => !junk.includes(one)),
  );
  await rescue(filing, rescued);
  if (lost.length > 0) await seekInterrupted(filing, lost);
}

/** Moves emails from Junk to the inbox and marks them as not junk. */
async function rescue(filing: Filing, found: readonly Found[]): Promise<void> {
  if (found.length === 0) return;
  const places = await filing.mailbox.rescue(found.map(([, one]) => one));
  if (places === null) {
    const mails = found.map(([mail]) => mail);
    await postpone({ received: mails, copies: [] });
    return;
  }
  await readRescued(
    filing,
    found.map(([mail], index) => ({ ...mail, uid: 0, ...places[index] })),
  );
}

/**
 * Continues with emails in the inbox that this or an interrupted attempt moved there from Junk. Returns those that are
 * not in the inbox.
 */
async function readRescued(filing: Filing, mails: readonly Sought[]): Promise<readonly Sought[]> {
  const here = await filing.mailbox.find("INBOX", mails);
  await filing.mailbox.markImportant([...here.values()]);
  await readIn(filing, "INBOX", [...here], true);
  return mails.filter((mail) => !here.has(mail));
}

/** Marks emails as read, flags those planned as important, and archives all of them. */
async function readIn(
  { mailbox, path, waits }: Filing,
  folder: string,
  found: readonly Found[],
  isRescued = false,
): Promise<void> {
  if (found.length === 0) return;
  const places = found.map(([, one]) => one);
  await mailbox.markRead(places);
  const important = found.filter(([{ mail }]) => mail.wish?.important === true);
  await mailbox.flag(important.map(([, one]) => one));
  const to = await path();
  const moved = to === null || to === folder ? null : await mailbox.move(places, to);
  const treated = found.map(
    (one, index): Treated => ({
      mail: one[0].mail,
      read: true,
      rescued: isRescued,
      important: important.includes(one),
      filed: moved?.[index] ?? null,
      isApart: one[1].isApart,
    }),
  );
  await recordTreated(treated, waits);
}

/**
 * Handles emails that are no longer in the folder where they arrived. If an interrupted attempt rescued or archived
 * them, their handling is completed. Otherwise a person moved or deleted them.
 */
async function seekInterrupted(filing: Filing, mails: readonly Sought[]): Promise<void> {
  const fromJunk = mails.filter(({ mail }) => mail.landed?.folder === "SPAM" && mail.wish?.rescue === true);
  const unread = fromJunk.length === 0 ? [] : await readRescued(filing, fromJunk.map(anywhere));
  const left = mails.filter(
    (mail) => !fromJunk.includes(mail) || unread.some(({ mail: { _id } }) => _id === mail.mail._id),
  );
  const path = left.length === 0 ? null : await filing.path();
  const here = path === null ? new Map<Sought, PlacedMail>() : await filing.mailbox.find(path, left.map(anywhere));
  const treated = [...here].map(([{ mail }, { place, isFlagged }]): Treated => {
    const rescued = mail.landed?.folder === "SPAM";
    return { mail, read: true, rescued, important: isFlagged, filed: place, isApart: false };
  });
  await recordTreated(treated, filing.waits);
  await recordLeft(left.flatMap(({ mail }) => (treated.some((one) => one.mail._id === mail._id) ? [] : [mail])));
}

/** The email without its UID, so that it is searched for by its Message-ID only. */
function anywhere(mail: Sought): Sought {
  return { ...mail, uid: 0 };
}
