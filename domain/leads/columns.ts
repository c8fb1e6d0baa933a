import { AppError, type Issue } from "../errors.ts";
import { declaredNames, plainName, usualField } from "./column-names.ts";
import { isBuiltIn, keyOf } from "./custom-field.ts";
import { type LeadText, leadTexts, MAX_CUSTOM_KEYS } from "./lead.ts";

export type Row = Record<string, unknown>;
export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

type Target =
  | { kind: "email" }
  | { kind: "tags" }
  | { kind: "text"; field: LeadText }
  | { kind: "custom"; key: string };
export type Mapping = ReadonlyMap<string, Target>;

/**
 * Matches `customFields.<key>`. Keys that could reach a prototype or a database operator are refused (rules/security
 * 3.1).
 */
const CUSTOM = /^\s*customfields\.(?!(?:__proto__|constructor|prototype)$)(?!\$)([^.\0]*)$/is;

/** All columns of a file, in the order in which they first appear. */
export function columnsOf(rows: Iterable<Row>): string[] {
  const columns = new Set<string>();
  for (const row of rows) for (const column of Object.keys(row)) columns.add(column);
  return [...columns];
}

/**
 * Suggests a lead field for each column by its name, ignoring case, accents, spaces, `_`, `-` and `.` (rules/leads
 * 2.2): by the field's own name, the names in the exports of the usual tools, the key or label of a declared custom
 * field. If two columns match a field, the first gets it.
 */
export function suggestedMapping(
  columns: readonly string[],
  declared: readonly { key: string; label: string }[] = [],
): Record<string, string> {
  const custom = declaredNames(declared);
  const suggested = new Map<string, string>();
  const usedFields = new Set<string>();
  const suggest = (column: string, name: string | null) => {
    if (name !== null && !usedFields.has(name) && !suggested.has(column)) suggested.set(column, name);
    if (name !== null) usedFields.add(name);
  };
  for (const column of columns) suggest(column, targetName(targetOf(column)));
  for (const column of columns) suggest(column, fieldOfLead(usualField(column)));
  for (const column of columns) suggest(column, custom.get(plainName(column)) ?? null);
  for (const column of columns) suggest(column, usualField(column));
  return Object.fromEntries(suggested);
}

export interface MappedColumns {
  /** The lead field of each column. */
  mapping: Record<string, string>;
  suggestedMapping: Record<string, string>;
  unmappedColumns: string[];
}

/**
 * Maps the columns to lead fields, by the caller's mapping or otherwise by their names. With `keepUnmapped`, each
 * remaining column becomes a custom field.
 */
export function mapColumns(
  columns: readonly string[],
  declared: readonly { key: string; label: string }[],
  {
    fieldMapping,
    keepUnmapped,
  }: { fieldMapping?: Readonly<Record<string, string | null>> | undefined; keepUnmapped: boolean },
): MappedColumns {
  const suggested = suggestedMapping(columns, declared);
  const named = fieldMapping ?? suggested;
  const rest = columns.filter((column) => !Object.hasOwn(named, column));
  const extraFields = keepUnmapped ? keptMapping(rest, named) : {};
  const targets = Object.entries({ ...named, ...extraFields }).filter(
    (pair): pair is [string, string] => pair[1] !== null,
  );
  const mapping = Object.fromEntries(targets);
  const unmappedColumns = columns.filter((column) => !Object.hasOwn(mapping, column));
  return { mapping, suggestedMapping: suggested, unmappedColumns };
}

/** Why two columns may not fill the same field, in a few words; null if they may. */
export type WhyNotBoth = (column: string, before: string) => string | null;

/**
 * Reads a mapping from columns to a lead field, `tags`, `customFields.<key>` or null. The caller's mapping must map a
 * column to `email`. A suggested mapping may have no such column; then each row is refused instead.
 * @throws VALIDATION_FAILED for an unknown field, for two columns that may not map to the same field, or when no column
 * maps to `email`.
 */
export function readMapping(
  mapping: Readonly<Record<string, string | null>>,
  isNamed: boolean,
  whyNotBoth: WhyNotBoth = () => "",
): Mapping {
  const issues: Issue[] = [];
  const targets = new Map<string, Target>();
  const fed = new Map<string, string>();
  for (const [column, named] of Object.entries(mapping)) {
    if (named === null) continue;
    const target = targetOf(named);
    const name = targetName(target);
    const path = `fieldMapping.${column}`;
    if (target === null || name === null)
      issues.push({ path, code: "INVALID_VALUE", message: "must be a field of a lead, customFields.<key> or null" });
    else {
      const before = fed.get(name);
      const why = before === undefined || name === "tags" ? null : whyNotBoth(column, before);
      if (why === null) targets.set(column, target);
      else
        issues.push({
          path,
          code: "DUPLICATE_TARGET",
          message: `maps to ${name}, but another column already maps to it${why}`,
        });
    }
    if (name !== null) fed.set(name, fed.get(name) ?? column);
  }
  if (isNamed && issues.length === 0 && !fed.has("email"))
    issues.push({ path: "fieldMapping", code: "REQUIRED", message: "must map a column to email" });
  if (issues.length > 0)
    throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: issues.slice(0, 100) });
  return targets;
}

/** Declared fields take precedence over usual names that are not lead fields. */
function fieldOfLead(name: string | null): string | null {
  return name?.startsWith("customFields.") === true ? null : name;
}

/**
 * A custom field for each remaining column, up to the most custom fields that a lead may have with those of the mapping.
 * The caller requests this with `keepUnmapped`.
 */
function keptMapping(
  columns: readonly string[],
  mapping: Readonly<Record<string, string | null>>,
): Record<string, string> {
  const usedTargets = new Set(Object.values(mapping).map((target) => plainName(target ?? "")));
  const room = MAX_CUSTOM_KEYS - [...usedTargets].filter((target) => target.startsWith("customfields")).length;
  const extraFields: Record<string, string> = {};
  for (const [at, column] of columns.entries()) {
    if (Object.keys(extraFields).length >= room) break;
    const target = freeTarget(keyOf(column) || `column${at + 1}`, usedTargets);
    usedTargets.add(plainName(target));
    extraFields[column] = target;
  }
  return extraFields;
}

function freeTarget(key: string, usedTargets: ReadonlySet<string>): string {
  for (let more = 1; ; more++) {
    const numbered = more === 1 ? key : `${key.slice(0, 60)}${more}`;
    if (!isBuiltIn(numbered) && !usedTargets.has(plainName(`customFields.${numbered}`)))
      return `customFields.${numbered}`;
  }
}

const BY_NAME = new Map<string, Target>([
  ["email", { kind: "email" }],
  ["tags", { kind: "tags" }],
  ...leadTexts().map((field): [string, Target] => [field.toLowerCase(), { kind: "text", field }]),
]);

function targetOf(name: string): Target | null {
  const custom = CUSTOM.exec(name)?.[1];
  if (custom !== undefined) return { kind: "custom", key: custom };
  return BY_NAME.get(plainName(name)) ?? null;
}

function targetName(target: Target | null): string | null {
  if (target === null) return null;
  if (target.kind === "text") return target.field;
  return target.kind === "custom" ? `customFields.${target.key}` : target.kind;
}
