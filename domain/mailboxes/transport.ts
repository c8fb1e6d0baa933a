import { hash } from "node:crypto";
import type { GoogleCredentials } from "../access/google-credentials.ts";

/**
 * How a mailbox sends and reads: by SMTP and IMAP, or by its provider's own API (providers 2). Everything after the
 * connection is the same for all of them.
 */
export const TRANSPORTS = ["SMTP_IMAP", "GMAIL_API", "GRAPH"] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Where a provider's API is. */
export interface MailApi {
  transport: Exclude<Transport, "SMTP_IMAP">;
  /** With its version where its paths have one, such as https://graph.microsoft.com/v1.0. */
  url: string;
  /** Units that Google gives a user in a minute; absent: those of a new project. */
  unitsPerMinute?: number;
  /** How the provider reports new email; without it mailboxes are only polled. */
  notices?: GmailNotices | GraphNotices;
}

/** How Gmail reports that a mailbox has changed: by Google Pub/Sub, which needs no public address. */
export interface GmailNotices {
  by: "PUBSUB";
  /** Where Gmail publishes: `projects/<project>/topics/<name>`, in the project of the OAuth client. */
  topic: string;
  /** The pull subscription of that topic: `projects/<project>/subscriptions/<name>`. */
  subscription: string;
  credentials: GoogleCredentials;
  /** The base URL of Pub/Sub, without a slash at its end. */
  url: string;
}

/** How Microsoft Graph reports that a mailbox has changed: it posts to a URL of this service. */
export interface GraphNotices {
  by: "HTTP";
  /** The public URL of `/hooks/microsoft`. */
  postTo: string;
}

/** By what the notices of a mailbox at Graph find its cursor. Only Microsoft holds the secret itself. */
export function noticeNameOf(secret: string): string {
  return `graph:${hash("sha256", secret)}`;
}

/**
 * The provider's draft of an email, stored before the draft is sent. After a lost answer the mailbox is asked about it
 * (rules/sending 9.2).
 */
export type ProviderDraft = (
  | { transport: "GMAIL_API"; draftId: string; threadId: string; historyId: string }
  | { transport: "GRAPH"; draftId: string }
) & {
  /** It was certainly not sent and is being deleted. Stored before that, so that the missing draft proves it. */
  isWithdrawn?: boolean;
};

/** Mailboxes of earlier versions have no transport. */
export function isApi({ transport }: { transport?: Transport | undefined }): boolean {
  return transport === "GMAIL_API" || transport === "GRAPH";
}

/** Where the API of a mailbox's provider is; null for a mailbox of SMTP and IMAP, or without such a provider. */
export function apiOf(
  providers: Readonly<Record<"A" | "B", { api?: MailApi | null }>>,
  { provider, transport }: { provider: "SMTP" | "PROVIDERA" | "PROVIDERB"; transport?: Transport | undefined },
): MailApi | null {
  if (provider === "SMTP") return null;
  const { api = null } = providers[provider === "PROVIDERA" ? "A" : "B"];
  return api?.transport === transport ? api : null;
}

/**
 * Whether the user who signed in opens the mailbox of someone else. An application that opens a mailbox by itself is no
 * user.
 */
export function isShared({ email, username }: { email: string; username: string }): boolean {
  return username !== email && username.includes("@");
}

/**
 * How Graph names a mailbox: the signed-in user's own, or a shared one that this user opens. The From of an email
 * changes nothing there.
 */
export function graphMailboxOf({ email, username }: { email: string; username: string }): GraphMailboxPath {
  return username === email ? "/me" : `/users/${encodeURIComponent(email)}`;
}

export type GraphMailboxPath = "/me" | `/users/${string}`;
