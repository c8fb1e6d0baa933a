import { partsOfName } from "../values/address.ts";
import type { LeadRow, RowError } from "./import-row.ts";
import {
  applyLeadChange,
  blankLead,
  differences,
  type LeadContent,
  type LeadText,
  leadTexts,
  MAX_CUSTOM_KEYS,
  MAX_TAGS,
} from "./lead.ts";

export const MAX_ROWS = 50_000;
/** The most errors, and the most warnings, that a summary lists. */
export const MAX_ERRORS = 1_000;
/** Imports with more rows than this run as a job. */
export const MAX_INLINE = 1_000;

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

/** The stored data about the addresses of one page of an import. */
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

/** The effects of importing one page. A dry run makes the same plan as a commit (rules/leads 2.1). */
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

/** SKIPPED_DUPLICATE: the lead already has the values of the row, or the address is on the block list. */
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
  const became = (row: number, email: string, status: RowOutcome["status"], code: keyof typeof WHY | null = null) =>
    outcomes.push({ row, email, status, code, message: code === null ? null : WHY[code] });
  for (const { row, email, domain, change, addressName } of rows) {
    const lead = known.leads.get(email);
    const before = lead === undefined ? blankLead(email, domain) : contentOf(lead);
    const isNamed = [before, change].some(({ firstName, lastName, fullName }) => firstName || lastName || fullName);
    const after = applyLeadChange(before, {
      ...(addressName !== undefined && !isNamed && partsOfName(addressName)),
      ...change,
    });
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
    const isSuppressed = known.suppressed.has(email);
    if (isSuppressed) counts.suppressed++;
    const mark = isSuppressed ? "SUPPRESSED" : null;
    if (known.members !== null && (lead === undefined || !known.members.has(lead._id))) {
      counts.membershipsAdded++;
      if (lead !== undefined) plan.joining.push(lead._id);
    }
    if (lead === undefined) {
      counts.created++;
      plan.created.push({ content: after, row });
      became(row, email, "CREATED", mark);
      continue;
    }
    const changes = differences(before, after);
    became(row, email, changes === null ? "SKIPPED_DUPLICATE" : "UPDATED", mark);
    if (changes === null) counts.skipped++;
    else {
      counts.updated++;
      plan.updated.push({ lead, changes });
    }
  }
  return plan;
}

/** What the code of an outcome means. */
const WHY = {
  BLOCK_LISTED: "the address is on the block list",
  SUPPRESSED: "the address is and stays suppressed",
} as const;

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

/** Adds the counts of one page to the sum of the earlier pages. */
export function addCounts(sum: ImportCounts, page: ImportCounts): void {
  for (const key of Object.keys(page) as (keyof ImportCounts)[]) sum[key] += page[key]; // the keys of a record of counts
}

/** The content of a stored lead, without the other fields of its document. */
export function contentOf(lead: LeadContent): LeadContent {
  const texts = Object.fromEntries(leadTexts().map((field) => [field, lead[field]])) as Record<LeadText, string | null>; // the same keys
  const { email, emailDomain, tags, customFields, phoneStatus, searchWords, facets } = lead;
  return { ...texts, email, emailDomain, tags, customFields, phoneStatus, searchWords, facets };
}

/**
 * The error if a row would make a lead exceed its limits; null otherwise. A lead that exceeds them already is accepted
 * if the row does not add more.
 */
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
