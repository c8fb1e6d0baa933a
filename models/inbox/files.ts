import type { Readable } from "node:stream";
import mongoose from "mongoose";
import { trusted } from "../../mongo/collection.ts";
import type { Statement } from "../../mongo/direct.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { scoped } from "../scoped.ts";

const BUCKET = "attachments";
const CHUNK = 1_048_576;

/**
 * Stores a file under an id that its content determines. The layout is that of GridFS, but files are written with
 * upserts. Two readers of one email may therefore store the file at the same moment, and a later save completes a file
 * whose writer was killed. Runs outside of any transaction.
 */
export async function saveFile(
  workspaceId: string,
  id: string,
  { fileName, contentType, sha256 }: { fileName: string; contentType: string; sha256?: string },
  content: Buffer,
): Promise<void> {
  const { FileChunk, StoredFile } = scoped(workspaceId);
  const now = new Date();
  // Updated at every save, so that no sweep deletes the file while an email is about to refer to it
  const touched = { $set: { updatedAt: now } };
  if (await StoredFile.wrote({ _id: id }, touched)) return;
  for (let n = 0; n * CHUNK < content.length; n++) {
    const part = { files_id: id, n, data: content.subarray(n * CHUNK, (n + 1) * CHUNK), createdAt: now };
    await put(FileChunk, { filter: { _id: `${id}:${n}` }, change: { $setOnInsert: part, ...touched }, upsert: true });
  }
  // Written last, so that a file whose document exists is complete
  const file = {
    length: content.length,
    chunkSize: CHUNK,
    uploadDate: now,
    filename: fileName,
    metadata: { contentType, ...(sha256 !== undefined && { sha256 }) },
    createdAt: now,
  };
  await put(StoredFile, { filter: { _id: id }, change: { $setOnInsert: file, ...touched }, upsert: true });
}

/** Ignores a duplicate key, because another writer of the same id stores the same content. */
async function put(
  collection: { wroteAll(statements: Statement[]): Promise<boolean> },
  statement: Statement,
): Promise<void> {
  try {
    await collection.wroteAll([statement]);
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** Adds parts, numbered from `first`, to a file that is written over time. Joins the running transaction. */
export async function addParts(
  workspaceId: string,
  id: string,
  first: number,
  parts: readonly Buffer[],
): Promise<void> {
  const rows = parts.map((data, index) => ({ _id: `${id}:${first + index}`, files_id: id, n: first + index, data }));
  await scoped(workspaceId).FileChunk.storeAll(rows);
}

/**
 * Creates the file's document after all parts were added. From then on the file is complete. Joins the running
 * transaction.
 */
export async function completeFile(
  workspaceId: string,
  id: string,
  { fileName, contentType, length }: { fileName: string; contentType: string; length: number },
): Promise<void> {
  const file = {
    _id: id,
    length,
    chunkSize: CHUNK,
    uploadDate: new Date(),
    filename: fileName,
    metadata: { contentType },
  };
  await scoped(workspaceId).StoredFile.store(file);
}

/** The parts of a file in their order, whatever their sizes. */
export async function* readParts(workspaceId: string, id: string): AsyncGenerator<Buffer> {
  const parts = scoped(workspaceId).FileChunk.stream({ files_id: id }, { sort: { n: 1 }, maxTimeMs: 0 });
  for await (const { data } of parts) yield bytesIn(data);
}

/** Converts bytes that the driver returns as its own `Binary` type, which the models do not know. */
export function bytesIn(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data;
  if (data instanceof mongoose.mongo.Binary) return Buffer.from(data.value());
  throw new Error("A part of a file holds no bytes");
}

/** The content of a file in this workspace; null when there is none. */
export async function openFile(workspaceId: string, id: string): Promise<Readable | null> {
  const { db } = mongoose.connection;
  if (db === undefined || (await scoped(workspaceId).StoredFile.get(id)) === null) return null;
  const bucket = new mongoose.mongo.GridFSBucket(db, { bucketName: BUCKET });
  return bucket.openDownloadStream(id as unknown as mongoose.mongo.ObjectId); // Only typed for generated ids
}

/** Deletes files of this workspace. Files that are already deleted are no error. Joins a running transaction. */
export async function removeFiles(workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { FileChunk, StoredFile } = scoped(workspaceId);
  await FileChunk.deleteMany({ files_id: trusted({ $in: [...ids] }) });
  await StoredFile.deleteMany({ _id: trusted({ $in: [...ids] }) });
}
