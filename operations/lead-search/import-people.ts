import { isRefusal, type ProspectRefusal, type ProspectRow } from "../../domain/lead-search/import-row.ts";
import { type FileRow, peopleIn } from "../../domain/lead-search/people-file.ts";
import { samplePeople } from "../../domain/lead-search/sample.ts";
import { newId } from "../../mongo/ids.ts";
import { ProspectWriter, type WrittenCounts } from "../../store/lead-search/import-prospects.ts";

export interface ImportProgress extends WrittenCounts {
  /** Rows read so far. */
  read: number;
  refused: number;
  /** The first refused rows with line and reason; never their content. */
  refusals: { line: number; message: string }[];
}

const MOST_REFUSALS = 1_000;

/**
 * Imports a file of people into the data set of all workspaces. An invalid row is skipped. @throws Error for a file
 * that cannot be read
 */
export function importPeople(
  bytes: AsyncIterable<Buffer>,
  fileName: string,
  tell: (progress: ImportProgress) => void = () => {},
): Promise<ImportProgress> {
  return importRows(peopleIn(bytes), fileName, tell);
}

/** Imports invented people, each marked as a sample. */
export function importSample(
  count: number,
  tell: (progress: ImportProgress) => void = () => {},
): Promise<ImportProgress> {
  const rows = function* (): Generator<FileRow[]> {
    let line = 0;
    for (const read of samplePeople(count)) yield [{ line: ++line, read }];
  };
  return importRows(rows(), null, tell);
}

async function importRows(
  pages: AsyncIterable<FileRow[]> | Iterable<FileRow[]>,
  fileName: string | null,
  tell: (progress: ImportProgress) => void,
): Promise<ImportProgress> {
  const writer = new ProspectWriter(newId("psi"), fileName);
  const progress = { read: 0, refused: 0, refusals: [] as ImportProgress["refusals"] };
  for await (const page of pages) {
    for (const { line, read } of page) {
      progress.read++;
      if (isPerson(read)) await writer.add(read);
      else {
        progress.refused++;
        if (progress.refusals.length < MOST_REFUSALS) progress.refusals.push({ line, message: read.message });
      }
    }
    tell({ ...progress, ...writer.written });
  }
  await writer.end(progress);
  return { ...progress, ...writer.written };
}

function isPerson(read: ProspectRow | ProspectRefusal): read is ProspectRow {
  return !isRefusal(read);
}
