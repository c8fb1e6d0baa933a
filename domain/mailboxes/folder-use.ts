/** What a watched folder is for. A provider may put a reply into any of the first three. */
export type FolderUse = "INBOX" | "JUNK" | "ARCHIVE" | "SENT";
