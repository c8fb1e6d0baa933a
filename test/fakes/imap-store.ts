/** What a rude server does instead of answering. */
export const SILENCE = "silence";
export const BYE = "bye";
export const DROP = "drop";

/** A mail as a server stores it. */
export interface StoredMail {
  uid: number;
  modseq: number;
  flags: string[];
  date: Date;
  raw: Buffer;
  /** Where the header ends, including its empty line. */
  head: number;
  /** A size that is reported in place of the true one. */
  size?: number;
  /** A body length that is announced in place of the true one. */
  literal?: number;
  threadId?: string;
}

export interface StoredFolder {
  path: string;
  flags: string[];
  uidValidity: number;
  uidNext: number;
  modseq: number;
  mails: StoredMail[];
}

export interface FolderSpec {
  path: string;
  flags?: string[];
}

export const FOLDERS: FolderSpec[] = [
  { path: "INBOX" },
  { path: "Sent", flags: ["\\Sent"] },
  { path: "Junk", flags: ["\\Junk"] },
  { path: "Archive", flags: ["\\Archive"] },
];

export function newFolder({ path, flags = [] }: FolderSpec, uidValidity: number): StoredFolder {
  return { path, flags, uidValidity, uidNext: 1, modseq: 1, mails: [] };
}

export function append(
  folder: StoredFolder,
  raw: Buffer | string,
  more: Partial<Omit<StoredMail, "uid" | "raw">> = {},
): StoredMail {
  const bytes = typeof raw === "string" ? Buffer.from(raw) : raw;
  const end = bytes.indexOf("\r\n\r\n");
  folder.modseq += 1;
  const mail = {
    uid: folder.uidNext++,
    modseq: folder.modseq,
    flags: [],
    date: new Date(),
    raw: bytes,
    head: end < 0 ? bytes.length : end + 4,
    ...more,
  };
  folder.mails.push(mail);
  return mail;
}

/** The UIDs that a sequence set names; `*` is the last one. */
export function inSet(folder: StoredFolder, set: string): StoredMail[] {
  const last = folder.mails.at(-1)?.uid ?? 0;
  const ranges = set.split(",").map((range) => {
    const [from = "", to = from] = range.split(":");
    const [one, other] = [from === "*" ? last : Number(from), to === "*" ? last : Number(to)];
    return { low: Math.min(one, other), high: Math.max(one, other) };
  });
  return folder.mails.filter(({ uid }) => ranges.some(({ low, high }) => uid >= low && uid <= high));
}

/**
 * The search keys that the sync uses: `ALL`, `UID set`, `SINCE day`, `LARGER octets`, `UNDRAFT`, `HEADER name value`.
 */
export function search(folder: StoredFolder, words: string[]): StoredMail[] {
  let found = folder.mails;
  for (let at = 0; at < words.length; ) {
    const key = (words[at++] ?? "").toUpperCase();
    if (key === "UID") {
      const within = new Set(inSet(folder, words[at++] ?? ""));
      found = found.filter((mail) => within.has(mail));
    } else if (key === "SINCE") {
      const day = Date.parse(`${words[at++]} UTC`);
      found = found.filter(({ date }) => date.getTime() >= day);
    } else if (key === "LARGER") {
      const size = Number(words[at++]);
      found = found.filter((mail) => (mail.size ?? mail.raw.length) > size);
    } else if (key === "UNDRAFT") {
      found = found.filter(({ flags }) => !flags.includes("\\Draft"));
    } else if (key === "HEADER") {
      const [name = "", value = ""] = [words[at++], words[at++]];
      found = found.filter((mail) => fieldsOf(mail, [name]).includes(value));
    }
  }
  return found;
}

/** The named header fields as they stand in the mail, with the empty line. */
export function fieldsOf({ raw, head }: StoredMail, names: string[]): string {
  const wanted = names.map((name) => name.toLowerCase());
  const fields = raw.toString("latin1", 0, head).split(/\r\n(?![ \t])/);
  return `${fields
    .filter((line) => wanted.includes(line.slice(0, line.indexOf(":")).toLowerCase()))
    .map((line) => `${line}\r\n`)
    .join("")}\r\n`;
}
