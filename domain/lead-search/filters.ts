import type { ProspectPerson } from "./prospect.ts";

export const PROSPECT_FILTERS = [
  "titles",
  "seniorities",
  "departments",
  "locations",
  "industries",
  "companySizes",
  "companyDomains",
  "keywords",
  "technologies",
] as const;
/** A search for people: a person matches every filter by any of its values. */
export type ProspectFilters = { [filter in (typeof PROSPECT_FILTERS)[number]]?: string[] | undefined };

export const COMPANY_FILTERS = [
  "industries",
  "locations",
  "companySizes",
  "keywords",
  "technologies",
  "domains",
] as const;
export type CompanyFilters = { [filter in (typeof COMPANY_FILTERS)[number]]?: string[] | undefined };

export const LOOKUP_KINDS = [
  "TITLE",
  "SENIORITY",
  "DEPARTMENT",
  "LOCATION",
  "INDUSTRY",
  "COMPANY_SIZE",
  "TECHNOLOGY",
] as const;
export type LookupKind = (typeof LOOKUP_KINDS)[number];

/** The most values of one filter, and words of one keyword. */
export const MOST_VALUES = 500;
const MOST_WORDS = 10;
const MOST_FACETS = 120;

/**
 * The keys by which a person is found: `by` has single values, which every index entry contains next to a facet;
 * `facets` has any number of values.
 */
export interface SearchKeys {
  by: { seniority: string; department: string; size: string; industry: string; country: string };
  facets: string[];
}

/** A text in the form in which values are compared: without case, accents, kinds of dashes and meaningless space. */
export function comparableText(text: string): string {
  const cachedText = compared.get(text);
  if (cachedText !== undefined) return cachedText;
  const found = compare(text);
  if (compared.size >= MOST_COMPARED) compared.clear();
  compared.set(text, found);
  return found;
}

/** A cache, because an import compares the same titles, places and industries many times. */
const compared = new Map<string, string>();
const MOST_COMPARED = 50_000;

function compare(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}+/gu, "");
  return plain
    .toLowerCase()
    .replace(/\p{Pd}/gu, "-")
    .replace(/\s*-\s*/gu, "-")
    .replace(/\s+/gu, " ")
    .trim();
}

/** A domain in the form in which it is compared. A web address keeps only its host. */
export function comparableDomain(text: string): string {
  const [host = ""] = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, "")
    .split(/[/?#:\s]/, 1);
  return host.replace(/^www\./, "").replace(/\.$/, "");
}

export function searchTermsOf(text: string): string[] {
  return [...new Set(comparableText(text).split(/[^\p{L}\p{N}+#]+/u))].filter((word) => word !== "");
}

/** The keys by which a stored person is found. */
export function searchKeysOf(person: Omit<ProspectPerson, "id">): SearchKeys {
  const { title, city, state, country, companyDomain, companyName, industry, technologies, keywords } = person;
  const named = (kind: string, texts: readonly (string | null)[]) =>
    texts.map((text) => comparableText(text ?? "")).flatMap((text) => (text === "" ? [] : [`${kind}:${text}`]));
  const place = city !== null && country !== null ? `${city}, ${country}` : null;
  const words = [title, companyName, industry, ...keywords].flatMap((text) =>
    text === null ? [] : searchTermsOf(text),
  );
  const facets = [
    ...named("t", [title]),
    ...named("l", [city, state, country, place]),
    ...(companyDomain === null ? [] : [`c:${companyDomain}`]),
    ...named("x", technologies),
    ...words.map((word) => `k:${word}`),
  ];
  return {
    by: {
      seniority: comparableText(person.seniority ?? ""),
      department: comparableText(person.department ?? ""),
      size: comparableText(person.companySize ?? ""),
      industry: comparableText(industry ?? ""),
      country: comparableText(country ?? ""),
    },
    facets: [...new Set(facets)].slice(0, MOST_FACETS),
  };
}

/** The keys that a search needs. */
export interface AskedKeys {
  /** For each of these fields, one of the given values must match. */
  by: Partial<Record<keyof SearchKeys["by"], string[]>>;
  /** Each group needs one of its alternatives. An alternative is one facet, or several that must all match. */
  facets: string[][][];
}

/** The keys that the filters of a search for people need. */
export function askedKeysOf(filters: ProspectFilters): AskedKeys {
  const one = (texts: readonly string[] = [], read = comparableText) =>
    [...new Set(texts.map(read))].filter((text) => text !== "");
  const fields = {
    seniority: one(filters.seniorities),
    department: one(filters.departments),
    size: one(filters.companySizes),
    industry: one(filters.industries),
  };
  const by = Object.fromEntries(Object.entries(fields).filter(([, values]) => values.length > 0));
  const group = (kind: string, values: string[]) =>
    values.length === 0 ? [] : [values.map((value) => [`${kind}:${value}`])];
  const words = (filters.keywords ?? [])
    .map((text) => searchTermsOf(text).slice(0, MOST_WORDS))
    .filter((all) => all.length > 0);
  return {
    by,
    facets: [
      ...group("t", one(filters.titles)),
      ...group("l", one(filters.locations)),
      ...group("c", one(filters.companyDomains, comparableDomain)),
      ...group("x", one(filters.technologies)),
      ...(words.length === 0 ? [] : [words.map((all) => all.map((word) => `k:${word}`))]),
    ],
  };
}

/** The facets by which a stored company is found. */
export function companyFacetsOf(company: {
  domain: string;
  name: string | null;
  industry: string | null;
  size: string | null;
  places: readonly string[];
  technologies: readonly string[];
  keywords: readonly string[];
}): string[] {
  const { domain, name, industry, size, places, technologies, keywords } = company;
  const named = (kind: string, texts: readonly (string | null)[]) =>
    texts.map((text) => comparableText(text ?? "")).flatMap((text) => (text === "" ? [] : [`${kind}:${text}`]));
  const words = [name, industry, ...keywords].flatMap((text) => (text === null ? [] : searchTermsOf(text)));
  const facets = [
    `c:${domain}`,
    ...named("i", [industry]),
    ...named("z", [size]),
    ...named("l", places),
    ...named("x", technologies),
    ...words.map((word) => `k:${word}`),
  ];
  return [...new Set(facets)].slice(0, MOST_FACETS);
}

/** The facets that the filters of a search for companies need, in groups as in `AskedKeys`. */
export function companyFacetsAsked(filters: CompanyFilters): string[][][] {
  const { by, facets } = askedKeysOf({
    industries: filters.industries,
    companySizes: filters.companySizes,
    locations: filters.locations,
    companyDomains: filters.domains,
    keywords: filters.keywords,
    technologies: filters.technologies,
  });
  const group = (kind: string, values: string[] = []) =>
    values.length === 0 ? [] : [values.map((value) => [`${kind}:${value}`])];
  return [...group("i", by.industry), ...group("z", by.size), ...facets];
}
