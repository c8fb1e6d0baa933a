import { z } from "zod";
import { askGraph, callGraph, type GraphAccess } from "./call.ts";
import { GraphTrouble } from "./trouble.ts";

/** The largest message that an Exchange mailbox keeps. */
const MOST_BYTES = 150 * 1024 * 1024;
const READ_MS = 120_000;

/** A message as it arrived. @throws GraphTrouble `gone` for a message that was deleted since it was listed */
export async function readMime(access: GraphAccess, id: string): Promise<Buffer> {
  const path = `${access.mailbox}/messages/${encodeURIComponent(id)}/$value`;
  const { bytes, isWhole } = await askGraph(access, path, { timeoutMs: READ_MS, maxBytes: MOST_BYTES });
  if (!isWhole) throw new GraphTrouble("away", { code: "MessageCutOff" });
  return bytes;
}

/** Fails when the user has no mailbox, or it must not be read. @throws GraphTrouble */
export async function readInbox(access: GraphAccess): Promise<void> {
  await callGraph(access, `${access.mailbox}/mailFolders/inbox?$select=id`, { schema: z.object({ id: z.string() }) });
}

const Newest = z.object({ value: z.array(z.object({ id: z.string(), subject: z.string().nullable().default(null) })) });

/** The newest messages of the inbox. @throws GraphTrouble */
export async function listNewest(
  access: GraphAccess,
  count: number,
): Promise<{ id: string; subject: string | null }[]> {
  const query = new URLSearchParams({ $select: "id,subject", $orderby: "receivedDateTime desc", $top: String(count) });
  return (await callGraph(access, `${access.mailbox}/mailFolders/inbox/messages?${query}`, { schema: Newest })).value;
}
