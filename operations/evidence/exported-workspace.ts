import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { signExport } from "../../domain/access/address-token.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { readParts } from "../../models/inbox/files.ts";
import type { Job } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { exportFileOf } from "../../store/evidence/export-job.ts";
import type { Services } from "../context.ts";

const VALID_MS = 15 * MINUTE_MS;

export interface ExportLink {
  downloadUrl: string | null;
  expiresAt: Date | null;
}

/**
 * The URL of the file of a completed export. It needs no API key and is valid for 15 minutes. Null once the file was
 * deleted.
 */
export async function linkOfExport(
  { signing, settings }: Services,
  { workspaceId, _id, status }: Job,
): Promise<ExportLink> {
  const fileId = exportFileOf(_id);
  const file = status === "COMPLETED" ? await scoped(workspaceId).StoredFile.get(fileId) : null;
  if (file === null) return { downloadUrl: null, expiresAt: null };
  const until = Date.now() + VALID_MS;
  const token = signExport(signing.export, {
    workspaceId,
    until,
    kind: "workspace",
    asked: { fileId, fileName: file.filename },
  });
  return { downloadUrl: `${settings.publicUrl}/exports/${token}`, expiresAt: new Date(until) };
}

/**
 * The lines of an export's file; null if it was deleted. Each part was compressed separately; gzip reads them as one
 * stream.
 */
export async function linesOfExport(workspaceId: string, fileId: string): Promise<AsyncIterable<unknown> | null> {
  if ((await scoped(workspaceId).StoredFile.get(fileId)) === null) return null;
  return pipeline(Readable.from(readParts(workspaceId, fileId)), createGunzip(), () => {});
}
