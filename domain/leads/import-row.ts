import { isRoleAddress, readAddress, type WrittenAddress } from "../values/address.ts";
import { meantDomain } from "../values/address-typo.ts";
import { isEmptyCell, readCell } from "../values/cell.ts";
import { type DayOrder, dayOrderIn } from "../values/date.ts";
import { readZone } from "../values/zone.ts";
import type { Mapping, Row } from "./columns.ts";
import type { DeclaredField } from "./custom-field.ts";
import { LEAD_TEXTS, type LeadChange, type LeadText, MAX_TAG } from "./lead.ts";
import { tagsIn, typedCell } from "./typed-cell.ts";

/** One row as the lead that it would create or change. `row` counts from 1. */
export interface LeadRow {
  row: number;
  email: string;
  domain: string;
  change: LeadChange;
  /** The name that is written next to the address in its cell. It is used if the lead has no name. */
  addressName?: string;
}

/**
 * First the reasons for leaving a cell out, then the warnings about an imported address, and last the warning about the
 * whole file.
 */
export const CELL_WARNINGS = [
  ...([
    "TYPE_MISMATCH",
    "AMBIGUOUS_DATE",
    "INVALID_TYPE",
    "TOO_BIG",
    "FORMULA",
    "DIGITS_LOST",
    "UNKNOWN_TIMEZONE",
  ] as const),
  ...(["ROLE_ADDRESS", "SEVERAL_ADDRESSES", "ADDRESS_TYPO"] as const),
  "ESCAPED_QUOTES",
] as const;

/** A cell that was left out, or that someone should check. The row is imported. */
export interface CellWarning {
  row: number;
  column: string;
  code: (typeof CELL_WARNINGS)[number];
  /** The content of the cell, at most 100 characters. */
  value: string;
  /** The value that the author probably meant. */
  suggestion: string | null;
}
type Fault = Pick<CellWarning, "code"> & { suggestion?: string | null };

export interface RowError {
  row: number;
  /** The address as written in the row; null when the row has none. */
  email: string | null;
  code: string;
  message: string;
}

export function isLeadRow(read: LeadRow | RowError): read is LeadRow {
  return "change" in read;
}

/**
 * The name of the only cell of a row that could not be read. The cell's value says why. No column of a file has this
 * name.
 */
export const UNREADABLE = "\0";

/** The meaning of the columns of a file. */
export interface Columns {
  mapping: Mapping;
  /** The declared custom fields, by key. Cells of other fields are stored unchanged. */
  declared: ReadonlyMap<string, DeclaredField>;
  /** The order of day and month, for each column of dates whose cells show it. */
  dayOrders: ReadonlyMap<string, DayOrder>;
  /**
   * Whether the cells come from a spreadsheet, in which `=` begins a formula and a long number may have lost digits.
   * Default true.
   */
  isOfSheet?: boolean;
}

/**
 * The order of days and months in each column of declared dates, if a cell shows it. Columns whose cells contradict each
 * other are left out.
 */
export function dayOrdersIn(
  rows: Iterable<Row>,
  mapping: Mapping,
  declared: ReadonlyMap<string, DeclaredField>,
): Map<string, DayOrder> {
  const dates = [...mapping].filter(
    ([, target]) => target.kind === "custom" && declared.get(target.key)?.type === "DATE",
  );
  const orders = new Map<string, Set<DayOrder>>(dates.map(([column]) => [column, new Set()]));
  if (orders.size === 0) return new Map();
  for (const row of rows) {
    for (const [column, columnOrders] of orders) {
      const cell = row[column];
      const order = typeof cell === "string" ? dayOrderIn(cell) : null;
      if (order !== null) columnOrders.add(order);
    }
  }
  return new Map(
    [...orders].flatMap(([column, [order, other]]) =>
      order === undefined || other !== undefined ? [] : [[column, order]],
    ),
  );
}

const LONGEST_VALUE = 100;

/**
 * Reads one row. Empty cells are ignored, so they never erase a value. A cell that does not fit its field is left out
 * with a warning. Only a wrong address refuses the whole row (rules/leads 2.5).
 */
