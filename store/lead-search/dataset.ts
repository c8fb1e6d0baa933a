import {
  type AskedKeys,
  askedKeysOf,
  type CompanyFilters,
  companyFacetsAsked,
  type LookupKind,
  type ProspectFilters,
  searchTermsOf,
} from "../../domain/lead-search/filters.ts";
import type { Company, Contact, ProspectPerson } from "../../domain/lead-search/prospect.ts";
import type { Lookup } from "../../domain/lead-search/source.ts";
import { PROSPECT_INDEX, Prospect } from "../../models/lead-search/prospect.ts";
import { ProspectCompany } from "../../models/lead-search/prospect-company.ts";
import { ProspectValue } from "../../models/lead-search/prospect-value.ts";
import { READ_LIMIT_MS, sessionOption } from "../../mongo/direct.ts";

/**
 * A search in the form in which the database runs it. The index defines the order of the results, so pages of the same
 * search do not overlap.
 */
export interface DatasetQuery {
  filter: Record<string, unknown>;
  hint: string;
  /** Equal for equal searches. */
  key: string;
}

interface Reading {
  skip: number;
  limit: number;
}

/** The assumed number of people for a facet without a stored count: `k` is a word of a keyword, `c` a company. */
const GUESSED: Readonly<Record<string, number>> = { k: 50_000, c: 50 };
const KINDS: Readonly<Record<string, LookupKind>> = { t: "TITLE", l: "LOCATION", x: "TECHNOLOGY" };
/** Fields that must not be read before a reveal, and fields that only serve to find people. */
const UNSHOWN = { email: 0, phone: 0, by: 0, facets: 0, createdAt: 0, updatedAt: 0 } as const;

/** Whether an operator has imported a data set. */
export async function hasDataset(): Promise<boolean> {
  return (await Prospect.collection.findOne({}, { projection: { _id: 1 }, ...sessionOption() })) !== null;
}

/**
 * The query for these people. The index finds the facets of the rarest group, together with the fields of which a
 * person has one value, because both are in the same index keys. Other groups are compared in the documents
 * (rules/lead-search 2.3).
 */
export async function queryFor(filters: ProspectFilters): Promise<DatasetQuery> {
  const keys = askedKeysOf(filters);
  const by = Object.fromEntries(Object.entries(keys.by).map(([name, values]) => [`by.${name}`, anyOf(values)]));
  const key = JSON.stringify([by, keys.facets]);
  if (keys.facets.length === 0)
    return { filter: by, hint: Object.keys(by).length === 0 ? "_id_" : PROSPECT_INDEX.by, key };
  const [lead = [], ...others] = await rarestFirst(keys.facets);
  const compared = others.map((group) => ({ $or: group.map((all) => ({ $setIsSubset: [all, "$facets"] })) }));
  const filter = { ...facetFilter(lead), ...by, ...(compared.length > 0 && { $expr: { $and: compared } }) };
  return { filter, hint: PROSPECT_INDEX.facets, key };
}

/** A page of people, without email addresses and phone numbers. */
export async function readPeople({ filter, hint }: DatasetQuery, { skip, limit }: Reading): Promise<ProspectPerson[]> {
  const options = { projection: UNSHOWN, hint, skip, limit, maxTimeMS: READ_LIMIT_MS, ...sessionOption() };
  return (await Prospect.collection.find(filter, options).toArray()).map((found) =>
    personOf(found as unknown as Prospect),
  ); // typed as any document
}

/** How many people match, at most `limit` if given. */
export function countPeople(
  { filter, hint }: DatasetQuery,
  { limit, maxTimeMs }: { limit?: number; maxTimeMs: number },
): Promise<number> {
  const by = { hint, maxTimeMS: maxTimeMs, ...(limit !== undefined && { limit }), ...sessionOption() };
  return Prospect.collection.countDocuments(filter, by);
}

/** Estimates how many people match, as if the filters were independent of each other. */
export async function estimatePeople(filters: ProspectFilters): Promise<number> {
  const keys = askedKeysOf(filters);
  const all = await Prospect.estimatedDocumentCount();
  if (all === 0) return 0;
  const counts = await loadTokenCounts(tokensOf(keys));
  const share = (tokens: string[]) =>
    Math.min(1, tokens.reduce((sum, token) => sum + (counts.get(token) ?? 0), 0) / all);
  const ofGroups = keys.facets.map((group) => share(group.flatMap((all) => all.map(tokenOfFacet))));
  const ofValues = Object.entries(keys.by).map(([name, values]) =>
    share(values.map((value) => tokenOfValue(name, value))),
  );
  return Math.max(1, Math.round(all * [...ofGroups, ...ofValues].reduce((product, one) => product * one, 1)));
}

/** Those of these people that exist, without email addresses and phone numbers. */
export async function findPeople(prospectIds: readonly string[]): Promise<ProspectPerson[]> {
  const found = await Prospect.collection
    .find(withIds(prospectIds), { projection: UNSHOWN, maxTimeMS: READ_LIMIT_MS, ...sessionOption() })
    .toArray();
  return found.map((one) => personOf(one as unknown as Prospect)); // typed as any document
}

