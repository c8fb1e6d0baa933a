import { normalizeAddress } from "../mail/message.ts";
import { addressIn, isRoleAddress, partsOfName } from "./address-cell.ts";
import type { Mapping, Row } from "./columns.ts";
import { textOfCell } from "./csv-cell.ts";
import type { DeclaredField } from "./custom-field.ts";
import { type DayOrder, dayOrderIn } from "./date-notation.ts";
import {
  applyLeadChange,
  blankLead,
  differences,
  LEAD_TEXTS,
  type LeadChange,
  type LeadContent,
  type LeadText,
  leadTexts,
  MAX_CUSTOM_KEYS,
  MAX_TAG,
  MAX_TAGS,
} from "./lead.ts";
import { isEmptyCell } from "./placeholder.ts";
import { tagsIn } from "./tag-list.ts";
import { typedCell } from "./typed-cell.ts";

export const MAX_ROWS = 50_000;
/** Limits of a file (rules/leads 2.6). */
export const MAX_FILE_ROWS = 1_000_000;
export const MAX_FILE_BYTES = 104_857_600;
/** The most errors, and the most warnings, that a summary lists. */
export const MAX_ERRORS = 1_000;
/** Imports with more rows than this run as a job. */
export const MAX_INLINE = 1_000;

/** One row as the lead that it would create or change. `row` counts from 1. */
export interface LeadRow {
  row: number;
  email: string;
  domain: string;
  change: LeadChange;
  /** The name that stood beside the address: for a lead of whom no name is known. */
  addressName?: string;
}

/** A cell that was left out, or that is worth a look. The row is imported. */
export interface CellWarning {
  row: number;
  column: string;
  /** TYPE_MISMATCH, AMBIGUOUS_DATE, INVALID_TYPE, TOO_BIG: left out. ROLE_ADDRESS: imported. */
  code: string;
  /** What stands in the cell, at most 100 characters. */
  value: string;
}

export interface RowError {
  row: number;
  /** As written in the row; null when the row has none. */
  email: string | null;
  code: string;
  message: string;
}

export function isLeadRow(read: LeadRow | RowError): read is LeadRow {
  return "change" in read;
}

/** The cell that a row has in the place of all others when the file had it wrong: why. No column of a file is called so. */
export const UNREADABLE = "\0";

/** What the columns of a file stand for. */
export interface Columns {
  mapping: Mapping;
  /** The declared custom fields, by key: cells of others are stored as they are. */
  declared: ReadonlyMap<string, DeclaredField>;
  /** Of columns of dates whose cells tell in which order days and months are. */
  dayOrders: ReadonlyMap<string, DayOrder>;
}

/** The order of days and months in the columns that stand for declared dates, as far as any cell tells it; columns that contradict are left out. */
export function dayOrdersIn(rows: Iterable<Row>, mapping: Mapping, declared: ReadonlyMap<string, DeclaredField>): Map<string, DayOrder> {
  const dates = [...mapping].filter(([, target]) => target.kind === "custom" && declared.get(target.key)?.type === "DATE");
  const orders = new Map<string, Set<DayOrder>>(dates.map(([column]) => [column, new Set()]));
  if (orders.size === 0) return new Map();
  for (const row of rows) {
    for (const [column, told] of orders) {
      const cell = row[column];
      const order = typeof cell === "string" ? dayOrderIn(cell) : null;
      if (order !== null) told.add(order);
    }
  }
  return new Map([...orders].flatMap(([column, [order, other]]) => (order === undefined || other !== undefined ? [] : [[column, order]])));
}

const LONGEST_VALUE = 100;

/**
 * Reads one row. Empty cells are ignored, so they never erase a value. A cell that does not fit its field is left out with a warning; only
 * the address can cost the row (rules/leads 2.5).
 */
