import type { IncomingHttpHeaders } from "node:http";
import type { GraphMailbox } from "./mailbox.ts";

/** Who a token speaks for: a user who consented, or with `address: null` an app with permissions of its own. */
export interface GraphCaller {
  address: string | null;
  /** What was granted, which may be less than what was asked for. All that the stand-in knows where unset. */
  scopes?: readonly string[];
  /** The client id, by which requests at once are counted. */
  app?: string;
}

/** What real mailboxes differ in, or what no document settles. */
export interface GraphSettings {
  /** How long each request takes before it takes effect. */
  latencyMs: number;
  /** How long an accepted email stays a draft: 0 to 600,000. */
  transportDelayMs: number;
  /** How long a Sent copy answers ErrorItemNotFound after transport made it. */
  sentCopyGapMs: number;
  /** Whether the Message-ID of an app survives, and where it is replaced if not. */
  messageId: "kept" | "minted" | "minted at transport";
  keepsListUnsubscribePost: boolean;
  /** Other headers that are taken from each email that leaves. */
  drops: string[];
  maxRequestBytes: number;
  /** The smallest file that may be uploaded in ranges. */
  leastUploadBytes: number;
  /** Reports name both for a request that is too large. */
  oversizeStatus: 413 | 400;
  /** MIME above this size is answered with 200, and nothing is stored or sent. */
  silentOverBytes: number | null;
  /** Requests at once of an app at a mailbox. */
  concurrency: number;
  /** What a second `send` of a draft does while the first is in transport. */
  secondSend: "one email" | "refused" | "two emails";
  /** A limit that only transport knows: a report arrives in the Inbox. */
  transportLimit: (recipient: string, from: string) => { status: string; diagnostic: string } | null;
  subscriptionMinutes: number;
  /** `earlyMs`: how long before the item a notice arrives. */
  notices: { delayMs: number; missing: boolean; earlyMs: number };
  /** Items of a page where nothing else is asked for. */
  pageSize: number;
}

export function defaultSettings(): GraphSettings {
  return {
    latencyMs: 0,
    transportDelayMs: 0,
    sentCopyGapMs: 0,
    messageId: "kept",
    keepsListUnsubscribePost: true,
    drops: [],
    maxRequestBytes: 4 * 1_024 * 1_024,
    leastUploadBytes: 3_000_000,
    oversizeStatus: 413,
    silentOverBytes: null,
    concurrency: 4,
    secondSend: "one email",
    transportLimit: () => null,
    subscriptionMinutes: 4_230,
    notices: { delayMs: 0, missing: false, earlyMs: 0 },
    pageSize: 10,
  };
}

/** A request at a mailbox, after the token was read. */
export interface GraphCall {
  mailbox: GraphMailbox;
  caller: GraphCaller;
  /** `http://host/v1.0/me` or `http://host/v1.0/users/{id}`, as it was called. */
  base: string;
  /** `http://host` */
  host: string;
  id: string;
  folder: string | null;
  isImmutable: boolean;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Whether the caller may send as this address. */
  maySendAs: (address: string) => boolean;
}

const ALL_SCOPES = ["Mail.ReadWrite", "Mail.Send", "Mail.ReadWrite.Shared", "Mail.Send.Shared", "User.Read.All"];

/** Whether one of these was granted; for a mailbox of someone else in its shared form. Permissions of apps have no such form. */
export function isGranted(caller: GraphCaller, scopes: readonly string[], isForeign: boolean): boolean {
  const asked = isForeign && caller.address !== null ? scopes.map((scope) => `${scope}.Shared`) : scopes;
  const granted = caller.scopes ?? ALL_SCOPES;
  return asked.some((scope) => granted.includes(scope));
}
