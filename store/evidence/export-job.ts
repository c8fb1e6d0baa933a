import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { EXPORT_FILE, endLine, headLine } from "../../domain/evidence/export-lines.ts";
import { addParts, completeFile } from "../../models/inbox/files.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { advancePage, type JobAtWork, type PagedJobKind } from "../jobs.ts";
import { assertWorkspaceStands } from "../workspace-stands.ts";
import { EXPORT_START, type ExportPlace, readExportPart } from "./export-part.ts";

/** The progress of a workspace export. */
export interface WorkspaceExportState {
  place: ExportPlace;
  /** The number of parts of the file, and the bytes of its lines. */
  parts: number;
  bytes: number;
  /** Documents by collection. */
  counts: Record<string, number>;
}

/** The maximum number of characters per page. Stored compressed, a document could contain many times as many. */
const PAGE_CHARACTERS = 4 * 1_048_576;
/** The size of a part of the file in bytes, far below the size limit of a document. */
const PART_BYTES = 8 * 1_048_576;
const compress = promisify(gzip);

/**
 * Writes all data of a workspace into a stored file, page by page. A page and the job's progress are stored in one
 * transaction. A worker that was killed, or wrongly considered dead, therefore neither repeats nor omits a line.
 */
export const workspaceExport: PagedJobKind = {
  openPages: async () => (job, signal) => writePage(job, signal),
  resultOf(job) {
    const { counts, bytes } = exportStateOf(job);
    return { documents: Object.values(counts).reduce((sum, count) => sum + count, 0), bytes, counts };
  },
};

async function writePage(job: JobAtWork, signal: AbortSignal): Promise<void> {
  const { workspaceId, createdAt } = job;
  await assertWorkspaceStands(workspaceId);
  const state = exportStateOf(job);
  const { text, counts, next } = await readExportPart(workspaceId, state.place, PAGE_CHARACTERS);
  const all = sumOf(state.counts, counts);
  const head = state.parts === 0 ? headLine({ workspaceId, startedAt: job.startedAt ?? createdAt }) : "";
  const lines = `${head}${text}${next === null ? endLine(all) : ""}`;
  const parts = partsOf(await compress(lines));
  signal.throwIfAborted();
  const bytes = state.bytes + Buffer.byteLength(lines);
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const fileId = exportFileOf(job._id);
  const after: WorkspaceExportState = {
    place: next ?? state.place,
    parts: state.parts + parts.length,
    bytes,
    counts: all,
  };
  await inTransaction(async () => {
    await advancePage(job, {
      succeeded: count,
      failed: 0,
      items: [],
      count,
      isLast: next === null,
      state: { ...after },
    });
    await addParts(workspaceId, fileId, state.parts, parts);
    if (next !== null) return;
    await completeFile(workspaceId, fileId, {
      fileName: `${workspaceId}.ndjson`,
      contentType: "application/gzip",
      length: bytes,
    });
  });
}

/** The id of the file that an export writes. */
export function exportFileOf(jobId: string): string {
  return `${EXPORT_FILE}${jobId.slice(jobId.indexOf("_") + 1)}`;
}

export function exportStateOf({ state }: Pick<JobAtWork, "state">): WorkspaceExportState {
  if (!("place" in state)) return { place: EXPORT_START, parts: 0, bytes: 0, counts: {} };
  return state as unknown as WorkspaceExportState; // Written only by earlier pages of this job
}

function partsOf(content: Buffer): Buffer[] {
  const count = Math.ceil(content.length / PART_BYTES);
  return Array.from({ length: count }, (_, n) => content.subarray(n * PART_BYTES, (n + 1) * PART_BYTES));
}

function sumOf(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sum = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
