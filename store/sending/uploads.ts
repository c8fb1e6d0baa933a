import { buffer } from "node:stream/consumers";
import { AppError, type Issue } from "../../domain/errors.ts";
import { MAX_FILE_BYTES, type OutgoingFile } from "../../domain/mail/outgoing-file.ts";
import { openFile } from "../../models/inbox/files.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/** The prefix of the ids of uploads. Files that arrived with an email have another prefix. */
export const UPLOAD = "fil_";

/** The uploads that a text of the request refers to, and the path of that text. */
export interface NamedFiles {
  ids: readonly string[];
  path: string;
}

/**
 * The uploads of this workspace with these ids. Each is updated, so that it is not deleted as unused at this moment.
 * @throws AppError VALIDATION_FAILED with each id that is no upload of the workspace or occurs twice, or when the files
 * are too large together
 */
export async function takeUploads(
  workspaceId: string,
  named: readonly NamedFiles[],
): Promise<Map<string, OutgoingFile>> {
  const ids = [...new Set(named.flatMap(({ ids }) => ids))].filter((id) => id.startsWith(UPLOAD));
  const { StoredFile } = scoped(workspaceId);
  const which = { _id: trusted({ $in: ids }) };
  if (ids.length > 0) await StoredFile.updateMany(which, { $set: { updatedAt: new Date() } });
  const found = ids.length === 0 ? [] : await StoredFile.find(which);
  const files = new Map(
    found.map(({ _id, filename, length, metadata }): [string, OutgoingFile] => [
      _id,
      { id: _id, fileName: filename, contentType: metadata.contentType, size: length, sha256: metadata.sha256 ?? "" },
    ]),
  );
  const issues = named.flatMap((one) => issuesOf(one, files));
  if (issues.length > 0)
    throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: issues.slice(0, 100) });
  return files;
}

function issuesOf({ ids, path }: NamedFiles, files: ReadonlyMap<string, OutgoingFile>): Issue[] {
  const issues = ids.flatMap((id, at): Issue[] => {
    const where = `${path}.${at}.id`;
    if (!files.has(id))
      return [
        { path: where, code: "FILE_NOT_FOUND", message: "is not a file of this workspace: upload it with POST /files" },
      ];
    return ids.indexOf(id) < at ? [{ path: where, code: "DUPLICATE", message: "appears twice" }] : [];
  });
  const size = ids.reduce((sum, id) => sum + (files.get(id)?.size ?? 0), 0);
  const message = `must have at most ${MAX_FILE_BYTES} bytes together, and have ${size}`;
  return size > MAX_FILE_BYTES ? [...issues, { path, code: "TOO_BIG", message }] : issues;
}

/** How many bytes of files this process caches, because a campaign sends the same file with each of its emails. */
const MOST_KEPT = 33_554_432;
const contents = new Map<string, Buffer>();
let keptBytes = 0;

/**
 * The files of an email with their contents. @throws AppError ATTACHMENT_NOT_FOUND when a file no longer exists,
 * because the email must not be sent without it
 */
export async function loadContents(
  workspaceId: string,
  files: readonly OutgoingFile[],
): Promise<{ fileName: string; contentType: string; content: Buffer }[]> {
  const loaded = [];
  for (const { id, fileName, contentType } of files) {
    loaded.push({ fileName, contentType, content: await loadUpload(workspaceId, id) });
  }
  return loaded;
}

async function loadUpload(workspaceId: string, id: string): Promise<Buffer> {
  const key = `${workspaceId}|${id}`;
  const cached = contents.get(key);
  if (cached !== undefined) return cached;
  const stream = await openFile(workspaceId, id);
  if (stream === null) throw new AppError("ATTACHMENT_NOT_FOUND", `The file ${id} is gone`);
  const content = await buffer(stream);
  if (!contents.has(key)) keptBytes += content.length; // Another email may have cached it meanwhile
  contents.set(key, content);
  for (const [oldest, { length }] of contents) {
    if (keptBytes <= MOST_KEPT) break;
    contents.delete(oldest);
    keptBytes -= length;
  }
  return content;
}
