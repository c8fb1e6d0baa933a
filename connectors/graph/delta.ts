import { z } from "zod";
import { callGraph, type GraphAccess } from "./call.ts";

const Item = z.object({
  id: z.string(),
  "@removed": z.object({ reason: z.string().default("") }).optional(),
  isDraft: z.boolean().default(false),
  receivedDateTime: z.iso.datetime({ offset: true }).optional(),
  internetMessageId: z.string().nullable().optional(),
  conversationId: z.string().nullable().optional(),
});
const Page = z.object({
  value: z.array(Item).default([]),
  "@odata.nextLink": z.string().optional(),
  "@odata.deltaLink": z.string().optional(),
});

/** A message that appeared, changed or left the folder. */
interface GraphChange {
  id: string;
  /** With immutable ids a message that was moved away and back is only shown as removed. */
  isRemoved: boolean;
  isDraft: boolean;
  receivedAt: Date | null;
  messageId: string | null;
  conversationId: string | null;
}

export interface DeltaPage {
  changes: GraphChange[];
  /** Where the next page is; it may be stored, so that a stopped run can continue. Null on the last page. */
  next: string | null;
  /** Where the changes after this run are; null before the last page. */
  delta: string | null;
}

const FIELDS = "isDraft,receivedDateTime,internetMessageId,conversationId";
const LISTED = "200";
const PAGE_SIZE = "odata.maxpagesize=200";

/**
 * One page of the changes of a folder: from a link of an earlier page, or from the beginning with all messages that
 * arrived since an instant.
 * @throws GraphTrouble `stale` when Graph no longer knows the link, also in the middle of a run: begin anew
 */
export async function readDelta(
  access: GraphAccess,
  from: { link: string } | { folder: string; since: Date },
): Promise<DeltaPage> {
  return readPage(access, "link" in from ? pathOf(access, from.link) : firstPath(access, from.folder, from.since));
}

/**
 * All messages of a folder that arrived from an instant on and before another one, also those whose changes the delta
 * does not show.
 * @throws GraphTrouble
 */
export async function listFolder(
  access: GraphAccess,
  folder: string,
  { since, until }: { since: Date; until: Date },
): Promise<GraphChange[]> {
  const $filter = `receivedDateTime ge ${since.toISOString()} and receivedDateTime lt ${until.toISOString()}`;
  const query = new URLSearchParams({ $select: FIELDS, $filter, $top: LISTED });
  let path = `${access.mailbox}/mailFolders/${encodeURIComponent(folder)}/messages?${query}`;
  const found: GraphChange[] = [];
  for (;;) {
    const { changes, next } = await readPage(access, path);
    found.push(...changes);
    if (next === null) return found;
    path = pathOf(access, next);
  }
}

async function readPage(access: GraphAccess, path: string): Promise<DeltaPage> {
  const page = await callGraph(access, path, {
    schema: Page,
    headers: { Prefer: `IdType="ImmutableId", ${PAGE_SIZE}` },
  });
  return {
    changes: page.value.map((item) => ({
      id: item.id,
      isRemoved: item["@removed"] !== undefined,
      isDraft: item.isDraft,
      receivedAt: item.receivedDateTime === undefined ? null : new Date(item.receivedDateTime),
      messageId: item.internetMessageId ?? null,
      conversationId: item.conversationId ?? null,
    })),
    next: page["@odata.nextLink"] ?? null,
    delta: page["@odata.deltaLink"] ?? null,
  };
}

/** The options of the first request hold for all later ones. */
function firstPath({ mailbox }: GraphAccess, folder: string, since: Date): string {
  const query = new URLSearchParams({ $select: FIELDS, $filter: `receivedDateTime ge ${since.toISOString()}` });
  return `${mailbox}/mailFolders/${encodeURIComponent(folder)}/messages/delta?${query}`;
}

/** A link that leads elsewhere would take the token with it. */
function pathOf({ url }: GraphAccess, link: string): string {
  if (!link.startsWith(`${url}/`)) throw new Error("A link of Graph leads to another server");
  return link.slice(url.length);
}
