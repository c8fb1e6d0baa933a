import type { ImapFlow } from "imapflow";
import { logout } from "../../connectors/imap/connection.ts";
import { requireAnswer } from "../../connectors/imap/fetch.ts";
import { type FoundMail, moveMails, setFlags, setLabel } from "../../connectors/imap/treat.ts";
import { TOGETHER_MS, type WarmupWaits } from "../../domain/warmup/engagement.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { PlaceInMailbox } from "../../models/warmup/warmup-mail.ts";
import { loadDue, postpone, recordLeft, recordTreated, type Treated } from "../../store/warmup/engagements.ts";
import type { WarmupGround } from "../../store/warmup/ground.ts";
import { byFolder, Filing, findIn, type Sought } from "./filing.ts";
import { deleteOld, flagFiled, tidyCopies } from "./put-away.ts";

/** Logs in to a mailbox. The connection is closed when its server does not answer for `silenceMs`. */
export type OpenMailbox = (mailbox: Mailbox, silenceMs: number) => Promise<ImapFlow>;

/**
 * Shorter than the activity's timeout, so that a server that stops answering counts as unreachable and is not asked
 * again immediately.
 */
const SILENCE_MS = 45_000;

const JUNK_KEYWORDS = ["$Junk", "Junk"];
const NOTHING = { uidValidity: "0", here: new Map<Sought, FoundMail>() };

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
  const client = await open(mailbox, SILENCE_MS);
  try {
    const filing = new Filing(client, enrolment.config.folder, waits);
    const fresh = due.received.filter(({ mail }) => mail.engaged.filedAt === null);
    for (const [folder, mails] of byFolder(fresh)) await treatFolder(filing, folder, mails);
    const filed = due.received.filter(({ mail }) => mail.engaged.filedAt !== null);
    const mailsToFlag = filed.filter(({ mail }) => mail.wish?.important === true && mail.engaged.importantAt === null);
    await flagFiled(client, mailsToFlag);
    await deleteOld(
      client,
      filed.filter((one) => !mailsToFlag.includes(one)),
    );
    await tidyCopies(filing, due.copies);
  } finally {
    logout(client);
  }
}

async function treatFolder(filing: Filing, folder: string, mails: readonly Sought[]): Promise<void> {
  const { client } = filing;
  const { here } = await findIn(client, folder, mails);
  const lost = mails.filter((mail) => !here.has(mail));
  const free = [...here].flatMap(([mail, { flags }]) => (flags.has("\\Answered") ? [] : [mail]));
  await recordLeft([...here.keys()].filter((mail) => !free.includes(mail)).map(({ mail }) => mail));
  const junk = free.filter(({ mail }) => mail.landed?.folder === "SPAM");
  const rescued = junk.filter(({ mail }) => mail.wish?.rescue === true);
  // An email that is not moved out of spam is not marked as read either
  await recordLeft(junk.filter((mail) => !rescued.includes(mail)).map(({ mail }) => mail));
  const uidOf = (mail: Sought) => here.get(mail)?.uid ?? 0;
  await readIn(
    filing,
    folder,
    free.filter((mail) => !junk.includes(mail)),
    uidOf,
  );
  await rescue(filing, rescued, uidOf);
  if (lost.length > 0) await seekInterrupted(filing, lost);
}

/** Moves emails from Junk to the inbox and marks them as not junk. */
async function rescue(filing: Filing, mails: readonly Sought[], uidOf: (mail: Sought) => number): Promise<void> {
  if (mails.length === 0) return;
  const { client } = filing;
  const uids = mails.map(uidOf);
  await setFlags(client, uids, ["$NotJunk"], JUNK_KEYWORDS);
  const moved = await moveMails(client, uids, "INBOX");
  if (moved === null) {
    await postpone({ received: mails, copies: [] });
    return;
  }
  const { uidValidity } = moved;
  await readRescued(
    filing,
    mails.map((mail) => ({ ...mail, uid: moved.uidOf.get(uidOf(mail)) ?? 0, uidValidity })),
  );
}

