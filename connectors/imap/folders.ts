import type { ImapFlow, ListResponse } from "imapflow";

/** What a watched folder is for; a provider may put a reply into any of the first three. */
export type FolderUse = "INBOX" | "JUNK" | "ARCHIVE" | "SENT";

export interface Folder {
  path: string;
  use: FolderUse;
}

// The library knows folders by their special-use flags, then by their names in many languages; of all mail it knows the flag only
const ALL_MAIL =
  /^(?:all mail|alle (?:nachrichten|e-?mails|mails|berichten)|tous les messages|todos?(?: (?:o correio|los mensajes|os e-?mails))?|tutti i messaggi|alla mejl|al e-?post|all e-?post|kaikki viestit|wszystkie|вся почта|уся пошта|všechny zprávy|すべてのメール|所有邮件|所有郵件|전체보관함)$/i;

/**
 * INBOX first, then Sent, Junk, and all mail or the archive, where there are such. Special-use flags (RFC 6154) first, names second.
 * Sent comes before all mail, which holds its mails too.
 */
export async function watchedFolders(client: ImapFlow): Promise<Folder[]> {
  const listed = await client.list();
  const found: [FolderUse, string | null][] = [
    ["SENT", pathOf(listed, "\\Sent")],
    ["JUNK", pathOf(listed, "\\Junk")],
    ["ARCHIVE", pathOf(listed, "\\All") ?? pathOf(listed, "\\Archive")],
  ];
  const folders: Folder[] = [{ path: "INBOX", use: "INBOX" }];
  for (const [use, path] of found) if (path !== null && folders.every((folder) => folder.path !== path)) folders.push({ path, use });
  return folders;
}

/** The folder of a special use, as the server flags it or by its usual name. */
export function pathOf(listed: readonly ListResponse[], use: string): string | null {
  const isOpen = ({ flags }: ListResponse) => !flags.has("\\Noselect");
  const flagged = listed.find((folder) => folder.specialUse === use && isOpen(folder));
  if (flagged !== undefined || use !== "\\All") return flagged?.path ?? null;
  return listed.find((folder) => ALL_MAIL.test(folder.name) && isOpen(folder))?.path ?? null;
}
