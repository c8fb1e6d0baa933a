import type { AddressInfo } from "node:net";
import tls from "node:tls";
import { ImapSession } from "./imap-session.ts";
import { append, FOLDERS, type FolderSpec, newFolder, type StoredFolder, type StoredMail } from "./imap-store.ts";

export interface QuickImapOptions {
  certificate: { key: string; cert: string };
  password: string;
  /** Extensions of IMAP4rev1. IDLE, SPECIAL-USE, CONDSTORE and MOVE are offered when they are named here. */
  capabilities?: string[];
  folders?: FolderSpec[];
  /**
   * Sees each command before it is answered. What it returns is sent instead of the answer: text, SILENCE, BYE or DROP.
   */
  meddle?: (command: string, rest: string, user: string) => string | null;
}

const CAPABILITIES = ["IDLE", "SPECIAL-USE", "CONDSTORE", "ENABLE", "UIDPLUS"];

/** Many accounts on one IMAP server, each made at its first login or mail: quick, and as rude as a test wants it. */
export class QuickImap {
  readonly options: Required<Omit<QuickImapOptions, "certificate">>;
  readonly sessions = new Set<ImapSession>();
  readonly commands: string[] = [];
  private readonly accounts = new Map<string, Map<string, StoredFolder>>();
  private readonly server: tls.Server;
  private validity = 100;

  private constructor({ certificate, ...options }: QuickImapOptions) {
    this.options = { capabilities: CAPABILITIES, folders: FOLDERS, meddle: () => null, ...options };
    this.server = tls.createServer(certificate, (socket) => {
      const session = new ImapSession(this, socket);
      this.sessions.add(session);
      socket.on("close", () => this.sessions.delete(session));
      socket.on("error", () => {});
    });
    this.server.on("tlsClientError", () => {});
  }

  static async start(options: QuickImapOptions): Promise<QuickImap> {
    const imap = new QuickImap(options);
    await new Promise<void>((resolve) => imap.server.listen(0, "127.0.0.1", resolve));
    return imap;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port; // it listens on a port
  }

  account(user: string): Map<string, StoredFolder> {
    let account = this.accounts.get(user);
    if (account === undefined) {
      account = new Map(this.options.folders.map((spec) => [spec.path, newFolder(spec, ++this.validity)]));
      this.accounts.set(user, account);
    }
    return account;
  }

  folder(user: string, path = "INBOX"): StoredFolder {
    const folder = this.account(user).get(path);
    if (folder === undefined) throw new Error(`${user} has no folder ${path}`);
    return folder;
  }

  /** Delivers a new mail, and tells the sessions that have the folder open. */
  deliver(user: string, raw: Buffer | string, path = "INBOX", more: Partial<StoredMail> = {}): StoredMail {
    const folder = this.folder(user, path);
    const mail = append(folder, raw, more);
    for (const session of this.sessions) session.notice(folder, `* ${folder.mails.length} EXISTS`);
    return mail;
  }

  expunge(user: string, uid: number, path = "INBOX"): void {
    const folder = this.folder(user, path);
    const at = folder.mails.findIndex((mail) => mail.uid === uid);
    if (at < 0) return;
    folder.mails.splice(at, 1);
    for (const session of this.sessions) session.notice(folder, `* ${at + 1} EXPUNGE`);
  }

  /** Returns whether the folder is new. */
  create(user: string, path: string): boolean {
    const account = this.account(user);
    if (account.has(path)) return false;
    account.set(path, newFolder({ path }, ++this.validity));
    return true;
  }

  /** Re-creates the folder under the same name: with other numbers, and with the same mails or none. */
  recreate(user: string, path: string, { isEmpty = false } = {}): void {
    const { flags, mails } = this.folder(user, path);
    const folder = newFolder({ path, flags }, ++this.validity);
    this.account(user).set(path, folder);
    if (!isEmpty) for (const { raw, date } of mails) append(folder, raw, { date });
  }

  async close(): Promise<void> {
    for (const session of this.sessions) session.drop();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
