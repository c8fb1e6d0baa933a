import type { MailTracking } from "../../domain/hits.ts";
import { Send } from "../../models/sending/send.ts";

/** What an email carries, and whose email it is. */
export interface TrackedSend {
  _id: string;
  workspaceId: string;
  tracking: MailTracking;
}

/** The most milliseconds for which someone who follows a link waits for the database. */
const READ_MS = 2_000;

/** The tracked emails among these, by id. A token names a send alone, so they are looked up across workspaces. */
export async function loadTracked(sendIds: readonly string[]): Promise<Map<string, TrackedSend>> {
  const ids = { _id: { $in: [...sendIds] } };
  const options = { projection: { workspaceId: 1, tracking: 1 }, hint: { _id: 1 }, maxTimeMS: READ_MS };
  // The driver's own command, because someone waits for each of these reads; the ids are texts that we have signed
  const rows = await Send.collection.find(ids as never, options).toArray(); // ids are texts in every model
  const found = rows as unknown as Pick<Send, "_id" | "workspaceId" | "tracking">[]; // typed as any document
  return new Map(
    found.flatMap(({ _id, workspaceId, tracking }) => (tracking ? [[_id, { _id, workspaceId, tracking }]] : [])),
  );
}
