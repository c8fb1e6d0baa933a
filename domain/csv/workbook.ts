import { notCsv } from "./refusal.ts";
import { type CsvRecord, MAX_CELL, MAX_COLUMNS, MAX_RECORD } from "./rows.ts";
import { decodeEscapes, formatOf, numberText } from "./workbook-cells.ts";
import {
  damageError,
  MAX_SHARED_BYTES,
  openWorkbook,
  type PartReader,
  type Parts,
  sizeError,
  type XmlPart,
} from "./workbook-parts.ts";

const MAX_STYLES = 65_536;
/**
 * The most characters of a table, as for a CSV file. Without this limit, gaps and shared texts could turn a few bytes
 * into an endless table.
 */
const MAX_CHARACTERS = 104_857_600;

type Formats = ReturnType<typeof formatOf>[];

/**
 * Yields the rows of the first sheet of a workbook (.xlsx) that are not blank, in batches. A formula has the value that
 * the file stores. The library `hucre` also reads workbooks, but it keeps the rows of a whole sheet in memory and drops
 * the formats of numbers.
 * @throws AppError VALIDATION_FAILED for a file that is not such a workbook or exceeds the limits
 */
export async function* workbookRecords(file: Buffer): AsyncGenerator<CsvRecord[]> {
  const parts = await openWorkbook(file);
  const { sheet, strings, styles, is1904 } = await findParts(parts);
  if (strings !== null && strings.size > MAX_SHARED_BYTES) throw sizeError();
  const texts = strings === null ? [] : await sharedTexts(strings);
  const formats = styles === null ? [] : await formatsOf(styles);
  const rows = new SheetRows(texts, formats, is1904);
  for await (const _piece of sheet.pieces(rows)) {
    const found = rows.take();
    if (found.length > 0) yield found;
  }
}

/** The parts of the workbook that are needed to read its table. */
async function findParts(parts: Parts) {
  const book = await linksOf(parts, "");
  const path = book.find(({ type }) => type === "officeDocument")?.path;
  const workbook = path === undefined ? undefined : parts.get(path);
  if (path === undefined || workbook === undefined || !/\.xml$/.test(path)) throw noWorkbook(parts);
  const links = await linksOf(parts, path);
  const pathOf = (wanted: string) => links.find(({ type }) => type === wanted)?.path ?? "";
  const sheets = new Set(links.filter(({ type }) => type === "worksheet").map(({ id }) => id));
  let [first, firstShown, is1904]: [string | null, string | null, boolean] = [null, null, false];
  await workbook.read({
    open(name, attributes) {
      if (name === "workbookPr") is1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      const id = name === "sheet" ? (attributes["r:id"] ?? otherId(attributes)) : "";
      if (!sheets.has(id)) return;
      first ??= id;
      if (!/hidden/i.test(attributes["state"] ?? "")) firstShown ??= id;
    },
  });
  const sheet = parts.get(links.find(({ id }) => id === (firstShown ?? first))?.path ?? "");
  if (sheet === undefined) throw noWorkbook(parts);
  return {
    sheet,
    strings: parts.get(pathOf("sharedStrings")) ?? null,
    styles: parts.get(pathOf("styles")) ?? null,
    is1904,
  };
}

/** The id of a relationship, from an attribute with any namespace prefix. */
function otherId(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes).find(([name]) => name.endsWith(":id"))?.[1] ?? "";
}

/**
 * The parts that a part links to. The kind is the last word of the relationship's URL, which is the same in old and
 * strict workbooks.
 */
async function linksOf(parts: Parts, path: string): Promise<{ id: string; type: string; path: string }[]> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const links: { id: string; type: string; path: string }[] = [];
  await parts.get(`${folder}_rels/${path.slice(folder.length)}.rels`)?.read({
    open(name, { Id: id = "", Type: type = "", Target: target = "" }) {
      if (name !== "Relationship" || links.length >= MAX_STYLES) return;
      const place = URL.parse(target, `file:///${folder}`)?.pathname.slice(1).toLowerCase();
      if (place !== undefined) links.push({ id, type: type.slice(type.lastIndexOf("/") + 1), path: place });
    },
  });
  return links;
}

/** The error for a ZIP file that is not a workbook. It names the kind of the file. */
function noWorkbook(parts: Parts): Error {
  const has = (path: RegExp) => [...parts.keys()].some((name) => path.test(name));
  const what = has(/^content\.xml$/)
    ? "is an OpenDocument file (.ods)"
    : has(/(?:^index\/|\.)iwa$|^index\.zip$/)
      ? "is a Numbers file"
      : has(/^xl\/workbook\.bin$/)
        ? "is a binary Excel file (.xlsb)"
        : "is a ZIP file without a sheet";
  return notCsv(null, "UNSUPPORTED_FORMAT", `${what}: save it as .xlsx or CSV, and send that file`);
}

/** Collects the text of an element, without phonetic readings (`rPh`). */
class TextGatherer {
  #text = "";
  #isText = false;
  #isPhonetic = false;

  begin(): void {
    this.#text = "";
  }

  open(name: string): void {
    if (name === "rPh") this.#isPhonetic = true;
    else this.#isText = (name === "t" || name === "v") && !this.#isPhonetic;
  }

