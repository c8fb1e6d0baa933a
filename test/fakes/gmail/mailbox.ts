import { randomBytes } from "node:crypto";
import type { GmailAlias, GmailChange, GmailHistoryRecord, GmailMessage, Relabelling } from "./messages.ts";
import { SYSTEM_LABELS } from "./messages.ts";
import { bareSubject, fieldOf, idsIn, readMime } from "./mime.ts";
import { invalidArgument, notFound } from "./refusals.ts";

/** History ids rise with gaps. */
const GAP = 7n;
const MODIFY = "https://www.googleapis.com/auth/gmail.modify";

interface Arrival {
  threadId?: string;
  labelIds: string[];
  isHidden?: boolean;
  /** The internal date; now unless set. */
  at?: number;
}

export class GmailMailbox {
  readonly address: string;
  readonly messages = new Map<string, GmailMessage>();
  /** From the id of a draft to the id of its message. */
  readonly drafts = new Map<string, string>();
  /** Names of the labels that the user made, by id. */
  readonly labels = new Map<string, string>();
  readonly history: GmailHistoryRecord[] = [];
  /** What the user granted. */
  scopes: string[] = [MODIFY];
  sendAs: GmailAlias[];
  historyId: bigint;
  /** Called after each change. */
  onChange: (record: GmailHistoryRecord) => void = () => {};
  readonly #now: () => number;
  /** The latest message with each Message-ID. */
  readonly #byMessageId = new Map<string, GmailMessage>();
  #oldest: bigint;
  #count = 0;

  constructor(address: string, firstHistoryId: bigint, now: () => number) {
    this.address = address;
    this.historyId = firstHistoryId;
    this.#oldest = firstHistoryId;
    this.#now = now;
    this.sendAs = [{ sendAsEmail: address, displayName: "", isPrimary: true, isDefault: true }];
  }

  /** An email arrives, in the thread of the email that it answers, or that it is a copy of. */
  receive(raw: Buffer, { labelIds = ["UNREAD", "INBOX"], ...more }: Partial<Arrival> = {}): GmailMessage {
    const { head } = readMime(raw);
    const related = [...idsIn(head, "References", "In-Reply-To"), ...idsIn(head, "Message-ID")];
    const known = related.map((id) => this.#byMessageId.get(id)).filter((each) => each?.subject === bareSubject(head));
    const threadId = known.at(-1)?.threadId;
    return this.add(raw, { labelIds, ...(threadId && { threadId }), ...more });
  }

  /** Puts a message into the mailbox. */
  add(raw: Buffer, { threadId, labelIds, isHidden = false, at = this.#now() }: Arrival): GmailMessage {
    const id = ((BigInt(this.#now()) << 20n) + BigInt(++this.#count)).toString(16).padStart(16, "0");
    const { head } = readMime(raw);
    const messageId = fieldOf(head, "Message-ID") ?? "<none>";
    const subject = bareSubject(head);
    const place = { id, threadId: threadId ?? id, labelIds, isHidden };
    const message = { ...place, raw, messageId, subject, internalDate: at, historyId: 0n };
    this.messages.set(id, message);
    this.#byMessageId.set(messageId, message);
    this.#note("messagesAdded", message, labelIds);
    return message;
  }

  /** What was hidden can now be read. */
  show(id: string): void {
    this.message(id, { orHidden: true }).isHidden = false;
  }

  /** @throws GmailRefusal when there is none, or when it is still hidden. */
  message(id: string, { orHidden = false } = {}): GmailMessage {
    const message = this.messages.get(id);
    if (message === undefined || (message.isHidden && !orHidden)) throw notFound();
    return message;
  }

  thread(threadId: string): GmailMessage[] {
    const messages = [...this.messages.values()].filter((each) => each.threadId === threadId && !each.isHidden);
    if (messages.length === 0) throw notFound();
    return messages;
  }

  /** The message is gone for ever. */
  remove(id: string): void {
    const message = this.message(id, { orHidden: true });
    this.messages.delete(id);
    if (this.#byMessageId.get(message.messageId) === message) this.#byMessageId.delete(message.messageId);
    this.#note("messagesDeleted", message, []);
  }

  relabel(id: string, { addLabelIds = [], removeLabelIds = [] }: Relabelling): GmailMessage {
    this.checkLabels([...addLabelIds, ...removeLabelIds]);
    const message = this.message(id);
    const added = addLabelIds.filter((label) => !message.labelIds.includes(label));
    const removed = removeLabelIds.filter((label) => message.labelIds.includes(label));
    message.labelIds = [...message.labelIds, ...added].filter((label) => !removed.includes(label));
    if (added.length > 0) this.#note("labelsAdded", message, added);
    if (removed.length > 0) this.#note("labelsRemoved", message, removed);
    return message;
  }

  /** @throws GmailRefusal for a label that is unknown, or that nobody may set. */
  checkLabels(labelIds: string[]): void {
    const isFree = (label: string) => SYSTEM_LABELS.includes(label) && label !== "SENT" && label !== "DRAFT";
    const wrong = labelIds.find((label) => !this.labels.has(label) && !isFree(label));
    if (wrong !== undefined) throw invalidArgument(`Invalid label: ${wrong}`);
  }

  /** A draft in the thread that was asked for, where all that Gmail wants for it is there; else in a new one. */
  createDraft(raw: Buffer, threadId: string | undefined): string {
    const joined = this.threadToJoin(raw, threadId);
    const { id } = this.add(raw, { labelIds: ["DRAFT"], ...(joined && { threadId: joined }) });
    const draftId = `r-${randomBytes(8).readBigUInt64BE() >> 1n}`;
    this.drafts.set(draftId, id);
    return draftId;
  }

  draft(draftId: string): GmailMessage {
    return this.message(this.drafts.get(draftId) ?? "");
  }

  discardDraft(draftId: string): void {
    const { id } = this.draft(draftId);
    this.drafts.delete(draftId);
    this.remove(id);
  }

  /** The thread that was asked for, where the headers name a message of it and the subject is the same. */
  threadToJoin(raw: Buffer, threadId: string | undefined): string | undefined {
    if (threadId === undefined) return undefined;
    const thread = this.thread(threadId);
    const { head } = readMime(raw);
    if (fieldOf(head, "References") === undefined || fieldOf(head, "In-Reply-To") === undefined) return undefined;
    const references = idsIn(head, "References", "In-Reply-To");
    const isJoined = thread.some((each) => references.includes(each.messageId) && each.subject === bareSubject(head));
    return isJoined ? threadId : undefined;
  }

  /** Google keeps history for a week or for hours: from now on all ids up to here are too old. */
  forgetHistory(): void {
    this.historyId += GAP;
    this.#oldest = this.historyId;
    this.history.length = 0;
  }

  /** The changes after a history id. @throws GmailRefusal when it is too old, or none. */
  changesSince(id: bigint): GmailHistoryRecord[] {
    if (id < this.#oldest || id > this.historyId) throw notFound();
    return this.history.filter((record) => record.id > id);
  }

  #note(change: GmailChange, message: GmailMessage, labelIds: string[]): void {
    this.historyId += GAP;
    message.historyId = this.historyId;
    const { id, threadId } = message;
    const record = { id: this.historyId, change, labelIds, message: { id, threadId, labelIds: [...message.labelIds] } };
    this.history.push(record);
    this.onChange(record);
  }
}
