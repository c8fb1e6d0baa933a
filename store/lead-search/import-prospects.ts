import { searchKeysOf } from "../../domain/lead-search/filters.ts";
import type { ProspectRow } from "../../domain/lead-search/import-row.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { ProspectImport } from "../../models/lead-search/prospect-import.ts";
import { DUPLICATE_KEY } from "../../mongo/duplicate.ts";
import { DatasetCounts } from "./dataset-counts.ts";

export interface WrittenCounts {
  created: number;
  updated: number;
  unchanged: number;
}

const PAGE = 1_000;

type Stored = Prospect & { _id: string };

/**
 * Writes people into the data set, page by page. An existing person is updated. Writing the same people again changes
 * nothing.
 */
export class ProspectWriter {
  readonly #importId: string;
  readonly #fileName: string | null;
  readonly #counts = new DatasetCounts();
  #page = new Map<string, Stored>();
  /** The writing of the previous page, which runs while the next page is read. */
  #writing: Promise<void> = Promise.resolve();
  /** Whether everything must be counted again at the end; null before the first person was written. */
  #isRecount: boolean | null = null;
  readonly written: WrittenCounts = { created: 0, updated: 0, unchanged: 0 };

  constructor(importId: string, fileName: string | null) {
    this.#importId = importId;
    this.#fileName = fileName;
  }

  /** When a person occurs twice, the later row replaces the earlier one. */
  async add(row: ProspectRow): Promise<void> {
    this.#page.set(row.person.id, documentOf(row));
    if (this.#page.size < PAGE) return;
    await this.#writing;
    this.#writing = this.#write();
    this.#writing.catch(() => {}); // Callers that await it get the error
  }

  /** Writes the remaining people and the counts. If an earlier import never ended, everything is counted again. */
  async end({ read, refused }: { read: number; refused: number }): Promise<void> {
    await this.#writing;
    await this.#write();
    if (this.#isRecount === null) return;
    await (this.#isRecount ? this.#counts.recount() : this.#counts.flush());
    const { created, updated } = this.written;
    const finishedAt = new Date();
    await ProspectImport.updateOne({ _id: this.#importId }, { $set: { read, refused, created, updated, finishedAt } });
    await ProspectImport.updateMany({ finishedAt: null }, { $set: { finishedAt } });
  }

  /** Records that an import is running. Returns whether an earlier import never ended. */
  async #begin(): Promise<boolean> {
    const broken = await ProspectImport.findOne({ finishedAt: null }, { _id: 1 }).lean<{ _id: string }>();
    await ProspectImport.create({ _id: this.#importId, fileName: this.#fileName });
    return broken !== null;
  }

  async #write(): Promise<void> {
    const page = [...this.#page.values()];
    this.#page = new Map();
    if (page.length === 0) return;
    this.#isRecount ??= await this.#begin();
    const existingIds = new Set(await insertNew(page));
    const isNew = ({ _id }: Stored) => !existingIds.has(_id);
    for (const one of page) if (isNew(one)) this.#counts.add(one, 1);
    this.written.created += page.length - existingIds.size;
    if (existingIds.size > 0) await this.#bringUpToDate(page.filter((one) => !isNew(one)));
    await this.#counts.flushWhenLarge();
  }

  async #bringUpToDate(rows: Stored[]): Promise<void> {
    const ids = rows.map(({ _id }) => _id) as unknown as never[]; // Ids are strings in every model
    const found = await Prospect.collection.find({ _id: { $in: ids } }).toArray();
    const before = new Map(found.map((one) => [String(one._id), one as unknown as Stored]));
    const changed = rows.filter((row) => {
      const was = before.get(row._id);
      return was === undefined || comparableText(was) !== comparableText(row);
    });
    this.written.unchanged += rows.length - changed.length;
    this.written.updated += changed.length;
    if (changed.length === 0) return;
    const replacements = changed.map((row) => {
      const was = before.get(row._id);
      const replacement = { ...row, createdAt: was?.createdAt ?? row.createdAt };
      return { replaceOne: { filter: { _id: row._id }, replacement, upsert: true } };
    });
    await Prospect.collection.bulkWrite(replacements as never, { ordered: false }); // as above
    for (const row of changed) {
      const was = before.get(row._id);
      if (was !== undefined) this.#counts.add(was, -1);
      this.#counts.add(row, 1);
    }
  }
}

/** Inserts the people who are not stored yet, and returns the ids of those who are. */
async function insertNew(page: Stored[]): Promise<string[]> {
  try {
    await Prospect.collection.insertMany(page as never, { ordered: false }); // Ids are strings in every model
    return [];
  } catch (error) {
    const failures = writeErrorsOf(error);
    if (failures === null || failures.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
    return failures.flatMap(({ index }) => page[index]?._id ?? []);
  }
}

function writeErrorsOf(error: unknown): { code: number; index: number }[] | null {
  if (!(error instanceof Error) || !("writeErrors" in error)) return null;
  return [error.writeErrors].flat().flatMap((one) => {
    if (typeof one !== "object" || one === null || !("code" in one) || !("index" in one)) return [];
    return [{ code: Number(one.code), index: Number(one.index) }];
  });
}

function documentOf({ person, email, phone }: ProspectRow): Stored {
  const { id: _id, ...rest } = person;
  const now = new Date();
  const has = { hasEmail: email !== null, hasPhone: phone !== null };
  return { _id, ...rest, email, phone, ...has, ...searchKeysOf({ ...rest, ...has }), createdAt: now, updatedAt: now };
}

/** The imported fields of a person as text, without timestamps, to compare two versions. */
function comparableText({ createdAt: _, updatedAt: __, ...content }: Stored): string {
  return JSON.stringify(Object.entries(content).sort(([one], [other]) => (one < other ? -1 : 1)));
}