/**
 * Continues with emails in the inbox that this or an interrupted attempt moved there from Junk. Returns those that are
 * not in the inbox.
 */
async function readRescued(filing: Filing, mails: readonly Sought[]): Promise<readonly Sought[]> {
  const { client } = filing;
  const { here } = await findIn(client, "INBOX", mails);
  await setLabel(
    client,
    [...here.values()].map(({ uid }) => uid),
    "\\Important",
  );
  await readIn(filing, "INBOX", [...here.keys()], (mail) => here.get(mail)?.uid ?? 0, true);
  return mails.filter((mail) => !here.has(mail));
}

/** Marks emails in the open folder as read, flags those planned as important, and archives all of them. */
async function readIn(
  filing: Filing,
  folder: string,
  mails: readonly Sought[],
  uidOf: (mail: Sought) => number,
  isRescued = false,
): Promise<void> {
  if (mails.length === 0) return;
  const { client } = filing;
  const apart = folder === "INBOX" ? await uidsApart(client) : new Set<number>();
  await setFlags(client, mails.map(uidOf), ["\\Seen"]);
  const important = mails.filter(({ mail }) => mail.wish?.important === true);
  await setFlags(client, important.map(uidOf), ["\\Flagged"]);
  const path = await filing.path();
  const moved = path === null || path === folder ? null : await moveMails(client, mails.map(uidOf), path);
  const movedPlaceOf = (mail: Sought): PlaceInMailbox | null =>
    moved === null || path === null
      ? null
      : { folder: path, uidValidity: moved.uidValidity, uid: moved.uidOf.get(uidOf(mail)) ?? 0 };
  const treated = mails.map(
    (one): Treated => ({
      mail: one.mail,
      read: true,
      rescued: isRescued,
      important: important.includes(one),
      filed: movedPlaceOf(one),
      isApart: apart.has(uidOf(one)),
    }),
  );
  await recordTreated(treated, filing.waits);
}

/** UIDs of emails that Gmail shows in its Promotions tab, which is not an IMAP folder; empty for other providers. */
async function uidsApart(client: ImapFlow): Promise<Set<number>> {
  if (!client.capabilities.has("X-GM-EXT-1")) return new Set();
  return new Set(
    requireAnswer(client, await client.search({ gmraw: "category:promotions newer_than:3d" }, { uid: true })),
  );
}

/**
 * Handles emails that are no longer in the folder where they arrived. If an interrupted attempt rescued or archived
 * them, their handling is completed. Otherwise a person moved or deleted them.
 */
async function seekInterrupted(filing: Filing, mails: readonly Sought[]): Promise<void> {
  const { client } = filing;
  const fromJunk = mails.filter(({ mail }) => mail.landed?.folder === "SPAM" && mail.wish?.rescue === true);
  const unread = fromJunk.length === 0 ? [] : await readRescued(filing, fromJunk.map(anywhere));
  const left = mails.filter(
    (mail) => !fromJunk.includes(mail) || unread.some(({ mail: { _id } }) => _id === mail.mail._id),
  );
  const path = left.length === 0 ? null : await filing.path();
  const { uidValidity, here } = path === null ? NOTHING : await findIn(client, path, left.map(anywhere));
  const treated = [...here].map(([{ mail }, { uid, flags }]): Treated => {
    const place = { folder: path ?? "", uidValidity, uid };
    const rescued = mail.landed?.folder === "SPAM";
    return { mail, read: true, rescued, important: flags.has("\\Flagged"), filed: place, isApart: false };
  });
  await recordTreated(treated, filing.waits);
  await recordLeft(left.flatMap(({ mail }) => (treated.some((one) => one.mail._id === mail._id) ? [] : [mail])));
}

/** The email without its UID, so that it is searched for by its Message-ID only. */
function anywhere(mail: Sought): Sought {
  return { ...mail, uid: 0 };
}
