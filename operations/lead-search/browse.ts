import { z } from "zod";
import { LOOKUP_KINDS } from "../../domain/lead-search/filters.ts";
import type { ProspectPerson } from "../../domain/lead-search/prospect.ts";
import { loadKnown } from "../../store/lead-search/known.ts";
import { nullable, pageOf, paging, skipOf, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { companyFilters, prospectFilters } from "./fields.ts";
import { Prospect, prospectOf } from "./record.ts";
import { SOURCE_ERRORS, sourceOf } from "./source.ts";

export const browse = operation({
  summary:
    "Search people by what they do and where they work. It costs no credits and shows nothing to reach them by before that is revealed",
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
    domain: z.string().describe("Its domain, by which people are searched"),
    industry: nullable(z.string()).describe("Its industry"),
    size: nullable(z.string()).describe("How many people work there"),
    location: nullable(z.string()).describe("Where it is"),
    prospects: z.number().int().describe("How many people of it a search finds"),
  })
  .meta({ id: "ProspectCompany", description: "A company where prospects work" });

export const companies = operation({
  summary: "Search companies, those with most people first. It costs no credits",
  scope: "lead_search:browse",
  errors: SOURCE_ERRORS,
  input: z.strictObject({ filters: companyFilters, ...paging }),
  output: pageOf(Company),
  async run(ctx, { filters, page, pageSize }) {
    skipOf({ page, pageSize });
    return { ...(await sourceOf(ctx).companies(filters, { page, pageSize })), page, pageSize };
  },
});

export const lookups = operation({
  summary: "The values that a filter of the search knows, the most frequent first, each with how many people have it",
  scope: "lead_search:browse",
  errors: SOURCE_ERRORS,
  input: z.strictObject({
    kind: z.enum(LOOKUP_KINDS).describe("Of which filter"),
    query: z.string().trim().min(1).max(100).optional().describe("Only values with words that begin so"),
    limit: wholeNumber(1, 100).default(20).describe("How many, 1 to 100. Default 20"),
  }),
  output: z.object({
    kind: z.enum(LOOKUP_KINDS).describe("Of which filter"),
    items: z
      .array(
        z.object({
          value: z.string().describe("What the filter takes"),
          label: z.string().describe("The same as it is written"),
          count: nullable(z.number().int()).describe("How many people have it; null where the source does not say"),
        }),
      )
      .describe("The values"),
  }),
  async run(ctx, { kind, query = null, limit }) {
    return { kind, items: await sourceOf(ctx).lookups(kind, query, limit) };
  },
});

/** People with what the workspace has revealed of them. */
async function asKnown(workspaceId: string, people: readonly ProspectPerson[]): Promise<z.input<typeof Prospect>[]> {
  const known = await loadKnown(
    workspaceId,
    people.map(({ id }) => id),
  );
  return people.map((person) => prospectOf(person, known.get(person.id) ?? null));
}
