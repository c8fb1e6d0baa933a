import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type ParsedMail, simpleParser } from "mailparser";
import type { MessageJson } from "./mime.ts";

export interface MailboxSpec {
  address: string;
  name?: string;
  /** Users who may read it and send as it, with `.Shared` scopes. */
  sharedWith?: readonly string[];
  /** Without a licence: the user exists, and its mailbox does not. */
  disabled?: boolean;
}

/** The folders of every mailbox, by their well-known names. */
const FOLDERS = {
  inbox: "Inbox",
  drafts: "Drafts",
  outbox: "Outbox",
  sentitems: "Sent Items",
  deleteditems: "Deleted Items",
  junkemail: "Junk Email",
  archive: "Archive",
};
type WellKnownFolder = keyof typeof FOLDERS;

interface MailFolder {
  id: string;
  wellKnown: string;
  displayName: string;
}

export interface GraphItem {
  /** Stays as long as the item stays in the mailbox. */
  immutableId: string;
  /** Changes with every move, and by sending. */
  id: string;
  folderId: string;
  raw: Buffer;
  parsed: ParsedMail;
  /** The properties of a draft in JSON, from which its MIME is built; null where MIME was stored. */
  json: MessageJson | null;
  /** Until then, in milliseconds since 1970, its id is not found. */
  hiddenUntil: number;
  isReceived: boolean;
  isDraft: boolean;
  isRead: boolean;
  flagStatus: "notFlagged" | "complete" | "flagged";
  /** What its reader did last, by PidTagLastVerbExecuted: 102 and 103 are answers. Null: nothing. */
  lastVerb: number | null;
  categories: string[];
  conversationId: string;
  createdAt: Date;
  changedAt: Date;
  receivedAt: Date;
  changeKey: string;
}

/** One entry of a folder's history. */
export interface GraphChange {
  seq: number;
  kind: "created" | "updated" | "removed";
  folderId: string;
  immutableId: string;
  id: string;
}

type NewItem = Pick<GraphItem, "raw"> & Partial<Omit<GraphItem, "folderId">> & { folder: WellKnownFolder };

export class GraphMailbox {
  readonly userId = randomUUID();
  readonly address: string;
  readonly name: string;
  readonly sharedWith: readonly string[];
  readonly isDisabled: boolean;
  readonly folders: MailFolder[];
  readonly items = new Map<string, GraphItem>();
  readonly changes: GraphChange[] = [];
  readonly onChange: (mailbox: GraphMailbox, change: GraphChange) => void;

  constructor(spec: MailboxSpec, onChange: (mailbox: GraphMailbox, change: GraphChange) => void) {
    this.address = spec.address.toLowerCase();
    this.name = spec.name ?? spec.address;
    this.sharedWith = (spec.sharedWith ?? []).map((address) => address.toLowerCase());
    this.isDisabled = spec.disabled ?? false;
    this.folders = Object.entries(FOLDERS).map(([wellKnown, displayName]) => ({
      id: newId("AAMkAD"),
      wellKnown,
      displayName,
    }));
    this.onChange = onChange;
  }

  /** The sender as a header states it. */
  get from(): string {
    return this.name === this.address ? this.address : `"${this.name}" <${this.address}>`;
  }

  /** By its id or its well-known name. */
  folder(idOrName: string): MailFolder | undefined {
    const name = idOrName.toLowerCase();
    return this.folders.find(({ id, wellKnown }) => id === idOrName || wellKnown === name);
  }

  /** Null when there is a folder of this name. */
  createFolder(displayName: string): MailFolder | null {
    if (this.folders.some((each) => each.displayName.toLowerCase() === displayName.toLowerCase())) return null;
    const made = { id: newId("AAMkAD"), wellKnown: "", displayName };
    this.folders.push(made);
    return made;
  }

  idOf(folder: WellKnownFolder): string {
    return this.folder(folder)?.id ?? "";
  }

  /** By either kind of id. */
  find(id: string): GraphItem | undefined {
    const item = this.items.get(id) ?? this.items.values().find((each) => each.id === id);
    return item !== undefined && item.hiddenUntil <= Date.now() ? item : undefined;
  }

  in(folderId: string | null): GraphItem[] {
    return [...this.items.values()].filter((item) => folderId === null || item.folderId === folderId);
  }

  async add({ folder, ...more }: NewItem): Promise<GraphItem> {
    const parsed = await simpleParser(more.raw);
    const now = new Date();
    const subject = (parsed.subject ?? "").replace(/^((re|fwd?): *)+/i, "").toLowerCase();
    const item: GraphItem = {
      ...newIds(),
      folderId: this.idOf(folder),
      json: null,
      hiddenUntil: 0,
      isReceived: false,
      isDraft: false,
      isRead: true,
      flagStatus: "notFlagged",
      lastVerb: null,
      categories: [],
      // Strangers with one subject may share it
      conversationId: `AAQkAD${createHash("sha256").update(subject).digest("base64url").slice(0, 24)}=`,
      createdAt: now,
      changedAt: now,
      receivedAt: now,
      changeKey: newChangeKey(),
      ...more,
      parsed,
    };
    this.items.set(item.immutableId, item);
    this.record("created", item);
    return item;
  }

  async rewrite(item: GraphItem, raw: Buffer): Promise<void> {
    item.parsed = await simpleParser(raw);
    item.raw = raw;
  }

  changed(item: GraphItem): void {
    this.record("updated", item);
  }

  move(item: GraphItem, folderId: string): void {
    this.record("removed", item);
    item.id = newIds().id;
    item.folderId = folderId;
    this.record("created", item);
  }

  remove(item: GraphItem): void {
    this.items.delete(item.immutableId);
    this.record("removed", item);
  }

  private record(kind: GraphChange["kind"], item: GraphItem): void {
    item.changedAt = new Date();
    item.changeKey = newChangeKey();
    const { folderId, immutableId, id } = item;
    const change = { seq: this.changes.length + 1, kind, folderId, immutableId, id };
    this.changes.push(change);
    this.onChange(this, change);
  }
}

/** Ids are case-sensitive, and those of a message have these beginnings. */
export function newIds(): { immutableId: string; id: string } {
  return { immutableId: newId("AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A"), id: newId("AAMkAD") };
}

function newId(start: string): string {
  return `${start}${randomBytes(21).toString("base64url")}AAA=`;
}

function newChangeKey(): string {
  return `CQAAABYAAAC${randomBytes(15).toString("base64")}`;
}

/** An id as Exchange mints it. */
export function mintMessageId(): string {
  const host = randomBytes(6).toString("hex").toUpperCase();
  return `<${host}${randomBytes(8).toString("hex").toUpperCase()}@${host}.namprd13.prod.outlook.com>`;
}
