import type { BearerAccess } from "../../connectors/bearer-call.ts";
import {
  changeLabels,
  createLabel,
  findLabel,
  isAnswered,
  isInTab,
  trashMessage,
} from "../../connectors/gmail/labels.ts";
import { type GmailHead, listMessages, readHead } from "../../connectors/gmail/messages.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import type { ApiMailbox } from "../inbox/api-access.ts";
import { API_FOLDERS } from "../inbox/api-store.ts";
import { gmailFolder } from "../inbox/gmail-source.ts";
import type { PlacedMail, Sought, TreatedMailbox } from "./treated-mailbox.ts";

const OWN_NAMES: ReadonlySet<string> = new Set(Object.values(API_FOLDERS).map(({ path }) => path));

/** A mailbox over the Gmail API, where a folder is a label and an email keeps its id. */
export function treatOverGmail({ ask }: ApiMailbox): TreatedMailbox {
  const labelIds = new Map<string, string | null>();

  async function labelOf(access: BearerAccess, name: string): Promise<string | null> {
    const known = labelIds.get(name);
    if (known !== undefined) return known;
    const found = await findLabel(access, name);
    labelIds.set(name, found);
    return found;
  }

  async function isIn(access: BearerAccess, folder: string, { labels }: GmailHead): Promise<boolean> {
    if (labels.includes("TRASH")) return false;
    if (OWN_NAMES.has(folder)) return gmailFolder(labels).path === folder;
    const label = await labelOf(access, folder);
    return label !== null && labels.includes(label);
  }

  async function findOne(access: BearerAccess, folder: string, mail: Sought): Promise<PlacedMail | null> {
    const head = await headIn(access, folder, mail);
    if (head === null) return null;
    const { id: uidValidity, labels } = head;
    const isOwn = labels.includes("SENT");
    return {
      place: { folder, uidValidity, uid: 1 },
      isAnswered: !isOwn && (await unlessGone(isAnswered(access, head))) === true,
      isFlagged: labels.includes("STARRED"),
      isApart: isInTab(labels),
    };
  }

  /** The email at its last place, or found by a Message-ID, if it is in this folder. */
  async function headIn(
    access: BearerAccess,
    folder: string,
    { uidValidity, messageIds }: Sought,
  ): Promise<GmailHead | null> {
    const last = await readIfThere(access, uidValidity);
    if (last !== null && messageIds.includes(last.headers.get("message-id") ?? ""))
      return (await isIn(access, folder, last)) ? last : null;
    for (const messageId of messageIds) {
      const { ids } = await listMessages(access, `rfc822msgid:${messageId.replace(/^<|>$/g, "")}`, null);
      for (const id of ids) {
        const found = await readIfThere(access, id);
        if (found !== null && (await isIn(access, folder, found))) return found;
      }
    }
    return null;
  }

  async function change(mails: readonly PlacedMail[], labels: { add?: string[]; remove?: string[] }): Promise<void> {
    for (const { place } of mails) await ask((access) => unlessGone(changeLabels(access, place.uidValidity, labels)));
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
    markRead: (mails) => change(mails, { remove: ["UNREAD"] }),
    flag: (mails) => change(mails, { add: ["STARRED"] }),
    markImportant: (mails) => change(mails, { add: ["IMPORTANT"] }),
    async rescue(mails) {
      await change(mails, { add: ["INBOX"], remove: ["SPAM"] });
      return mails.map(({ place }) => ({ ...place, folder: API_FOLDERS.INBOX.path }));
    },
    async move(mails, to) {
      const label = OWN_NAMES.has(to) ? null : await ask((access) => labelOf(access, to));
      await change(mails, { ...(label !== null && { add: [label] }), remove: ["INBOX"] });
      return mails.map(({ place }) => ({ ...place, folder: to }));
    },
    async remove(mails) {
      for (const { place } of mails) await ask((access) => unlessGone(trashMessage(access, place.uidValidity)));
    },
    async ensureFolder(name) {
      if (OWN_NAMES.has(name)) return name;
      const label = await ask(async (access) => (await labelOf(access, name)) ?? createLabel(access, name));
      labelIds.set(name, label);
      return label === null ? null : name;
    },
    close: () => {},
  };
}

function readIfThere(access: BearerAccess, id: string): Promise<GmailHead | null> {
  return unlessGone(readHead(access, id, ["Message-ID"]));
}

async function unlessGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    // An id of IMAP, from before the mailbox moved to the API, is not even the form of one
    if (error instanceof GmailTrouble && (error.kind === "gone" || error.kind === "invalid")) return null;
    throw error;
  }
}
