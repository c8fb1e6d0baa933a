import { type DueMail, recordFlagged, recordLeft, recordTidied } from "../../store/warmup/engagements.ts";
import { byFolder, type Filing } from "./filing.ts";
import type { PlacedMail, Sought, TreatedMailbox } from "./treated-mailbox.ts";

/** Flags archived warmup emails at a user's request. */
export async function flagFiled(mailbox: TreatedMailbox, mailsToFlag: readonly DueMail[]): Promise<void> {
  for (const [folder, mails] of byFolder(mailsToFlag)) {
    const here = await mailbox.find(folder, mails);
    await mailbox.flag([...here.values()]);
    await recordFlagged(mails.map(({ mail }) => mail));
  }
}

/** Deletes emails that have been in the warmup folder for 30 days, and nothing else. */
export async function deleteOld(mailbox: TreatedMailbox, due: readonly DueMail[]): Promise<void> {
  for (const [folder, mails] of byFolder(due)) {
    const here = await mailbox.find(folder, mails);
    await mailbox.remove([...here.values()]);
    await recordLeft(mails.map(({ mail }) => mail));
  }
}

/** Archives the copies that the sender's provider saved in Sent, and deletes them later like received emails. */
export async function tidyCopies({ mailbox, path }: Filing, due: readonly DueMail[]): Promise<void> {
  const to = due.length === 0 ? null : await path();
  for (const [folder, mails] of byFolder(due, ({ mail }) => mail.sentCopy)) {
    const here = to === null ? new Map<Sought, PlacedMail>() : await mailbox.find(folder, mails);
    const found = [...here.values()];
    const isPutAway = folder === to;
    const moved = to === null || found.length === 0 || isPutAway ? null : await mailbox.move(found, to);
    if (isPutAway) await mailbox.remove(found);
    for (const one of mails) {
      const index = [...here.keys()].indexOf(one);
      await recordTidied(one.mail, moved?.[index] ?? null);
    }
  }
}
