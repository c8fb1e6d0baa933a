import type { ImapFlow } from "imapflow";
import { logout } from "../../connectors/imap/connection.ts";
import { requireAnswer } from "../../connectors/imap/fetch.ts";
import {
  ensureFolder,
  findMails,
  moveMails,
  openToChange,
  removeMails,
  setFlags,
  setLabel,
} from "../../connectors/imap/treat.ts";
import type { PlacedMail, TreatedMailbox } from "./treated-mailbox.ts";

const JUNK_KEYWORDS = ["$Junk", "Junk"];

/** A mailbox over an IMAP connection. The actions concern the folder that `find` opened last. */
export function treatOverImap(client: ImapFlow): TreatedMailbox {
  async function moveTo(mails: readonly PlacedMail[], to: string) {
    const uids = uidsOf(mails);
    const moved = await moveMails(client, uids, to);
    if (moved === null) return null;
    const { uidValidity, uidOf } = moved;
    return uids.map((uid) => ({ folder: to, uidValidity, uid: uidOf.get(uid) ?? 0 }));
  }

  return {
    async find(folder, mails) {
      const opened = await openToChange(client, folder);
      if (opened === null) return new Map();
      const { uidValidity } = opened;
      const here = await findMails(client, uidValidity, mails);
      const apart = folder === "INBOX" && here.size > 0 ? await uidsApart(client) : new Set<number>();
      return new Map(
        [...here].map(([mail, { uid, flags }]) => [
          mail,
          {
            place: { folder, uidValidity, uid },
            isAnswered: flags.has("\\Answered"),
            isFlagged: flags.has("\\Flagged"),
            isApart: apart.has(uid),
          },
        ]),
      );
    },
    markRead: (mails) => setFlags(client, uidsOf(mails), ["\\Seen"]),
    flag: (mails) => setFlags(client, uidsOf(mails), ["\\Flagged"]),
    markImportant: (mails) => setLabel(client, uidsOf(mails), "\\Important"),
    async rescue(mails) {
      await setFlags(client, uidsOf(mails), ["$NotJunk"], JUNK_KEYWORDS);
      return moveTo(mails, "INBOX");
    },
    move: moveTo,
    remove: (mails) => removeMails(client, uidsOf(mails)),
    ensureFolder: (name) => ensureFolder(client, name),
    close: () => logout(client),
  };
}

function uidsOf(mails: readonly PlacedMail[]): number[] {
  return mails.map(({ place }) => place.uid);
}

/** UIDs of emails that Gmail shows in its Promotions tab, which is not an IMAP folder; empty for other providers. */
async function uidsApart(client: ImapFlow): Promise<Set<number>> {
  if (!client.capabilities.has("X-GM-EXT-1")) return new Set();
  return new Set(
    requireAnswer(client, await client.search({ gmraw: "category:promotions newer_than:3d" }, { uid: true })),
  );
}
