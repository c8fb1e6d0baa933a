import type { ImapFlow, ListResponse } from "imapflow";
import type { FolderUse } from "../../domain/mailboxes/sync.ts";

export interface Folder {
  path: string;
  use: FolderUse;
}

// The library knows folders by their special-use flags and by their names in many languages; it knows All Mail only by
// its flag
const ALL_MAIL =
  /^(?:all mail|alle (?:nachrichten|e-?mails|mails|berichten)|tous les messages|todos?(?: (?:o correio|los mensajes|os e-?mails))?|tutti i messaggi|alla mejl|al e-?post|all e-?post|kaikki viestit|wszystkie|вся почта|уся пошта|všechny zprávy|すべてのメール|所有邮件|所有郵件|전체보관함)$/i;

/**
 * The folders to watch: INBOX first, then Sent, Junk, and All Mail or else the archive, if they exist. They are found
 * by special-use flags (RFC 6154), then by name. Sent comes before All Mail, which contains its emails too.
 */
export async function watchedFolders(client: ImapFlow): Promise<Folder[]> {
  const listed = await client.list();
  const found: [FolderUse, string | null][] = [
    ["SENT", pathOf(listed, "\\Sent")],
    ["JUNK", pathOf(listed, "\\Junk")],
    ["ARCHIVE", pathOf(listed, "\\All") ?? pathOf(listed, "\\Archive")],
  ];
  const folders: Folder[] = [{ path: "INBOX", use: "INBOX" }];
  for (const [use, path] of found)
    if (path !== null && folders.every((folder) => folder.path !== path)) folders.push({ path, use });
  return folders;
}

/** The folder of a special use, by the server's flag or by its usual name. */
export function pathOf(listed: readonly ListResponse[], use: string): string | null {
  const isOpen = ({ flags }: ListResponse) => !flags.has("\\Noselect");
  const flagged = listed.find((folder) => folder.specialUse === use && isOpen(folder));
  if (flagged !== undefined || use !== "\\All") return flagged?.path ?? null;
  return listed.find((folder) => ALL_MAIL.test(folder.name) && isOpen(folder))?.path ?? null;
}
