import type { Out } from "../../api/call.ts";
import { oneOf, type Raw, readPaged } from "../../kit/view.ts";
import type { Flag, Thread } from "./sorting.ts";

/** A conversation with its emails. */
export type Conversation = Out<"get /inbox/threads/:threadId">;
export type Message = Conversation["messages"][number];

/** Endpoints to read again after a change of a conversation. */
export const RENEWS = ["get /inbox/threads", "get /inbox/summary", "get /inbox/threads/:threadId"] as const;

export const PARTS = ["inbox", "scheduled"] as const;
export const VIEWS = ["all", "unread", "starred", "archived"] as const;

export function readView(raw: Raw) {
  return {
    ...readPaged(raw),
    part: oneOf(PARTS, raw["part"]) ?? "inbox",
    view: oneOf(VIEWS, raw["view"]) ?? "all",
    category: raw["category"] ?? null,
    mailbox: raw["mailbox"] ?? null,
    campaign: raw["campaign"] ?? null,
    search: raw["search"] ?? "",
    open: raw["open"] ?? null,
  };
}
export type View = ReturnType<typeof readView>;

/** Functions that record decisions about conversations. */
export interface Sorter {
  may: boolean;
  mark(thread: Thread, flag: Flag, isQuiet?: boolean): void;
  /** Sets the category of the newest inbound email. Without `messageId`, that email is looked up first. */
  categorise(thread: Thread, category: string, messageId?: string): Promise<void>;
}
