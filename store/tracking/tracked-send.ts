import type { MailTracking } from "../../domain/hits.ts";
import { Send } from "../../models/sending/send.ts";

/** The tracking data of an email, and its workspace. */
export interface TrackedSend {
  _id: string;
  workspaceId: string;
  tracking: MailTracking;
}

/** How many milliseconds someone who clicks a link may wait for the database. */
const READ_MS = 2_000;

/**
 * The tracked emails among these, by id. A token contains only the send id, so they are looked up across workspaces.
 */
export async function loadTracked(sendIds: readonly string[]): Promise<Map<string, TrackedSend>> {
  const ids = { _id: { $in: [...sendIds] } };
  const options = { projection: { workspaceId: 1, tracking: 1 }, hint: { _id: 1 }, maxTimeMS: READ_MS };
  // Uses the driver's own command, because someone waits for each of these reads. The ids come from tokens that we have
  // signed
  const rows = await Send.collection.find(ids as never, options).toArray(); // Ids are strings in every model
  const found = rows as unknown as Pick<Send, "_id" | "workspaceId" | "tracking">[]; // typed as any document
  return new Map(
    found.flatMap(({ _id, workspaceId, tracking }) => (tracking ? [[_id, { _id, workspaceId, tracking }]] : [])),
  );
}