export function readRow(cells: Row, row: number, columns: Columns): { read: LeadRow | RowError; warnings: CellWarning[] } {
  if (Object.hasOwn(cells, UNREADABLE)) {
    return { read: { row, email: null, code: "TOO_MANY_CELLS", message: String(cells[UNREADABLE]) }, warnings: [] };
  }
  const change: LeadChange = {};
  const warnings: CellWarning[] = [];
  const warn = (column: string, code: string) => warnings.push({ row, column, code, value: shownValue(cells[column]) });
  let email: [column: string, cell: unknown] | null = null;
  for (const [column, target] of columns.mapping) {
    const cell = Object.hasOwn(cells, column) ? cells[column] : null;
    if (isEmptyCell(cell)) continue;
    if (target.kind === "email") email = [column, cell];
    else {
      const code = target.kind === "tags" ? addTags(change, cell) : addCell(change, cell, target, column, columns);
      if (code !== null) warn(column, code);
    }
  }
  const wrong = (code: string, message: string) => ({ read: { row, email: email && asText(email[1], 320), code, message }, warnings });
  if (email === null) return wrong("REQUIRED", "email is empty");
  const [column, cell] = email;
  if (typeof cell === "object") return wrong("INVALID_TYPE", `${column} must be a text`);
  const { address: written, name } = addressIn(textOfCell(String(cell)));
  const address = normalizeAddress(written);
  if (address === null) return wrong("INVALID_FORMAT", "email is not a valid address");
  if (isRoleAddress(address.address)) warn(column, "ROLE_ADDRESS");
  const read = { row, email: address.address, domain: address.domain, change, ...(name !== null && { addressName: name }) };
  return { read, warnings };
}

/** Adds the value of a cell to a change. Returns why it does not fit, else null. */
function addCell(
  change: LeadChange,
  cell: unknown,
  target: { kind: "text"; field: LeadText } | { kind: "custom"; key: string },
  column: string,
  { declared, dayOrders }: Columns,
): string | null {
  if (!isScalar(cell)) return "INVALID_TYPE";
  const value = typeof cell === "string" ? textOfCell(cell) : cell;
  if (target.kind === "text") {
    if (String(value).length > LEAD_TEXTS[target.field]) return "TOO_BIG";
    change[target.field] = String(value);
    return null;
  }
  const field = declared.get(target.key);
  const typed = field === undefined ? { value } : typedCell(field, value, dayOrders.get(column) ?? null);
  if ("code" in typed) return typed.code;
  change.customFields = { ...change.customFields, [target.key]: typed.value };
  return null;
}

