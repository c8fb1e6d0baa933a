import { DAY_MS } from "../../domain/time/durations.ts";
import { FileChunk } from "../../models/file-chunk.ts";
import { Message } from "../../models/message.ts";
import { StoredFile } from "../../models/stored-file.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_TEXT } from "../../mongo/schema.ts";

/** Milliseconds after which a file that no mail names is an orphan: storing a mail after its files never takes that long. */
const UNNAMED_MS = DAY_MS;
const ACROSS = { acrossWorkspaces: true };

/** Where this process continues; after the last file it starts from the beginning. */
let last = "";

/**
 * Deletes files, whole or partial, that no mail names a day after they were stored: their mail was never stored and never will be. Looks at
 * the next `limit` files of all workspaces; returns how many it looked at.
 */
export async function sweepFiles(limit: number): Promise<number> {
  const ids = await idsAfter(last, limit);
  last = ids.at(-1) ?? "";
  const unnamed = await unnamedAmong(ids);
  if (unnamed.length === 0) return ids.length;
  // A file that is being stored again was touched just now
  const old = { updatedAt: trusted({ $lt: new Date(Date.now() - UNNAMED_MS) }) };
  await StoredFile.deleteMany({ _id: trusted({ $in: unnamed }), ...old }, ACROSS);
  await FileChunk.deleteMany({ files_id: trusted({ $in: unnamed }), ...old }, ACROSS);
  return ids.length;
}

/** The ids of whole files, and of files of which a killed reader stored only the beginning. */
async function idsAfter(id: string, limit: number): Promise<string[]> {
  const after = trusted({ $gt: id });
  const files = await StoredFile.find({ _id: after }, { _id: 1 }, ACROSS).sort({ _id: 1 }).limit(limit).lean<{ _id: string }[]>();
  // Read from the index alone, because each chunk holds a megabyte
  const parts = await FileChunk.find({ files_id: after, n: 0 }, { _id: 0, files_id: 1 }, ACROSS)
    .sort({ files_id: 1 })
    .limit(limit)
    .lean<{ files_id: string }[]>();
  const ids = new Set([...files.map(({ _id }) => _id), ...parts.map(({ files_id }) => files_id)]);
  return [...ids].sort().slice(0, limit);
}

async function unnamedAmong(ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const naming = await Message.find({ "attachments.id": trusted({ $in: ids, ...IS_TEXT }) }, { "attachments.id": 1 }, ACROSS).lean<
    Pick<Message, "attachments">[]
  >();
  const named = new Set(naming.flatMap(({ attachments }) => attachments.map(({ id }) => id)));
  return ids.filter((id) => !named.has(id));
}
