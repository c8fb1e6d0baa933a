import { DAY_MS } from "../../domain/time/durations.ts";
import { FileChunk } from "../../models/file-chunk.ts";
import { Message } from "../../models/message.ts";
import { StoredFile } from "../../models/stored-file.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_TEXT } from "../../mongo/schema.ts";

/** Nobody takes so long from the storing of a file to that of its mail. */
const UNNAMED_MS = DAY_MS;
const ACROSS = { acrossWorkspaces: true };

/** Where this process goes on: from the beginning again after the last file. */
let last = "";

/**
 * Takes away files that no mail names a day after they were stored, whole or in part: the mail was never written, for good. Looks at
 * the next `limit` files of all workspaces; answers how many it looked at.
 */
export async function sweepFiles(limit: number): Promise<number> {
  const ids = await idsAfter(last, limit);
  last = ids.at(-1) ?? "";
  const unnamed = await unnamedAmong(ids);
  if (unnamed.length === 0) return ids.length;
  // One that is being stored again was touched just now
  const old = { updatedAt: trusted({ $lt: new Date(Date.now() - UNNAMED_MS) }) };
  await StoredFile.deleteMany({ _id: trusted({ $in: unnamed }), ...old }, ACROSS);
  await FileChunk.deleteMany({ files_id: trusted({ $in: unnamed }), ...old }, ACROSS);
  return ids.length;
}

/** Whole files, and those of which a reader that was killed stored the beginning. */
async function idsAfter(id: string, limit: number): Promise<string[]> {
  const after = trusted({ $gt: id });
  const files = await StoredFile.find({ _id: after }, { _id: 1 }, ACROSS).sort({ _id: 1 }).limit(limit).lean<{ _id: string }[]>();
  // From the keys of its index alone: each part holds a megabyte
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