function addTags(change: LeadChange, cell: unknown): string | null {
  if (typeof cell === "object" && !isTexts(cell)) return "INVALID_TYPE";
  const tags = tagsOf(cell);
  if (tags.some((tag) => tag.length > MAX_TAG)) return "TOO_BIG";
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

export interface ImportCounts {
  created: number;
  updated: number;
  skipped: number;
  invalid: number;
  duplicateInFile: number;
  alreadyExists: number;
  blocked: number;
  suppressed: number;
  membershipsAdded: number;
}

/** What the database knows about the addresses of one page. */
export interface Known<L extends KnownLead> {
  leads: ReadonlyMap<string, L>;
  blocked: ReadonlySet<string>;
  suppressed: ReadonlySet<string>;
  /** Ids of the leads already in the list to which the import adds; null when it adds to none. */
  members: ReadonlySet<string> | null;
}
export interface KnownLead extends LeadContent {
  _id: string;
}

/** What importing one page does. A dry run makes the same plan as a commit (rules/leads 2.1). */
export interface Plan<L extends KnownLead> {
  created: { content: LeadContent; row: number }[];
  updated: { lead: L; changes: Partial<LeadContent> }[];
  /** Known leads that will join the list. Every created lead joins it anyway. */
  joining: string[];
  errors: RowError[];
  counts: ImportCounts;
  /** The outcome of each row, in the order of the rows. */
  outcomes: RowOutcome[];
}

/** SKIPPED_DUPLICATE means that the lead already is as the row says, or that the address is on the block list. */
export interface RowOutcome {
  row: number;
  email: string | null;
  status: "CREATED" | "UPDATED" | "SKIPPED_DUPLICATE" | "FAILED";
  code: string | null;
  message: string | null;
}

export function failedOutcomeOf({ row, email, code, message }: RowError): RowOutcome {
  return { row, email, status: "FAILED", code, message };
}

/** Plans one page of an import. `rows` contain each address at most once. */
export function planPage<L extends KnownLead>(rows: readonly LeadRow[], known: Known<L>): Plan<L> {
  const plan: Plan<L> = { created: [], updated: [], joining: [], errors: [], counts: noCounts(), outcomes: [] };
  const { counts, outcomes } = plan;
  const became = (row: number, email: string, status: RowOutcome["status"], code: string | null = null) =>
    outcomes.push({ row, email, status, code, message: code === null ? null : BLOCKED });
  for (const { row, email, domain, change, addressName } of rows) {
    const lead = known.leads.get(email);
    const before = lead === undefined ? blankLead(email, domain) : contentOf(lead);
    const isNamed = [before, change].some(({ firstName, lastName, fullName }) => firstName || lastName || fullName);
    const after = applyLeadChange(before, { ...(addressName !== undefined && !isNamed && partsOfName(addressName)), ...change });
    const error = tooMany(before, after);
    if (error !== null) {
      counts.invalid++;
      const wrong = { row, email, ...error };
      plan.errors.push(wrong);
      outcomes.push(failedOutcomeOf(wrong));
      continue;
    }
    if (lead !== undefined) counts.alreadyExists++;
    if (known.blocked.has(email)) {
      counts.blocked++;
      counts.skipped++;
      became(row, email, "SKIPPED_DUPLICATE", "BLOCK_LISTED");
      continue;
    }
    if (known.suppressed.has(email)) counts.suppressed++;
    if (known.members !== null && (lead === undefined || !known.members.has(lead._id))) {
      counts.membershipsAdded++;
      if (lead !== undefined) plan.joining.push(lead._id);
    }
    if (lead === undefined) {
      counts.created++;
      plan.created.push({ content: after, row });
      became(row, email, "CREATED");
      continue;
    }
    const changes = differences(before, after);
    became(row, email, changes === null ? "SKIPPED_DUPLICATE" : "UPDATED");
    if (changes === null) counts.skipped++;
    else {
      counts.updated++;
      plan.updated.push({ lead, changes });
    }
  }
  return plan;
}

const BLOCKED = "the address is on the block list";

export function noCounts(): ImportCounts {
  return {
    created: 0,
    updated: 0,
    skipped: 0,
    invalid: 0,
    duplicateInFile: 0,
    alreadyExists: 0,
    blocked: 0,
    suppressed: 0,
    membershipsAdded: 0,
  };
}

/** Adds the counts of one page to the sum of the pages before it. */
export function addCounts(sum: ImportCounts, page: ImportCounts): void {
  for (const key of Object.keys(page) as (keyof ImportCounts)[]) sum[key] += page[key]; // the keys of a record of counts
}

/** The content of a stored lead, without the other fields of its document. */
export function contentOf(lead: LeadContent): LeadContent {
  const texts = Object.fromEntries(leadTexts().map((field) => [field, lead[field]])) as Record<LeadText, string | null>; // the same keys
  const { email, emailDomain, tags, customFields, phoneStatus, searchWords, facets } = lead;
  return { ...texts, email, emailDomain, tags, customFields, phoneStatus, searchWords, facets };
}

function isTexts(cell: unknown): cell is string[] {
  return Array.isArray(cell) && cell.every((one) => typeof one === "string");
}

function tagsOf(cell: unknown): string[] {
  return isTexts(cell) ? cell.map((tag) => tag.trim()).filter(Boolean) : tagsIn(textOfCell(String(cell)));
}

/** A row may not push a lead past its limits; a lead that already exceeds them may stay as it is. */
function tooMany(before: LeadContent, after: LeadContent): Omit<RowError, "row" | "email"> | null {
  if (after.tags.length > Math.max(MAX_TAGS, before.tags.length)) {
    return { code: "TOO_BIG", message: `a lead has at most ${MAX_TAGS} tags` };
  }
  const keys = Object.keys(after.customFields).length;
  if (keys > Math.max(MAX_CUSTOM_KEYS, Object.keys(before.customFields).length)) {
    return { code: "TOO_BIG", message: `a lead has at most ${MAX_CUSTOM_KEYS} custom fields` };
  }
  return null;
}
