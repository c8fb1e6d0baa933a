import { z } from "zod";
import type { BearerAccess } from "../bearer-call.ts";
import { callGmail } from "./call.ts";

export const GmailMessage = z.object({
  id: z.string(),
  threadId: z.string(),
  labelIds: z.array(z.string()).default([]),
});

const Changed = z.array(z.object({ message: GmailMessage })).default([]);
const HistoryRecord = z.object({
  id: z.string(),
  messagesAdded: Changed,
  messagesDeleted: Changed,
  labelsAdded: z.array(z.object({ message: GmailMessage, labelIds: z.array(z.string()).default([]) })).default([]),
  labelsRemoved: z.array(z.object({ message: GmailMessage, labelIds: z.array(z.string()).default([]) })).default([]),
});
const HistoryPage = z.object({
  history: z.array(HistoryRecord).default([]),
  nextPageToken: z.string().optional(),
  historyId: z.string(),
});

/** One change of a mailbox. */
export type GmailChange = z.output<typeof HistoryRecord>;

interface Kept {
  /** One kind of change; all kinds without it. */
  type?: "messageAdded" | "messageDeleted" | "labelAdded" | "labelRemoved";
  /** Only messages with this label. */
  label?: string;
}

const PAGE = 500;
const Profile = z.object({ emailAddress: z.string(), historyId: z.string() });

/** The mailbox's address, and the id from which its history continues now. @throws GmailTrouble */
export function readProfile(access: BearerAccess): Promise<z.output<typeof Profile>> {
  return callGmail(access, "/gmail/v1/users/me/profile", { schema: Profile });
}

/**
 * What changed in the mailbox after a history id, oldest first, over all pages from that one id. Returns the history id
 * from which the next call continues.
 * @throws GmailTrouble `gone` when Gmail no longer knows that id: the mailbox is then read anew
 */
export async function* historySince(
  access: BearerAccess,
  startHistoryId: string,
  { type, label }: Kept = {},
): AsyncGenerator<GmailChange, string> {
  let pageToken: string | undefined;
  for (;;) {
    const query = new URLSearchParams({
      startHistoryId,
      maxResults: String(PAGE),
      ...(type !== undefined && { historyTypes: type }),
      ...(label !== undefined && { labelId: label }),
      ...(pageToken !== undefined && { pageToken }),
    });
    const page = await callGmail(access, `/gmail/v1/users/me/history?${query}`, { schema: HistoryPage });
    yield* page.history;
    if (page.nextPageToken === undefined) return page.historyId;
    pageToken = page.nextPageToken;
  }
}
