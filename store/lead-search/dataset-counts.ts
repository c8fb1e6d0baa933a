import { companyFacetsOf, comparableText, type LookupKind, searchTermsOf } from "../../domain/lead-search/filters.ts";
import { companyIdOf } from "../../domain/lead-search/import-row.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { ProspectCompany } from "../../models/lead-search/prospect-company.ts";
import { ProspectValue } from "../../models/lead-search/prospect-value.ts";

interface CountedValue {
  kind: LookupKind;
  value: string;
  label: string;
  count: number;
}

interface CountedCompany extends Pick<ProspectCompany, "domain" | "name" | "industry" | "size" | "location"> {
  prospects: number;
  places: string[];
  technologies: string[];
  keywords: string[];
}

/**
 * The maximum number of values and companies that wait in memory, about 300 MB. Above that number they are written.
 * Writing them after every page would make companies as expensive as people.
 */
const MOST_WAITING = 500_000;
const AT_ONCE = 2_000;

/**
 * Counts how many people have each value and work at each company. The counts are collected while people are written,
 * and stored at the end.
 */
export class DatasetCounts {
  readonly #values = new Map<string, CountedValue>();
  readonly #companies = new Map<string, CountedCompany>();

  /** `by` is 1 for a person who was added to the data set, -1 for one who was removed or replaced. */
  add(person: Prospect, by: 1 | -1): void {
    for (const [kind, label] of lookupValuesOf(person)) {
      const value = comparableText(label);
      if (value === "") continue;
      const id = `${kind}:${value}`;
      const entry = this.#values.get(id);
      if (entry === undefined) this.#values.set(id, { kind, value, label, count: by });
      else entry.count += by;
    }
    this.#addCompany(person, by);
  }

  async flushWhenLarge(): Promise<void> {
    if (this.#values.size + this.#companies.size >= MOST_WAITING) await this.flush();
  }

  async flush(): Promise<void> {
    await inPages([...this.#values], async (page) => {
      await ProspectValue.collection.bulkWrite(page.map(valueWrite) as never, { ordered: false }); // Ids are strings in every model
    });
    await inPages([...this.#companies.values()], async (page) => {
      await ProspectCompany.collection.bulkWrite(page.map(companyWrite) as never, { ordered: false }); // as above
    });
    this.#values.clear();
    this.#companies.clear();
  }

  /** Counts all people again. */
  async recount(): Promise<void> {
    this.#values.clear();
    this.#companies.clear();
    await ProspectValue.collection.deleteMany({});
    await ProspectCompany.collection.deleteMany({});
    for await (const person of Prospect.collection.find({}, { projection: { email: 0, phone: 0, facets: 0, by: 0 } })) {
      this.add(person as unknown as Prospect, 1); // typed as any document
      await this.flushWhenLarge();
    }
    await this.flush();
  }

  #addCompany(person: Prospect, by: 1 | -1): void {
    const {
      companyDomain: domain,
      companyName: name,
      industry,
      companySize: size,
      city,
      state,
      country,
      technologies,
      keywords,
    } = person;
    if (domain === null) return;
    const company = this.#companies.get(domain);
    if (company !== undefined) {
      company.prospects += by;
      return;
    }
    const location = [city, country].filter((part) => part !== null).join(", ") || null;
    const places = [city, state, country, location].filter((part) => part !== null);
    this.#companies.set(domain, {
      domain,
      name,
      industry,
      size,
      location,
      prospects: by,
      places,
      technologies,
      keywords,
    });
  }
}

function* lookupValuesOf(person: Prospect): Generator<[LookupKind, string]> {
  const { title, seniority, department, city, state, country, industry, companySize, technologies } = person;
  if (title !== null) yield ["TITLE", title];
  if (seniority !== null) yield ["SENIORITY", seniority];
  if (department !== null) yield ["DEPARTMENT", department];
  if (industry !== null) yield ["INDUSTRY", industry];
  if (companySize !== null) yield ["COMPANY_SIZE", companySize];
  // Each place counts once, even when a city has the same name as its state
  const places = new Map(
    [city, state, country].flatMap((place) => (place === null ? [] : [[comparableText(place), place]])),
  );
  for (const place of places.values()) yield ["LOCATION", place];
  if (city !== null && country !== null) yield ["LOCATION", `${city}, ${country}`];
  for (const technology of new Map(technologies.map((one) => [comparableText(one), one])).values())
    yield ["TECHNOLOGY", technology];
}

function valueWrite([_id, { kind, value, label, count }]: [string, CountedValue]) {
  const now = new Date();
  const $setOnInsert = { kind, value, label, words: searchTermsOf(label), createdAt: now };
  return {
    updateOne: { filter: { _id }, update: { $inc: { count }, $set: { updatedAt: now }, $setOnInsert }, upsert: true },
  };
}

/** A company keeps the details from the first person who named it. The number of its people is counted. */
function companyWrite(company: CountedCompany) {
  const { domain, name, industry, size, location, prospects } = company;
  const now = new Date();
  const $setOnInsert = { domain, name, industry, size, location, facets: companyFacetsOf(company), createdAt: now };
  const update = { $inc: { prospects }, $set: { updatedAt: now }, $setOnInsert };
  return { updateOne: { filter: { _id: companyIdOf(domain) }, update, upsert: true } };
}

async function inPages<T>(all: T[], write: (page: T[]) => Promise<void>): Promise<void> {
  for (let start = 0; start < all.length; start += AT_ONCE) await write(all.slice(start, start + AT_ONCE));
}
