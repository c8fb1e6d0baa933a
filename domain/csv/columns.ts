import { withoutInvisible } from "../values/invisible.ts";
import { notCsv } from "./refusal.ts";
import { type CsvRecord, MAX_COLUMNS } from "./rows.ts";

/** The columns of a file, with facts about them that are collected from the rows. */
export class FileColumns {
  /**
   * The names of the columns in the order of the file, each name once. A column without a name is named after its
   * position. If a name occurs again, in any case, the later column gets a number.
   */
  readonly names: readonly string[];
  readonly #names: string[] = [];
  /** The names in lower case. */
  readonly #lowerNames: Set<string>;
  /** The positions of the columns that share a name. */
  readonly #twins: number[][];
  /** The first line in which columns with the same name differ, by the position of the first column. */
  readonly #differing = new Map<number, number>();
  /** The positions of columns that have no name and, so far, no cell with content. */
  readonly #empty = new Set<number>();

  /** Reads the first row of a file. @throws AppError VALIDATION_FAILED for too many columns */
  constructor({ line, cells }: CsvRecord) {
    if (cells.length > MAX_COLUMNS) {
      throw notCsv(line, "TOO_MANY_COLUMNS", `has ${cells.length} columns; at most ${MAX_COLUMNS} are allowed`);
    }
    this.names = this.#names;
    const written = cells
      .map((cell) => withoutInvisible(cell).trim())
      .map((name) => (name === "__proto__" ? "" : name)); // an object would drop this key
    this.#lowerNames = new Set(written.map((name) => name.toLowerCase()));
    const places = Map.groupBy(written.keys(), (place) => (written[place] ?? "").toLowerCase());
    this.#twins = [...places].filter(([name, all]) => name !== "" && all.length > 1).map(([, all]) => all);
    for (const [place, name] of written.entries()) {
      if (name === "") this.#addUnnamed(place);
      else this.#names.push(places.get(name.toLowerCase())?.[0] === place ? name : this.#numbered(name));
    }
  }

  #addUnnamed(place: number): void {
    let name = `Column ${place + 1}`;
    while (this.#lowerNames.has(name.toLowerCase())) name += "'";
    this.#lowerNames.add(name.toLowerCase());
    this.#names.push(name);
    this.#empty.add(place);
  }

  #numbered(name: string): string {
    let number = 2;
    while (this.#lowerNames.has(`${name} ${number}`.toLowerCase())) number++;
    this.#lowerNames.add(`${name} ${number}`.toLowerCase());
    return `${name} ${number}`;
  }

  /** Collects facts about the columns from a row. */
  see({ line, cells }: CsvRecord): void {
    for (const places of this.#twins) {
      const [first = 0] = places;
      if (this.#differing.has(first)) continue;
      const cellTexts = new Set(places.map((place) => cells[place]?.trim() ?? "").filter((cell) => cell !== ""));
      if (cellTexts.size > 1) this.#differing.set(first, line);
    }
    for (const place of this.#empty) if ((cells[place] ?? "").trim() !== "") this.#empty.delete(place);
  }

  /** Adds columns for cells beyond the columns of the first row. */
  widen(width: number): void {
    for (let place = this.#names.length; place < width; place++) this.#addUnnamed(place);
  }

  /** The columns with a name, or with a cell that is not empty. */
  filled(): string[] {
    return this.#names.filter((_name, place) => !this.#empty.has(place));
  }

  /**
   * Whether two columns have the same name in the file and the same cells in each row that fills both. `line` is the
   * first line in which the cells differ; null if there is none.
   */
  agreementOf(one: string, other: string): { agree: boolean; line: number | null } {
    const [place, at] = [this.#names.indexOf(one), this.#names.indexOf(other)];
    const twins = this.#twins.find((places) => places.includes(place) && places.includes(at));
    if (twins === undefined) return { agree: false, line: null };
    const line = this.#differing.get(twins[0] ?? 0) ?? null;
    return { agree: line === null, line };
  }
}
