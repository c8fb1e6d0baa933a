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
}

/**
 * The provider's draft of an email, stored before the draft is sent. After a lost answer the mailbox is asked about it
 * (rules/sending 9.2).
 */
export type ProviderDraft =
  | { transport: "GMAIL_API"; draftId: string; threadId: string; historyId: string }
  | { transport: "GRAPH"; draftId: string };

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