  text(text: string, line: number | null): void {
    if (!this.#isText) return;
    this.#text += text;
    if (this.#text.length > MAX_CELL)
      throw notCsv(line, "CELL_TOO_LONG", `has a cell of more than ${MAX_CELL} characters`);
  }

  close(name: string): void {
    if (name === "rPh") this.#isPhonetic = false;
    else this.#isText = false;
  }

  end(): string {
    return this.#text;
  }
}

async function sharedTexts(part: XmlPart): Promise<string[]> {
  const texts: string[] = [];
  const gathered = new TextGatherer();
  await part.read({
    open(name) {
      if (name === "si") gathered.begin();
      else gathered.open(name);
    },
    text: (text) => gathered.text(text, null),
    close(name) {
      if (name === "si") texts.push(decodeEscapes(gathered.end()));
      else gathered.close(name);
    },
  });
  return texts;
}

/** The format of numbers by the style of a cell. */
async function formatsOf(part: XmlPart): Promise<Formats> {
  const codes = new Map<number, string>();
  const formats: Formats = [];
  let isOfCells = false;
  await part.read({
    open(name, { numFmtId = "0", formatCode = "" }) {
      if (name === "numFmt" && codes.size < MAX_STYLES) codes.set(Number(numFmtId), formatCode);
      if (name === "cellXfs") isOfCells = true;
      if (name === "xf" && isOfCells && formats.length < MAX_STYLES)
        formats.push(formatOf(Number(numFmtId), codes.get(Number(numFmtId))));
    },
    close(name) {
      if (name === "cellXfs") isOfCells = false;
    },
  });
  return formats;
}

/** Reads the rows of a sheet. Cells without a value do not count, so endless formatted columns cost nothing. */
class SheetRows implements PartReader {
  readonly #texts: readonly string[];
  readonly #formats: Formats;
  readonly #is1904: boolean;
  readonly #gathered = new TextGatherer();
  #records: CsvRecord[] = [];
  #line = 0;
  #place = -1;
  #type = "";
  #style = 0;
  #cells: string[] = [];
  #length = 0;
  #total = 0;

  constructor(texts: readonly string[], formats: Formats, is1904: boolean) {
    [this.#texts, this.#formats, this.#is1904] = [texts, formats, is1904];
  }

  take(): CsvRecord[] {
    const found = this.#records;
    this.#records = [];
    return found;
  }

  open(name: string, { r = "", t = "n", s = "0" }: Readonly<Record<string, string>>): void {
    if (name === "row") {
      this.#line = /^[1-9]\d{0,6}$/.test(r) ? Number(r) : this.#line + 1;
      [this.#cells, this.#place, this.#length] = [[], -1, 0];
    } else if (name === "c") {
      this.#place = placeOf(r) ?? this.#place + 1;
      [this.#type, this.#style] = [t, Number(s)];
      this.#gathered.begin();
    } else this.#gathered.open(name);
  }

  text(text: string): void {
    this.#gathered.text(text, this.#line);
  }

  close(name: string): void {
    if (name === "c") this.#add(this.#valueOf(this.#gathered.end()));
    else if (name === "row") {
      this.#total += this.#length + this.#cells.length;
      if (this.#total > MAX_CHARACTERS) throw sizeError(`has more than ${MAX_CHARACTERS} characters`);
      if (this.#cells.length > 0) this.#records.push({ line: this.#line, cells: this.#cells });
    } else this.#gathered.close(name);
  }

  #add(value: string): void {
    if (value.trim() === "") return;
    if (this.#place >= MAX_COLUMNS) {
      throw notCsv(this.#line, "TOO_MANY_COLUMNS", `has more than ${MAX_COLUMNS} columns`);
    }
    if (value.length > MAX_CELL)
      throw notCsv(this.#line, "CELL_TOO_LONG", `has a cell of more than ${MAX_CELL} characters`);
    while (this.#cells.length < this.#place) this.#cells.push("");
    this.#cells[this.#place] = value;
    this.#length += value.length;
    if (this.#length > MAX_RECORD) throw notCsv(this.#line, "ROW_TOO_LONG", `has more than ${MAX_RECORD} characters`);
  }

  #valueOf(text: string): string {
    switch (this.#type) {
      case "s": {
        const shared = text === "" ? "" : this.#texts[Number(text)];
        if (shared === undefined) throw damageError();
        return shared;
      }
      case "b":
        return text === "1" ? "true" : text === "0" ? "false" : text;
      case "n":
        return text.trim() === ""
          ? ""
          : numberText(text, this.#formats[this.#style] ?? { kind: "plain" }, this.#is1904);
      case "d":
        return text.replace(/T00:00:00(?:\.0+)?Z?$/, "");
      default:
        return decodeEscapes(text);
    }
  }
}

/** The position of a column, from 0, from the address of a cell such as `AB12`; null if it is not such an address. */
function placeOf(address: string): number | null {
  const letters = /^([A-Z]{1,3})\d/.exec(address)?.[1];
  if (letters === undefined) return null;
  let place = 0;
  for (const letter of letters) place = place * 26 + letter.charCodeAt(0) - 64;
  return place - 1;
}