export function readRow(
  cells: Row,
  row: number,
  columns: Columns,
): { read: LeadRow | RowError; warnings: CellWarning[] } {
  if (Object.hasOwn(cells, UNREADABLE)) {
    return { read: { row, email: null, code: "TOO_MANY_CELLS", message: String(cells[UNREADABLE]) }, warnings: [] };
  }
  const change: LeadChange = {};
  const warnings: CellWarning[] = [];
  const warn = (column: string, { code, suggestion = null }: Fault) =>
    warnings.push({ row, column, code, value: shownValue(cells[column]), suggestion });
  let email: [column: string, cell: unknown] | null = null;
  for (const [column, target] of columns.mapping) {
    const cell = Object.hasOwn(cells, column) ? cells[column] : null;
    if (isEmptyCell(cell)) continue;
    if (target.kind === "email") email = [column, cell];
    else {
      const fault =
        target.kind === "tags" ? addTags(change, cell, columns) : addCell(change, cell, target, column, columns);
      if (fault !== null) warn(column, fault);
    }
  }
  const wrong = (code: string, message: string) => ({
    read: { row, email: email && asText(email[1], 320), code, message },
    warnings,
  });
  if (email === null) return wrong("REQUIRED", "email is empty");
  const [column, cell] = email;
  if (typeof cell === "object") return wrong("INVALID_TYPE", `${column} must be a text`);
  const content = contentOfCell(String(cell), columns, false);
  const address = "text" in content ? readAddress(content.text) : null;
  if (address === null) return wrong("INVALID_FORMAT", "email is not a valid address");
  for (const fault of addressFaults(address)) warn(column, fault);
  const { name } = address;
  const read = {
    row,
    email: address.address,
    domain: address.domain,
    change,
    ...(name !== null && { addressName: name }),
  };
  return { read, warnings };
}

/** Warnings about an address that is imported. */
function addressFaults({ address, domain, others }: WrittenAddress): Fault[] {
  const likelyDomain = meantDomain(domain);
  return [
    ...(others.length > 0 ? [{ code: "SEVERAL_ADDRESSES" as const }] : []),
    ...(isRoleAddress(address) ? [{ code: "ROLE_ADDRESS" as const }] : []),
    ...(likelyDomain === null
      ? []
      : [{ code: "ADDRESS_TYPO" as const, suggestion: `${address.slice(0, -domain.length)}${likelyDomain}` }]),
  ];
}

/** Adds the value of a cell to a change. Returns why the value does not fit the field; null if it does. */
function addCell(
  change: LeadChange,
  cell: unknown,
  target: { kind: "text"; field: LeadText } | { kind: "custom"; key: string },
  column: string,
  columns: Columns,
): Fault | null {
  if (!isScalar(cell)) return { code: "INVALID_TYPE" };
  if (target.kind === "text") return addText(change, target.field, contentOfCell(String(cell), columns, false));
  const field = columns.declared.get(target.key);
  const content = typeof cell === "string" ? contentOfCell(cell, columns, field?.type === "NUMBER") : { text: cell };
  if ("code" in content) return content;
  if (content.text === "") return null;
  const value = content.text;
  const typed = field === undefined ? { value } : typedCell(field, value, columns.dayOrders.get(column) ?? null);
  if ("code" in typed) return typed;
  change.customFields = { ...change.customFields, [target.key]: typed.value };
  return null;
}

function addText(change: LeadChange, field: LeadText, content: ReturnType<typeof readCell>): Fault | null {
  if ("code" in content) return content;
  const { text } = content;
  if (text === "") return null;
  if (text.length > LEAD_TEXTS[field]) return { code: "TOO_BIG" };
  if (field !== "timezone") {
    change[field] = text;
    return null;
  }
  const read = readZone(text);
  if (read.zone === null) return { code: "UNKNOWN_TIMEZONE", suggestion: read.suggestion };
  change.timezone = read.zone;
  return null;
}

function contentOfCell(cell: string, { isOfSheet = true }: Columns, isNumber: boolean): ReturnType<typeof readCell> {
  return isOfSheet ? readCell(cell, isNumber) : { text: cell };
}

function addTags(change: LeadChange, cell: unknown, columns: Columns): Fault | null {
  if (typeof cell === "object" && !isTexts(cell)) return { code: "INVALID_TYPE" };
  const content = isTexts(cell) ? cell : contentOfCell(String(cell), columns, false);
  if ("code" in content) return content;
  const tags = "text" in content ? tagsIn(content.text) : content.map((tag) => tag.trim()).filter(Boolean);
  if (tags.some((tag) => tag.length > MAX_TAG)) return { code: "TOO_BIG" };
  change.tags = [...(change.tags ?? []), ...tags];
  return null;
}

function isScalar(cell: unknown): cell is string | number | boolean {
  return typeof cell === "string" || typeof cell === "number" || typeof cell === "boolean";
}

function asText(cell: unknown, most: number): string | null {
  return typeof cell === "object" ? null : String(cell).slice(0, most);
}

function shownValue(cell: unknown): string {
  const text = typeof cell === "object" ? JSON.stringify(cell) : String(cell);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

function isTexts(cell: unknown): cell is string[] {
  return Array.isArray(cell) && cell.every((one) => typeof one === "string");
}
