import type { GraphAccess } from "../../connectors/graph/call.ts";
import {
  changeItem,
  createFolder,
  deleteMessage,
  findFolder,
  findItems,
  type GraphItem,
  moveItem,
  readItem,
  wellKnownFolder,
} from "../../connectors/graph/items.ts";
import type { ApiMailbox } from "../inbox/api-access.ts";
import { API_FOLDERS } from "../inbox/api-store.ts";
import type { PlacedMail, Sought, TreatedMailbox } from "./treated-mailbox.ts";

const WELL_KNOWN: Readonly<Record<string, string>> = {
  [API_FOLDERS.INBOX.path]: "inbox",
  [API_FOLDERS.SENT.path]: "sentitems",
  [API_FOLDERS.JUNK.path]: "junkemail",
  [API_FOLDERS.ARCHIVE.path]: "archive",
};

/** A mailbox over Microsoft Graph, where an email keeps its immutable id when it is moved. */
export function treatOverGraph({ ask }: ApiMailbox): TreatedMailbox {
  const folderIds = new Map<string, string | null>();

  async function folderOf(access: GraphAccess, name: string): Promise<string | null> {
    const known = folderIds.get(name);
    if (known !== undefined) return known;
    const wellKnown = WELL_KNOWN[name];
    const found = await (wellKnown === undefined ? findFolder(access, name) : wellKnownFolder(access, wellKnown));
    folderIds.set(name, found);
    return found;
  }

  async function findOne(access: GraphAccess, folder: string, mail: Sought): Promise<PlacedMail | null> {
    const folderId = await folderOf(access, folder);
    const item = folderId === null ? null : await itemIn(access, folderId, mail);
    if (item === null) return null;
    const { id: uidValidity, isAnswered, isFlagged } = item;
    return { place: { folder, uidValidity, uid: 1 }, isAnswered, isFlagged, isApart: false };
  }

  async function moveAll(mails: readonly PlacedMail[], to: string) {
    const folderId = await ask((access) => folderOf(access, to));
    if (folderId === null) return null;
    for (const { place } of mails) await ask((access) => moveItem(access, place.uidValidity, folderId));
    return mails.map(({ place }) => ({ ...place, folder: to }));
  }

  return {
    async find(folder, mails) {
      const here = new Map<Sought, PlacedMail>();
      for (const mail of mails) {
        const found = await ask((access) => findOne(access, folder, mail));
        if (found !== null) here.set(mail, found);
      }
      return here;
    },
    async markRead(mails) {
      for (const { place } of mails) await ask((access) => changeItem(access, place.uidValidity, { isRead: true }));
    },
    async flag(mails) {
      const flag = { flagStatus: "flagged" as const };
      for (const { place } of mails) await ask((access) => changeItem(access, place.uidValidity, { flag }));
    },
    // Outlook decides by itself which emails are shown first
    markImportant: async () => {},
    rescue: (mails) => moveAll(mails, API_FOLDERS.INBOX.path),
    move: moveAll,
    async remove(mails) {
      for (const { place } of mails) await ask((access) => deleteMessage(access, place.uidValidity));
    },
    async ensureFolder(name) {
      const found = await ask(async (access) => (await folderOf(access, name)) ?? createFolder(access, name));
      folderIds.set(name, found);
      return found === null ? null : name;
    },
    close: () => {},
  };
}

/** The email at its last place, or found by a Message-ID, if it is in this folder. */
async function itemIn(
  access: GraphAccess,
  folderId: string,
  { uidValidity, messageIds }: Sought,
): Promise<GraphItem | null> {
  const isHere = (item: GraphItem) => item.folderId === folderId;
  const last = await readItem(access, uidValidity);
  if (last !== null && messageIds.includes(last.messageId ?? "")) return isHere(last) ? last : null;
  for (const messageId of messageIds) {
    const found = (await findItems(access, messageId)).find(isHere);
    if (found !== undefined) return found;
  }
  return null;
}