/** The email addresses and phone numbers of those of these people that exist. */
export async function loadContacts(
  prospectIds: readonly string[],
): Promise<Map<string, { person: ProspectPerson; contact: Required<Contact> }>> {
  const found = await Prospect.collection
    .find(withIds(prospectIds), { projection: { by: 0, facets: 0 }, ...sessionOption() })
    .toArray();
  return new Map(
    found.map((one) => {
      const prospect = one as unknown as Prospect; // typed as any document
      return [prospect._id, { person: personOf(prospect), contact: { email: prospect.email, phone: prospect.phone } }];
    }),
  );
}

/** A page of companies, those with the most people first. */
export async function readCompanies(filters: CompanyFilters, { skip, limit }: Reading): Promise<Company[]> {
  const options = {
    sort: { prospects: -1, _id: 1 } as const,
    skip,
    limit,
    maxTimeMS: READ_LIMIT_MS,
    ...sessionOption(),
  };
  const found = await ProspectCompany.collection.find(companiesAsked(filters), options).toArray();
  return found.map((one) => companyOf(one as unknown as ProspectCompany)); // typed as any document
}

export function countCompanies(filters: CompanyFilters, maxTimeMs: number): Promise<number> {
  return ProspectCompany.collection.countDocuments(companiesAsked(filters), {
    maxTimeMS: maxTimeMs,
    ...sessionOption(),
  });
}

export function estimateCompanies(): Promise<number> {
  return ProspectCompany.estimatedDocumentCount();
}

/** The values of a kind, the most frequent first. Each word of the query must be a prefix of a word of the value. */
export async function readValues(kind: LookupKind, query: string | null, limit: number): Promise<Lookup[]> {
  const words = searchTermsOf(query ?? "").map((word) => ({ words: { $gte: word, $lt: `${word}\u{10ffff}` } }));
  const begun = words.map(({ words }) => ({ words: { $elemMatch: words } }));
  const filter = { kind, count: { $gt: 0 }, ...(begun.length > 0 && { $and: begun }) };
  const options = { sort: { count: -1, value: 1 } as const, limit, maxTimeMS: READ_LIMIT_MS, ...sessionOption() };
  const found = await ProspectValue.collection.find(filter, options).toArray();
  return found.map((one) => {
    const { value, label, count } = one as unknown as ProspectValue; // typed as any document
    return { value, label, count };
  });
}

function companiesAsked(filters: CompanyFilters): Record<string, unknown> {
  const groups = companyFacetsAsked(filters).map(facetFilter);
  return groups.length === 0 ? {} : { $and: groups };
}

/**
 * A filter for documents with at least one of these alternatives. An alternative is one facet, or several facets that
 * must all be present.
 */
function facetFilter(group: string[][]): Record<string, unknown> {
  const single = group.flatMap((all) => (all.length === 1 ? all : []));
  const several = group.filter((all) => all.length > 1).map((all) => ({ facets: { $all: all } }));
  if (several.length === 0) return { facets: anyOf(single) };
  return single.length === 0 && several[0] !== undefined && several.length === 1
    ? several[0]
    : { $or: [...several, ...(single.length > 0 ? [{ facets: anyOf(single) }] : [])] };
}

async function rarestFirst(groups: string[][][]): Promise<string[][][]> {
  if (groups.length < 2) return groups;
  const counts = await loadTokenCounts(groups.flatMap((group) => group.flatMap((all) => all.map(tokenOfFacet))));
  const countOf = (facet: string) => GUESSED[facet.slice(0, 1)] ?? counts.get(tokenOfFacet(facet)) ?? 0;
  const sizeOf = (group: string[][]) => group.reduce((sum, all) => sum + Math.min(...all.map(countOf)), 0);
  return groups.toSorted((one, other) => sizeOf(one) - sizeOf(other));
}

async function loadTokenCounts(tokens: readonly string[]): Promise<Map<string, number>> {
  const filter = { _id: { $in: [...new Set(tokens)] } } as unknown as Record<string, unknown>; // Ids are strings in every model
  const found = await ProspectValue.collection
    .find(filter, { projection: { count: 1 }, maxTimeMS: READ_LIMIT_MS })
    .toArray();
  return new Map(found.map(({ _id, count }) => [String(_id), Number(count)]));
}

function tokensOf({ by, facets }: AskedKeys): string[] {
  return [
    ...facets.flatMap((group) => group.flatMap((all) => all.map(tokenOfFacet))),
    ...Object.entries(by).flatMap(([name, values]) => values.map((value) => tokenOfValue(name, value))),
  ];
}

/** The id of the document that stores the count of a facet. */
function tokenOfFacet(facet: string): string {
  return `${KINDS[facet.slice(0, 1)] ?? ""}:${facet.slice(2)}`;
}

const FIELD_KINDS: Readonly<Record<string, LookupKind>> = {
  seniority: "SENIORITY",
  department: "DEPARTMENT",
  size: "COMPANY_SIZE",
  industry: "INDUSTRY",
  country: "LOCATION",
};

function tokenOfValue(name: string, value: string): string {
  return `${FIELD_KINDS[name] ?? ""}:${value}`;
}

function withIds(prospectIds: readonly string[]): Record<string, unknown> {
  return { _id: { $in: [...prospectIds] } };
}

function anyOf(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : { $in: values };
}

function personOf({
  _id: id,
  email: _,
  phone: __,
  by: ___,
  facets: ____,
  createdAt: _____,
  updatedAt: ______,
  ...person
}: Prospect): ProspectPerson {
  return { id, ...person };
}

function companyOf({ _id: id, name, domain, industry, size, location, prospects }: ProspectCompany): Company {
  return { id, name, domain, industry, size, location, prospects };
}
