import { z } from "zod";
import { askGraph, callGraph, type GraphAccess } from "./call.ts";
import { GraphTrouble } from "./trouble.ts";

const Headers = z.array(z.object({ name: z.string(), value: z.string() }));
const Item = z.object({
  id: z.string(),
  parentFolderId: z.string(),
  internetMessageId: z.string().nullable().default(null),
  internetMessageHeaders: Headers.nullable().default([]),
  isDraft: z.boolean().default(false),
  flag: z.object({ flagStatus: z.string() }).nullable().default(null),
  singleValueExtendedProperties: z.array(z.object({ id: z.string(), value: z.string() })).default([]),
});
const Page = z.object({ value: z.array(Item).default([]), "@odata.nextLink": z.string().optional() });
const Folder = z.object({ id: z.string() });
const Folders = z.object({ value: z.array(Folder).default([]) });

/** A message without its content. */
export interface GraphItem {
  id: string;
  folderId: string;
  messageId: string | null;
  /** The mark of our own emails. */
  mailRef: string | null;
  isDraft: boolean;
  isFlagged: boolean;
  /** Whether its reader has answered it. */
  isAnswered: boolean;
}

const FIELDS = "id,parentFolderId,internetMessageId,isDraft,flag";
/** PidTagLastVerbExecuted: Graph has no property of its own for an answer. */
const LAST_VERB = "Integer 0x1081";
const EXPAND = `singleValueExtendedProperties($filter=id eq '${LAST_VERB}')`;
/** Reply to the sender, and to all. */
const ANSWERS: ReadonlySet<string> = new Set(["102", "103"]);
const PAGE = 100;

/** A message by its id; null when it was deleted, or when the id is none of Graph's. @throws GraphTrouble */
export async function readItem(access: GraphAccess, id: string): Promise<GraphItem | null> {
  const query = new URLSearchParams({ $select: FIELDS, $expand: EXPAND });
  const path = `${access.mailbox}/messages/${encodeURIComponent(id)}?${query}`;
  try {
    return itemOf(await callGraph(access, path, { schema: Item }));
  } catch (error) {
    if (error instanceof GraphTrouble && (error.kind === "gone" || error.kind === "invalid")) return null;
    throw error;
  }
}

/** The messages with this Message-ID, wherever they are. @throws GraphTrouble */
export async function findItems(access: GraphAccess, messageId: string): Promise<GraphItem[]> {
  const $filter = `internetMessageId eq '${messageId.replaceAll("'", "''")}'`;
  const query = new URLSearchParams({ $filter, $select: FIELDS, $expand: EXPAND });
  const { value } = await callGraph(access, `${access.mailbox}/messages?${query}`, { schema: Page });
  return value.map(itemOf);
}

/** The messages that arrived since an instant, in all folders, at most so many. @throws GraphTrouble */
export async function listArrived(access: GraphAccess, since: Date, most: number): Promise<GraphItem[]> {
  const query = new URLSearchParams({
    $filter: `receivedDateTime ge ${since.toISOString()}`,
    $orderby: "receivedDateTime desc",
    $select: `${FIELDS},internetMessageHeaders`,
    $top: String(PAGE),
  });
  const items: GraphItem[] = [];
  let path: string | null = `${access.mailbox}/messages?${query}`;
  while (path !== null && items.length < most) {
    const page: z.output<typeof Page> = await callGraph(access, path, { schema: Page });
    items.push(...page.value.map(itemOf));
    const next: string | undefined = page["@odata.nextLink"];
    // A link that leads elsewhere would take the token with it
    path = next?.startsWith(`${access.url}/`) === true ? next.slice(access.url.length) : null;
  }
  return items.slice(0, most);
}

/** Marks a message as read or flags it; one that is gone is fine. @throws GraphTrouble */
export async function changeItem(
  access: GraphAccess,
  id: string,
  change: { isRead: true } | { flag: { flagStatus: "flagged" } },
): Promise<void> {
  const path = `${access.mailbox}/messages/${encodeURIComponent(id)}`;
  await unlessGone(askGraph(access, path, { method: "PATCH", body: change }));
}

/** Moves a message to a folder, by its id or well-known name; one that is gone is fine. @throws GraphTrouble */
export async function moveItem(access: GraphAccess, id: string, destinationId: string): Promise<void> {
  const path = `${access.mailbox}/messages/${encodeURIComponent(id)}/move`;
  await unlessGone(askGraph(access, path, { method: "POST", body: { destinationId } }));
}

/** Moves a message to Deleted Items; one that is gone is fine. @throws GraphTrouble */
export async function deleteMessage(access: GraphAccess, id: string): Promise<void> {
  await unlessGone(askGraph(access, `${access.mailbox}/messages/${encodeURIComponent(id)}`, { method: "DELETE" }));
}

/** The id of a well-known folder, such as `junkemail`; null when the mailbox has none. @throws GraphTrouble */
export async function wellKnownFolder(access: GraphAccess, name: string): Promise<string | null> {
  const path = `${access.mailbox}/mailFolders/${encodeURIComponent(name)}?$select=id`;
  return (await unlessGone(callGraph(access, path, { schema: Folder })))?.id ?? null;
}

/** The id of a folder at the top of the mailbox; null when there is none of this name. @throws GraphTrouble */
export async function findFolder(access: GraphAccess, name: string): Promise<string | null> {
  const query = new URLSearchParams({ $filter: `displayName eq '${name.replaceAll("'", "''")}'`, $select: "id" });
  const { value } = await callGraph(access, `${access.mailbox}/mailFolders?${query}`, { schema: Folders });
  return value[0]?.id ?? null;
}

/** Creates a folder; null when Graph does not permit the name. @throws GraphTrouble */
export async function createFolder(access: GraphAccess, displayName: string): Promise<string | null> {
  try {
    const path = `${access.mailbox}/mailFolders`;
    return (await callGraph(access, path, { method: "POST", schema: Folder, body: { displayName } })).id;
  } catch (error) {
    if (!(error instanceof GraphTrouble) || error.kind !== "invalid") throw error;
    // Someone else may have created it since it was looked for
    return findFolder(access, displayName);
  }
}

function itemOf(item: z.output<typeof Item>): GraphItem {
  const mark = item.internetMessageHeaders?.find(({ name }) => name.toLowerCase() === "x-mail-ref");
  return {
    id: item.id,
    folderId: item.parentFolderId,
    messageId: item.internetMessageId,
    mailRef: mark?.value.trim().toLowerCase() ?? null,
    isDraft: item.isDraft,
    isFlagged: item.flag?.flagStatus === "flagged",
    isAnswered: item.singleValueExtendedProperties.some(({ value }) => ANSWERS.has(value)),
  };
}

async function unlessGone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GraphTrouble && error.kind === "gone") return null;
    throw error;
  }
}
