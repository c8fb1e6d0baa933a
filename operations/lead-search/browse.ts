import { z } from "zod";
import { LOOKUP_KINDS } from "../../domain/lead-search/filters.ts";
import type { ProspectPerson } from "../../domain/lead-search/prospect.ts";
import { loadKnown } from "../../store/lead-search/known.ts";
import type { Declaration } from "../declaration.ts";
import { nullable, pageOf, paging, skipOf, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { companyFilters, prospectFilters } from "./fields.ts";
import { Prospect, prospectOf } from "./record.ts";
import { SOURCE_ERRORS, sourceOf } from "./source.ts";

const browse = operation({
  summary:
    "Search people by their job and employer. Costs no credits. Contact details are hidden until you reveal them",
  scope: "lead_search:browse",
  errors: SOURCE_ERRORS,
  input: z.strictObject({ filters: prospectFilters, ...paging }),
  output: pageOf(Prospect),
  async run(ctx, { filters, page, pageSize }) {
    skipOf({ page, pageSize });
    const found = await sourceOf(ctx).browse(filters, { page, pageSize });
    return { ...found, items: await asKnown(ctx.workspaceId, found.items), page, pageSize };
  },
});

const Company = z
  .object({
    id: z.string().describe("The id of the company"),
    name: nullable(z.string()).describe("Its name"),
    domain: z.string().describe("The company's domain, for `companyDomains` of a search"),
    industry: nullable(z.string()).describe("Its industry"),
    size: nullable(z.string()).describe("How many people work there"),
    location: nullable(z.string()).describe("Where it is"),
    prospects: z.number().int().describe("How many of its people a search finds"),
  })
  .meta({ id: "ProspectCompany", description: "A company that employs prospects" });

const companies = operation({
  summary: "Search companies, those with the most people first. Costs no credits",
  scope: "lead_search:browse",
  errors: SOURCE_ERRORS,
  input: z.strictObject({ filters: companyFilters, ...paging }),
  output: pageOf(Company),
  async run(ctx, { filters, page, pageSize }) {
    skipOf({ page, pageSize });
    return { ...(await sourceOf(ctx).companies(filters, { page, pageSize })), page, pageSize };
  },
});

const lookups = operation({
  summary: "List the values of a search filter, most frequent first, each with the number of people who have it",
  scope: "lead_search:browse",
  errors: SOURCE_ERRORS,
  input: z.strictObject({
    kind: z.enum(LOOKUP_KINDS).describe("The filter"),
    query: z.string().trim().min(1).max(100).optional().describe("Only values with a word that starts with this"),
    limit: wholeNumber(1, 100).default(20).describe("How many values, 1 to 100. Default 20"),
  }),
  output: z.object({
    kind: z.enum(LOOKUP_KINDS).describe("The filter"),
    items: z
      .array(
        z.object({
          value: z.string().describe("The value to use in the filter"),
          label: z.string().describe("The value as a readable name"),
          count: nullable(z.number().int()).describe("How many people have this value; null if unknown"),
        }),
      )
      .describe("The values"),
  }),
  async run(ctx, { kind, query = null, limit }) {
    return { kind, items: await sourceOf(ctx).lookups(kind, query, limit) };
  },
});

/** Adds to each person what the workspace has already revealed. */
async function asKnown(workspaceId: string, people: readonly ProspectPerson[]): Promise<z.input<typeof Prospect>[]> {
  const known = await loadKnown(
    workspaceId,
    people.map(({ id }) => id),
  );
  return people.map((person) => prospectOf(person, known.get(person.id) ?? null));
}

export const peopleSearchDeclaration = {
  verbs: {
    "leadSearch.browse": browse,
    "leadSearch.listCompanies": companies,
    "leadSearch.listLookups": lookups,
  },
  routes: [
    ["post", "/lead-search/browse", browse],
    ["post", "/lead-search/companies", companies],
    ["get", "/lead-search/lookups", lookups],
  ],
  tools: {
    lead_search: {
      lead_search_browse: {
        operation: browse,
        title: "Search people",
        readOnly: true,
        openWorld: true,
        untrusted: true,
        when: "lead_search_lookups returns values. Returns prospectId.",
      },
      lead_search_companies: {
        operation: companies,
        title: "Search companies",
        readOnly: true,
        openWorld: true,
        untrusted: true,
        when: "Returns domains, which lead_search_browse takes as companyDomains.",
      },
      lead_search_lookups: {
        operation: lookups,
        title: "Search filter values",
        readOnly: true,
        openWorld: true,
        untrusted: true,
        when: "For the filters of lead_search_browse.",
      },
    },
  },
  examples: {
    people: [
      {
        at: "post /lead-search/browse",
        title: "Search sales people in Berlin",
        body: { filters: { titles: ["Head of Sales"], locations: ["Berlin"], companySizes: ["51-200"] } },
      },
      {
        at: "post /lead-search/companies",
        title: "Search companies of an industry",
        body: { filters: { industries: ["Software"], locations: ["Germany"] } },
      },
    ],
  },
} as const satisfies Declaration;
