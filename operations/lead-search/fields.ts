import { z } from "zod";
import { COMPANY_FILTERS, MOST_VALUES, PROSPECT_FILTERS } from "../../domain/lead-search/filters.ts";
import { MOST_CHARACTERS, REVEAL_FIELDS } from "../../domain/lead-search/prospect.ts";

const values = z.array(z.string().trim().min(1).max(MOST_CHARACTERS)).min(1).max(MOST_VALUES).optional();

/** What each filter compares. */
const MEANING: Record<(typeof PROSPECT_FILTERS)[number] | (typeof COMPANY_FILTERS)[number], string> = {
  titles: "Complete job titles, spelled as the lookup of titles returns them",
  seniorities: "Seniorities, spelled as the lookup of seniorities returns them",
  departments: "Departments, spelled as the lookup of departments returns them",
  locations: "Cities, states, countries, or `city, country`",
  industries: "Industries, spelled as the lookup of industries returns them",
  companySizes: "Ranges of the number of employees, as the lookup of company sizes returns them, such as 51-200",
  companyDomains: "Domains of companies",
  keywords: "Words in title, company, industry and keywords: all words of each entry must occur",
  technologies: "Technologies that the company uses, spelled as the lookup of technologies returns them",
  domains: "Domains of companies",
};

export const prospectFilters = z
  .strictObject(
    Object.fromEntries(PROSPECT_FILTERS.map((name) => [name, values.describe(MEANING[name])])) as FilterShape<
      typeof PROSPECT_FILTERS
    >,
  )
  .describe("A match needs every filter, and any value of each; case and accents are ignored. At most 500 values each");

export const companyFilters = z
  .strictObject(
    Object.fromEntries(COMPANY_FILTERS.map((name) => [name, values.describe(MEANING[name])])) as FilterShape<
      typeof COMPANY_FILTERS
    >,
  )
  .describe("A match needs every filter, and any value of each; case and accents are ignored. At most 500 values each");

/** Built from the same names. */
type FilterShape<Names extends readonly string[]> = Record<Names[number], typeof values>;

export const prospectId = z.string().min(1).max(64).describe("The id of the prospect, as a search shows it");
export const prospectIds = z.array(prospectId).min(1).max(200).describe("1 to 200 ids of prospects");
export const fields = z
  .array(z.enum(REVEAL_FIELDS))
  .min(1)
  .max(REVEAL_FIELDS.length)
  .default(["EMAIL"])
  .transform((asked) => REVEAL_FIELDS.filter((field) => asked.includes(field)))
  .describe("The fields to reveal; each value found costs a credit. Default EMAIL");
