import { Parser } from "htmlparser2";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { AppError } from "../errors.ts";
import { notCsv } from "./refusal.ts";

/** Limits of a workbook, because its parts unpack to many times their packed size (rules/leads 2.6). */
const MAX_UNPACKED_BYTES = 268_435_456;
/**
 * The most bytes of the texts that cells share. They have their own limit, because the reader keeps them in memory
 * while it reads rows.
 */
export const MAX_SHARED_BYTES = 67_108_864;
const MOST_PARTS = 10_000;
const MOST_NESTED = 64;
/** A tag must begin or end within this many bytes of XML. Without a limit an endless tag would fill the memory. */
const MOST_IN_A_TAG = 1_048_576;

type Attributes = Readonly<Record<string, string>>;

/** Handlers of the elements of a part. Element names have no prefix. */
export interface PartReader {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The parts of a workbook by their paths in lower case. */
export type Parts = ReadonlyMap<string, XmlPart>;

/**
 * Opens a ZIP file.
 * @throws AppError VALIDATION_FAILED for a file that is not a workbook, or that is too large when unpacked
 */
export async function openWorkbook(file: Buffer): Promise<Parts> {
  const parts = new Map<string, XmlPart>();
  let unpacked = 0;
  await hideLibraryErrors(async () => {
    const zip = await fromBufferPromise(file);
    if (zip.entryCount > MOST_PARTS) throw sizeError();
    for await (const entry of zip.eachEntry()) {
      unpacked += entry.uncompressedSize;
      if (unpacked > MAX_UNPACKED_BYTES) throw sizeError();
      parts.set(entry.fileName.toLowerCase(), new XmlPart(zip, entry));
    }
  });
  return parts;
}

/**
 * One part of a workbook, which is unpacked while it is read. The library refuses more bytes than the file's directory
 * declares.
 */
export class XmlPart {
  readonly #zip: ZipFile;
  readonly #entry: Entry;

  constructor(zip: ZipFile, entry: Entry) {
    [this.#zip, this.#entry] = [zip, entry];
  }

  get size(): number {
    return this.#entry.uncompressedSize;
  }

  /** Reads the whole part at once. */
  async read(reader: PartReader): Promise<void> {
    for await (const _piece of this.pieces(reader));
  }

  /** Reads one piece at a time. A piece is fully handled when the caller requests the next one. */
  async *pieces(reader: PartReader): AsyncGenerator<void> {
    const watched = watch(reader);
    const parser = new Parser(watched.handler, { xmlMode: true });
    const decoder = new TextDecoder();
    const stream = await hideLibraryErrors(() => this.#zip.openReadStreamPromise(this.#entry));
    const bytes: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { value, done } = await hideLibraryErrors(() => bytes.next());
        if (done === true) break;
        parser.write(decoder.decode(value, { stream: true }));
        watched.told(value.length);
        yield;
      }
      parser.end(decoder.decode());
      yield;
    } finally {
      stream.destroy();
    }
  }
}

function watch(reader: PartReader) {
  let [depth, silent] = [0, 0];
  const handler = {
    onopentagname() {
      if (++depth > MOST_NESTED) throw damageError();
      silent = 0;
    },
    onopentag: (name: string, attributes: Attributes) => reader.open?.(localName(name), attributes),
    ontext(some: string) {
      silent = 0;
      reader.text?.(some);
    },
    onclosetag(name: string) {
      depth--;
      reader.close?.(localName(name));
    },
  };
  const told = (bytes: number) => {
    silent += bytes;
    if (silent > MOST_IN_A_TAG) throw damageError();
  };
  return { handler, told };
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Replaces the library's error for an invalid file by our own error. */
async function hideLibraryErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof AppError ? error : damageError();
  }
}

export function damageError(): AppError {
  return notCsv(
    null,
    "WORKBOOK_DAMAGED",
    "is a workbook that cannot be read: open it, save it again as .xlsx or CSV, and send that file",
  );
}

export function sizeError(what = `unpacks to more than ${MAX_UNPACKED_BYTES} bytes`): AppError {
  return notCsv(null, "WORKBOOK_TOO_LARGE", `${what}: save the table as CSV, or in smaller parts`);
}
