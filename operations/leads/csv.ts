import { scalarsOf } from "../../domain/leads/segment-values.ts";
import { tagList } from "../../domain/leads/typed-cell.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { linesOf } from "../../domain/values/csv-lines.ts";
import { LEAD_INDEX, type Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import type { CsvPart } from "../csv-export.ts";
import type { LeadQuery } from "./filter.ts";

/** The columns in the order of the file; custom fields follow. */
const COLUMNS = [
  ...([
    "email",
    "firstName",
    "lastName",
    "fullName",
    "company",
    "website",
    "jobTitle",
    "phone",
    "city",
    "state",
    "country",
  ] as const),
  ...(["timezone", "tags", "status", "verificationStatus", "suppressed", "suppressionReason", "source"] as const),
  ...(["createdFrom", "createdFromName", "createdBy"] as const),
  ...(["lastContactedAt", "lastRepliedAt", "createdAt", "_id"] as const),
];
type Column = (typeof COLUMNS)[number];
type Stored = Exclude<Column, "createdFromName" | "createdBy">;

/** The fields of a lead that the columns need. */
const STORED = COLUMNS.filter((column): column is Stored => column !== "createdFromName" && column !== "createdBy");

const CUSTOM = "customFields.";
const ROWS = 250;
/**
 * Leads per database batch. Objects of larger batches survive young-generation garbage collection: the memory of an
 * export grew by 140 MB with a thousand leads per batch, by 17 MB with a hundred.
 */
const BATCH = 100;
/** The longest query in milliseconds: enough for a million leads and a slow client. */
const LONGEST_MS = HOUR_MS;

/** The columns of an export: every field, and every custom field that any lead of the workspace has. */
export async function columnsOf(workspaceId: string): Promise<string[]> {
  const skip = {
    from: CUSTOM,
    after: (facet: string) => (facet.startsWith(CUSTOM) ? `${fieldOf(facet)}\u0001` : "\u{10ffff}"),
  };
  const facets = await scoped(workspaceId).Lead.textsOf("facets", { workspaceId: 1, facets: 1 }, skip);
  return [...COLUMNS.map(nameOf), ...facets.filter((facet) => facet.startsWith(CUSTOM)).map(fieldOf)];
}

/**
 * The leads of a query as CSV (RFC 4180), a few hundred rows at a time; the first part is the header. Newest first when
 * an index has that order.
 */
export async function* csvOf(query: LeadQuery, columns: readonly string[]): AsyncGenerator<CsvPart> {
  const keys = columns.slice(COLUMNS.length).map((column) => column.slice(CUSTOM.length));
  yield { text: linesOf([columns]), rows: 0 };
  let rows: unknown[][] = [];
  for await (const lead of leadsOf(query)) {
    rows.push([...COLUMNS.map((column) => fieldValue(lead, column)), ...keys.map((key) => customOf(lead, key))]);
    if (rows.length < ROWS) continue;
    yield { text: linesOf(rows), rows: rows.length };
    rows = [];
  }
  if (rows.length > 0) yield { text: linesOf(rows), rows: rows.length };
}

/** Converts leads to CSV lines with these columns. */
export function csvLinesOf(
  leads: readonly Pick<Lead, Stored | "customFields">[],
  columns: readonly string[],
): string[] {
  const keys = columns.slice(COLUMNS.length).map((column) => column.slice(CUSTOM.length));
  return leads.map((lead) =>
    linesOf([[...COLUMNS.map((column) => fieldValue(lead, column)), ...keys.map((key) => customOf(lead, key))]]),
  );
}

/** The header of a file with these columns. */
export function csvHeaderOf(columns: readonly string[]): string {
  return linesOf([columns]);
}

function leadsOf({
  workspaceId,
  filter,
  hint,
  isSearch,
  segment,
}: LeadQuery): AsyncIterable<Pick<Lead, Stored | "customFields">> {
  const project = Object.fromEntries([...STORED, "customFields"].map((column) => [column, 1 as const]));
  const isSorted = segment === null && !isSearch;
  const index = isSorted ? (hint ?? LEAD_INDEX.newest) : (hint ?? undefined);
  const stages = [
    ...(segment?.stages ?? []),
    { $match: filter },
    ...(isSorted ? [{ $sort: { _id: -1 } as const }] : []),
    { $project: project },
  ];
  return scoped(workspaceId).Lead.walk(segment?.match ?? filter, stages, LONGEST_MS, {
    batchSize: BATCH,
    ...(index !== undefined && { hint: index }),
  });
}

function fieldValue(lead: Pick<Lead, Stored>, column: Column): unknown {
  const { createdFrom } = lead;
  switch (column) {
    case "tags":
      return tagList(lead.tags);
    case "createdFrom":
      return createdFrom?.kind ?? null;
    case "createdFromName":
      return createdFrom?.name ?? null;
    case "createdBy":
      return createdFrom?.actor ? `${createdFrom.actor.kind} ${createdFrom.actor.id}` : null;
    default:
      return lead[column];
  }
}

/** The value of a custom field. A lead may lack it. An empty list is returned as null, as in the index. */
function customOf({ customFields }: Pick<Lead, "customFields">, key: string): unknown {
  const value = Object.hasOwn(customFields, key) ? customFields[key] : null;
  return Array.isArray(value) && scalarsOf(value).length === 0 ? null : value;
}

function nameOf(column: Column): string {
  return column === "_id" ? "id" : column;
}

/** The field `customFields.<key>` of a facet: the text before the NUL. */
function fieldOf(facet: string): string {
  return facet.slice(0, facet.indexOf("\0"));
}
