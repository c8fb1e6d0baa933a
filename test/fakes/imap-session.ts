import type { TLSSocket } from "node:tls";
import {
  append,
  BYE,
  DROP,
  fieldsOf,
  inSet,
  SILENCE,
  type StoredFolder,
  type StoredMail,
  search,
} from "./imap-store.ts";

/** What a session asks of the server that it is part of. */
interface Accounts {
  readonly options: {
    password: string;
    capabilities: string[];
    meddle: (command: string, rest: string, user: string) => string | null;
  };
  readonly commands: string[];
  account(user: string): Map<string, StoredFolder>;
  folder(user: string, path?: string): StoredFolder;
  /** Returns whether the folder is new. */
  create(user: string, path: string): boolean;
  expunge(user: string, uid: number, path: string): void;
}

/** One connection of QuickImap: the part of IMAP4rev1 (RFC 3501) that a reader of mail uses, and who treats it. */
export class ImapSession {
  private readonly imap: Accounts;
  private readonly socket: TLSSocket;
  private buffered: Buffer = Buffer.alloc(0);
  private user = "";
  private selected: StoredFolder | null = null;
  private idleTag: string | null = null;

  constructor(imap: Accounts, socket: TLSSocket) {
    this.imap = imap;
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.take(chunk));
    this.send("* OK ready");
  }

  drop(): void {
    this.socket.destroy();
  }

  bye(): void {
    this.socket.end("* BYE the server goes down\r\n");
  }

  /** What changed in a folder, told to the sessions that have it open. */
  notice(folder: StoredFolder, line: string): void {
    if (this.selected === folder) this.send(line);
  }

  private send(...lines: string[]): void {
    if (!this.socket.destroyed) this.socket.write(`${lines.join("\r\n")}\r\n`);
  }

  private take(chunk: Buffer): void {
    this.buffered = this.buffered.length === 0 ? chunk : Buffer.concat([this.buffered, chunk]);
    for (;;) {
      const end = this.buffered.indexOf("\r\n");
      if (end < 0) return;
      let line = this.buffered.toString("latin1", 0, end);
      let next = end + 2;
      const literal = /\{(\d+)\+?\}$/.exec(line);
      let content: Buffer | null = null;
      if (literal !== null) {
        const length = Number(literal[1]);
        if (!line.endsWith("+}") && this.buffered.length === next) this.send("+ go on");
        if (this.buffered.length < next + length + 2) return;
        content = this.buffered.subarray(next, next + length);
        line = line.slice(0, literal.index);
        next += length + 2;
      }
      this.buffered = Buffer.from(this.buffered.subarray(next));
      this.answer(line, content);
    }
  }

  private answer(line: string, content: Buffer | null): void {
    if (this.idleTag !== null && line.toUpperCase() === "DONE") {
      this.send(`${this.idleTag} OK done`);
      this.idleTag = null;
      return;
    }
    const [, tag = "*", command = "", rest = ""] = /^(\S+) (UID \S+|\S+) ?(.*)$/i.exec(line) ?? [];
    const name = command.toUpperCase();
    this.imap.commands.push(`${name} ${rest}`);
    const meddled = this.imap.options.meddle(name, rest, this.user);
    if (meddled === BYE) this.bye();
    else if (meddled === DROP) this.drop();
    else if (meddled === null) this.complete(tag, this.perform(tag, name, rest, content));
    else if (meddled !== SILENCE) this.send(...meddled.replaceAll("TAG", tag).split("\r\n"));
  }

  private complete(tag: string, outcome: string | null): void {
    if (outcome !== null) this.send(`${tag} ${outcome}`);
  }

  /** Returns how the command ended, or null while it has not. */
  private perform(tag: string, name: string, rest: string, content: Buffer | null): string | null {
    const words = wordsOf(rest);
    switch (name) {
      case "LOGIN":
        if (words[1] !== this.imap.options.password) return "NO [AUTHENTICATIONFAILED] wrong";
        this.user = words[0] ?? "";
        break;
      case "CAPABILITY":
        this.send(`* CAPABILITY IMAP4rev1 ${this.imap.options.capabilities.join(" ")}`);
        break;
      case "ENABLE":
        this.send(`* ENABLED ${words.filter((word) => word === "CONDSTORE" && this.can(word)).join(" ")}`);
        break;
      case "LIST":
      case "LSUB":
        if (words[1] === "") this.send(`* ${name} (\\Noselect) "/" ""`);
        for (const { path, flags } of this.imap.account(this.user).values()) {
          if (words[1] !== "*" && words[1] !== path) continue;
          this.send(`* ${name} (${(this.can("SPECIAL-USE") ? flags : []).join(" ")}) "/" "${path}"`);
        }
        break;
      case "SELECT":
      case "EXAMINE":
        if (!this.open(words[0] ?? "")) return "NO [NONEXISTENT] no such folder";
        break;
      case "UID SEARCH":
        this.send(
          `* SEARCH ${search(this.folder(), words)
            .map(({ uid }) => uid)
            .join(" ")}`.trimEnd(),
        );
        break;
      case "UID FETCH":
        this.fetch(words[0] ?? "", rest.slice((words[0] ?? "").length + 1));
        break;
      case "UID STORE":
        this.store(words);
        break;
      case "UID MOVE":
        if (!this.move(words)) return "NO [TRYCREATE] no such folder";
        break;
      case "CREATE":
        if (!this.imap.create(this.user, words[0] ?? "")) return "NO [ALREADYEXISTS] there is one";
        break;
      case "IDLE":
        this.idleTag = tag;
        this.send("+ idling");
        return null;
      case "APPEND":
        append(this.imap.folder(this.user, words[0]), content === null ? "" : Buffer.from(content));
        break;
      case "LOGOUT":
        this.send("* BYE", `${tag} OK`);
        this.socket.end();
        return null;
    }
    return "OK done";
  }

  private can(capability: string): boolean {
    return this.imap.options.capabilities.includes(capability);
  }

  private folder(): StoredFolder {
    if (this.selected === null) throw new Error("No folder is selected");
    return this.selected;
  }

  private open(path: string): boolean {
    const folder = this.imap.account(this.user).get(path);
    this.selected = folder ?? null;
    if (folder === undefined) return false;
    this.send(
      "* FLAGS (\\Seen \\Draft)",
      `* ${folder.mails.length} EXISTS`,
      "* 0 RECENT",
      `* OK [UIDVALIDITY ${folder.uidValidity}] valid`,
    );
    if (!this.can("NO-UIDNEXT")) this.send(`* OK [UIDNEXT ${folder.uidNext}] next`);
    if (this.can("CONDSTORE")) this.send(`* OK [HIGHESTMODSEQ ${folder.modseq}] kept`);
    return true;
  }

  private store([set = "", how = "", ...flags]: string[]): void {
    const folder = this.folder();
    for (const mail of inSet(folder, set)) {
      const others = mail.flags.filter((flag) => !flags.includes(flag));
      mail.flags = how.startsWith("-") ? others : [...(how.startsWith("+") ? others : []), ...flags];
      mail.modseq = ++folder.modseq;
      if (!how.endsWith(".SILENT"))
        this.send(`* ${folder.mails.indexOf(mail) + 1} FETCH (UID ${mail.uid} FLAGS (${mail.flags.join(" ")}))`);
    }
  }

  private move([set = "", path = ""]: string[]): boolean {
    const to = this.imap.account(this.user).get(path);
    if (to === undefined) return false;
    const from = this.folder();
    const mails = inSet(from, set);
    const copies = mails.map(({ raw, flags, date }) => append(to, raw, { flags, date }));
    const uidsOf = (some: StoredMail[]) => some.map(({ uid }) => uid).join(",");
    this.send(`* OK [COPYUID ${to.uidValidity} ${uidsOf(mails)} ${uidsOf(copies)}] moved`);
    for (const { uid } of mails) this.imap.expunge(this.user, uid, from.path);
    return true;
  }

  private fetch(set: string, query: string): void {
    const folder = this.folder();
    const items = query.match(/BODY\.PEEK\[[^\]]*\]|[A-Z0-9.-]+/gi) ?? [];
    const places = new Map(folder.mails.map((mail, index) => [mail, index + 1]));
    const chunks: Buffer[] = [];
    for (const mail of inSet(folder, set)) {
      chunks.push(Buffer.from(`* ${places.get(mail)} FETCH (`));
      for (const [index, item] of items.entries()) {
        if (index > 0) chunks.push(Buffer.from(" "));
        chunks.push(...itemOf(mail, item));
      }
      chunks.push(Buffer.from(")\r\n"));
    }
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(chunks));
  }
}

