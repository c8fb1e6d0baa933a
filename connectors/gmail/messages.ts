import { z } from "zod";
import type { BearerAccess } from "../bearer-call.ts";
import { callGmail } from "./call.ts";
import { GmailMessage } from "./history.ts";

const Listed = z.object({
  messages: z.array(z.object({ id: z.string(), threadId: z.string() })).default([]),
  nextPageToken: z.string().optional(),
});
const Raw = GmailMessage.extend({ raw: z.string(), internalDate: z.string(), historyId: z.string() });
const Headers = GmailMessage.extend({
  payload: z.object({ headers: z.array(z.object({ name: z.string(), value: z.string() })).default([]) }),
});
const Aliases = z.object({
  sendAs: z
    .array(
      z.object({
        sendAsEmail: z.string(),
        isPrimary: z.boolean().default(false),
        isDefault: z.boolean().default(false),
        verificationStatus: z.string().optional(),
      }),
    )
    .default([]),
});

/** A message as it arrived. */
export interface GmailRaw {
  id: string;
  threadId: string;
  labels: string[];
  receivedAt: Date;
  bytes: Buffer;
}

/** The largest message that Gmail keeps, as text of base64. */
const MOST_BYTES = 72 * 1024 * 1024;
const PAGE = 500;

/** Ids of messages, newest first, spam included: a reply that was filed as spam is a reply. @throws GmailTrouble */
export async function listMessages(
  access: BearerAccess,
  query: string,
  pageToken: string | null,
): Promise<{ ids: string[]; next: string | null }> {
  const search = new URLSearchParams({ maxResults: String(PAGE), includeSpamTrash: "true", q: query });
  if (pageToken !== null) search.set("pageToken", pageToken);
  const page = await callGmail(access, `/gmail/v1/users/me/messages?${search}`, { schema: Listed });
  return { ids: page.messages.map(({ id }) => id), next: page.nextPageToken ?? null };
}

/** @throws GmailTrouble `gone` for a message that was deleted since it was listed */
export async function readRaw(access: BearerAccess, id: string): Promise<GmailRaw> {
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}?format=raw`;
  const { raw, internalDate, threadId, labelIds } = await callGmail(access, path, {
    schema: Raw,
    maxBytes: MOST_BYTES,
  });
  return {
    id,
    threadId,
    labels: labelIds,
    receivedAt: new Date(Number(internalDate)),
    bytes: Buffer.from(raw, "base64url"),
  };
}

/** A message without its content. */
export interface GmailHead {
  id: string;
  threadId: string;
  labels: string[];
  /** The wanted headers, by their names in lower case; the first of several. */
  headers: Map<string, string>;
}

/** @throws GmailTrouble `gone` for a message that was deleted */
export async function readHead(access: BearerAccess, id: string, names: readonly string[]): Promise<GmailHead> {
  const query = new URLSearchParams({ format: "metadata" });
  for (const name of names) query.append("metadataHeaders", name);
  const path = `/gmail/v1/users/me/messages/${encodeURIComponent(id)}?${query}`;
  const { threadId, labelIds, payload } = await callGmail(access, path, { schema: Headers });
  const headers = new Map(payload.headers.toReversed().map(({ name, value }) => [name.toLowerCase(), value]));
  return { id, threadId, labels: labelIds, headers };
}

/**
 * Some headers of a message. Gmail replaces our Message-ID, so this is how the one that left is learnt.
 * @throws GmailTrouble
 */
export async function readHeaders(
  access: BearerAccess,
  id: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  return (await readHead(access, id, names)).headers;
}

/**
 * The addresses that the mailbox may send from. With another From, Gmail sends as the default address and says nothing.
 * An alias of the same Workspace domain has no status; only a pending one is refused.
 * @throws GmailTrouble
 */
export async function listSenders(access: BearerAccess): Promise<string[]> {
  const { sendAs } = await callGmail(access, "/gmail/v1/users/me/settings/sendAs", { schema: Aliases });
  return sendAs
    .filter(({ verificationStatus = "accepted" }) => verificationStatus !== "pending")
    .map(({ sendAsEmail }) => sendAsEmail.toLowerCase());
}
