import type { ImapFlow } from "imapflow";
import type { BearerAccess } from "../../connectors/bearer-call.ts";
import { isInTab } from "../../connectors/gmail/labels.ts";
import { type GmailHead, listMessages, readHead } from "../../connectors/gmail/messages.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { listArrived, wellKnownFolder } from "../../connectors/graph/items.ts";
import { logout } from "../../connectors/imap/connection.ts";
import { noteSeen, readPlaces, type SeenIn, type SeenMails } from "../../connectors/imap/places.ts";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { ApiMailbox, OpenApi } from "../inbox/api-access.ts";

/** A test mailbox in which emails are looked for. */
export interface SeenPlaces {
  /** Notes where the emails are that were not read before. Nothing in the mailbox changes. */
  read(seen: SeenMails): Promise<void>;
  close(): void;
}

/** Opens a test mailbox for emails that arrived since an instant. */
export type OpenPlaces = (mailbox: Mailbox, since: Date) => Promise<SeenPlaces>;

/** The most emails that are read at once over an API: the newest. */
const MOST = 500;
/** Milliseconds by which the provider's clock may differ from ours. */
const CLOCKS_MS = 10 * MINUTE_MS;

const OVER: Readonly<Record<ApiMailbox["transport"], (api: ApiMailbox, since: Date) => SeenPlaces>> = {
  GMAIL_API: lookOverGmail,
  GRAPH: lookOverGraph,
};

/** Opens each test mailbox over its transport. */
export function openToLook(openImap: (mailbox: Mailbox) => Promise<ImapFlow>, openApi: OpenApi): OpenPlaces {
  return async (mailbox, since) => {
    const api = openApi(mailbox);
    if (api !== null) return OVER[api.transport](api, new Date(since.getTime() - CLOCKS_MS));
    const client = await openImap(mailbox);
    return { read: (seen) => readPlaces(client, seen), close: () => logout(client) };
  };
}

/** An email in a tab of the inbox counts as elsewhere: its reader sees it only there. */
function lookOverGmail({ ask }: ApiMailbox, since: Date): SeenPlaces {
  const read = new Set<string>();
  const query = `after:${Math.floor(since.getTime() / SECOND_MS)}`;
  return {
    async read(seen) {
      const { ids } = await ask((access) => listMessages(access, query, null));
      for (const id of ids.filter((one) => !read.has(one)).slice(0, MOST)) {
        const head = await ask((access) => headIfThere(access, id));
        read.add(id);
        if (head === null || isOwn(head.labels)) continue;
        const [messageId = null, mailRef = null] = MARKS.map((name) => head.headers.get(name)?.trim());
        noteSeen(seen, placeOf(head.labels), [{ messageId, mailRef: mailRef?.toLowerCase() ?? null }]);
      }
    },
    close: () => {},
  };
}

const MARKS = ["message-id", "x-mail-ref"];

async function headIfThere(access: BearerAccess, id: string): Promise<GmailHead | null> {
  try {
    return await readHead(access, id, MARKS);
  } catch (error) {
    if (error instanceof GmailTrouble && error.kind === "gone") return null;
    throw error;
  }
}

/** Whether the mailbox itself wrote an email, and not to itself. */
function isOwn(labels: readonly string[]): boolean {
  return labels.includes("DRAFT") || (labels.includes("SENT") && !labels.includes("INBOX"));
}

function placeOf(labels: readonly string[]): SeenIn {
  if (labels.includes("SPAM")) return "SPAM";
  return labels.includes("INBOX") && !isInTab(labels) ? "INBOX" : "OTHER";
}

function lookOverGraph({ ask }: ApiMailbox, since: Date): SeenPlaces {
  let folders: Map<string, SeenIn | null> | null = null;
  const foldersOf = async (access: Parameters<typeof wellKnownFolder>[0]) => {
    const places = new Map<string, SeenIn | null>();
    for (const [name, place] of GRAPH_PLACES) {
      const id = await wellKnownFolder(access, name);
      if (id !== null) places.set(id, place);
    }
    return places;
  };
  return {
    async read(seen) {
      await ask(async (access) => {
        folders ??= await foldersOf(access);
        for (const { folderId, messageId, mailRef, isDraft } of await listArrived(access, since, MOST)) {
          const known = folders.get(folderId);
          const place = known === undefined ? "OTHER" : known;
          if (place !== null && !isDraft) noteSeen(seen, place, [{ messageId, mailRef }]);
        }
      });
    },
    close: () => {},
  };
}

/** Null for what the mailbox sends itself. */
const GRAPH_PLACES: readonly [string, SeenIn | null][] = [
  ["inbox", "INBOX"],
  ["junkemail", "SPAM"],
  ["sentitems", null],
  ["outbox", null],
];
