import { normalizeAddress } from "../mail/message.ts";
import type { Mapping, Row } from "./columns.ts";
import { textOfCell } from "./csv-cell.ts";
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
import { tagsIn } from "./tag-list.ts";

export const MAX_ROWS = 50_000;
/** Limits of a file (rules/leads 2.5). */
export const MAX_FILE_ROWS = 1_000_000;
export const MAX_FILE_BYTES = 104_857_600;
export const MAX_ERRORS = 1_000;
/** Imports with more rows than this run as a job. */
export const MAX_INLINE = 1_000;

/** One row as the lead that it would create or change. `row` counts from 1. */
export interface LeadRow {
  row: number;
  email: string;
  domain: string;
  change: LeadChange;
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

/** Reads one row with a mapping. Empty cells are ignored, so they never erase a value. */
export function readRow(cells: Row, row: number, mapping: Mapping): LeadRow | RowError {
  if (Object.hasOwn(cells, UNREADABLE)) return { row, email: null, code: "TOO_MANY_CELLS", message: String(cells[UNREADABLE]) };
  let given: string | null = null;
  const change: LeadChange = {};
  const wrong: Omit<RowError, "row" | "email">[] = [];
  for (const [column, target] of mapping) {
    if (!Object.hasOwn(cells, column)) continue;
    const cell = cells[column];
    if (isEmpty(cell)) continue;
    if (target.kind === "custom") {
      if (typeof cell === "object") wrong.push({ code: "INVALID_TYPE", message: `${column} must be a text, a number or a boolean` });
      else change.customFields = { ...change.customFields, [target.key]: typeof cell === "string" ? textOfCell(cell) : cell };
    } else if (target.kind === "tags" && (typeof cell !== "object" || isTexts(cell))) {
      change.tags = [...(change.tags ?? []), ...tagsOf(cell)];
    } else if (typeof cell === "object" || target.kind === "tags") {
      wrong.push({ code: "INVALID_TYPE", message: `${column} must be a text` });
    } else if (target.kind === "email") {
      given = textOfCell(String(cell));
    } else {
      change[target.field] = textOfCell(String(cell));
    }
  }
  const address = given === null ? null : normalizeAddress(given);
  if (given === null && wrong.length === 0) wrong.push({ code: "REQUIRED", message: "email is empty" });
  if (given !== null && address === null) wrong.unshift({ code: "INVALID_FORMAT", message: "email is not a valid address" });
  wrong.push(...tooLong(change));
  const [first] = wrong;
  if (first !== undefined || address === null) {
    return { row, email: given?.slice(0, 320) ?? null, code: first?.code ?? "REQUIRED", message: first?.message ?? "email is empty" };
  }
  return { row, email: address.address, domain: address.domain, change };
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
  for (const { row, email, domain, change } of rows) {
    const lead = known.leads.get(email);
    const before = lead === undefined ? blankLead(email, domain) : contentOf(lead);
    const after = applyLeadChange(before, change);
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

function isEmpty(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "");
}

function isTexts(cell: unknown): cell is string[] {
  return Array.isArray(cell) && cell.every((one) => typeof one === "string");
}

function tagsOf(cell: unknown): string[] {
  return isTexts(cell) ? cell.map((tag) => tag.trim()).filter(Boolean) : tagsIn(textOfCell(String(cell)));
}

function tooLong(change: LeadChange): Omit<RowError, "row" | "email">[] {
  const long = leadTexts().filter((field) => (change[field]?.length ?? 0) > LEAD_TEXTS[field]);
  const wrong = long.map((field) => ({ code: "TOO_BIG", message: `${field} must have at most ${LEAD_TEXTS[field]} characters` }));
  const isLongTag = (change.tags ?? []).some((tag) => tag.length > MAX_TAG);
  return isLongTag ? [...wrong, { code: "TOO_BIG", message: `tags must have at most ${MAX_TAG} characters each` }] : wrong;
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
