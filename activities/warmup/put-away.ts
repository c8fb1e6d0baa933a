import type { ImapFlow } from "imapflow";
import { moveMails, removeMails, setFlags } from "../../connectors/imap/treat.ts";
import { type DueMail, recordFlagged, recordLeft, recordTidied } from "../../store/warmup/engagements.ts";
import { byFolder, type Filing, findIn } from "./filing.ts";

/** Flags archived warmup emails at a user's request. */
export async function flagFiled(client: ImapFlow, mailsToFlag: readonly DueMail[]): Promise<void> {
  for (const [folder, mails] of byFolder(mailsToFlag)) {
    const { here } = await findIn(client, folder, mails);
    const uids = [...here.values()].map(({ uid }) => uid);
    await setFlags(client, uids, ["\\Flagged"]);
    await recordFlagged(mails.map(({ mail }) => mail));
  }
}

/** Deletes emails that have been in the warmup folder for 30 days, and nothing else. */
export async function deleteOld(client: ImapFlow, due: readonly DueMail[]): Promise<void> {
  for (const [folder, mails] of byFolder(due)) {
    const { here } = await findIn(client, folder, mails);
    await removeMails(
      client,
      [...here.values()].map(({ uid }) => uid),
    );
    await recordLeft(mails.map(({ mail }) => mail));
  }
}

/** Archives the copies that the sender's provider saved in Sent, and deletes them later like received emails. */
export async function tidyCopies({ client, path }: Filing, due: readonly DueMail[]): Promise<void> {
  const to = due.length === 0 ? null : await path();
  for (const [folder, mails] of byFolder(due, ({ mail }) => mail.sentCopy)) {
    const { here } = await findIn(client, folder, to === null ? [] : mails);
    const uids = [...here.values()].map(({ uid }) => uid);
    const isPutAway = folder === to;
    const moved = to === null || uids.length === 0 || isPutAway ? null : await moveMails(client, uids, to);
    if (isPutAway) await removeMails(client, uids);
    for (const one of mails) {
      const uid = moved?.uidOf.get(here.get(one)?.uid ?? 0) ?? 0;
      const filed =
        moved === null || to === null || !here.has(one) ? null : { folder: to, uidValidity: moved.uidValidity, uid };
      await recordTidied(one.mail, filed);
    }
  }
}