function itemOf(mail: StoredMail, item: string): Buffer[] {
  const [, section, names] = /^BODY\.PEEK\[(HEADER\.FIELDS \(([^)]*)\)|HEADER|)\]$/i.exec(item) ?? [];
  if (section !== undefined) {
    const content =
      section === ""
        ? mail.raw
        : names === undefined
          ? mail.raw.subarray(0, mail.head)
          : Buffer.from(fieldsOf(mail, wordsOf(names)), "latin1");
    const length = section === "" ? (mail.literal ?? content.length) : content.length;
    return [Buffer.from(`BODY[${section}] {${length}}\r\n`), content];
  }
  const value: Record<string, () => string> = {
    UID: () => String(mail.uid),
    FLAGS: () => `(${mail.flags.join(" ")})`,
    MODSEQ: () => `(${mail.modseq})`,
    "RFC822.SIZE": () => String(mail.size ?? mail.raw.length),
    INTERNALDATE: () => `"${dateOf(mail.date)}"`,
    // Whoever wants more of it reads the header
    ENVELOPE: () => `(${"NIL ".repeat(9)}"${fieldsOf(mail, ["Message-ID"]).slice("Message-ID:".length).trim()}")`,
    EMAILID: () => `(M${mail.uid})`,
    THREADID: () => (mail.threadId === undefined ? "NIL" : `(${mail.threadId})`),
  };
  return [Buffer.from(`${item.toUpperCase()} ${value[item.toUpperCase()]?.() ?? "NIL"}`)];
}

function dateOf(date: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  return `${day}-${month}-${year} ${time} +0000`;
}

/** Splits a command line into atoms and quoted texts. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|([^\s()"]+)/g)].map(
    ([, quoted, atom]) => quoted?.replace(/\\(.)/g, "$1") ?? atom ?? "",
  );
}
