import { z } from "zod";
import type { BulkAction } from "../../store/leads/bulk-change.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { assertOne, BULK_ERRORS, changeByFilter, forEachLead, IDS_OR_FILTER, orJob, which } from "../leads/bulk.ts";
import { operation } from "../operation.ts";

const input = z.strictObject(which);
const output = orJob(
  z.object({
    suppressed: z.boolean().describe("Whether the leads are now suppressed"),
    matched: z.number().int().describe("Leads that were found"),
    changed: z.number().int().describe("Leads that were changed"),
    notFound: z.array(z.string()).describe("Ids that match no lead"),
  }),
);

const suppress = operation({
  summary:
    "Stop emails to these leads in all campaigns. By ids this takes effect before the call returns; by a filter, as the job progresses",
  scope: "leads:suppress",
  errors: BULK_ERRORS,
  audits: "leads.suppress",
  stops: true,
  input,
  needsOneOf: IDS_OR_FILTER,
  output,
  run: (ctx, asked) => change(ctx, asked, "suppress"),
});

const unsuppress = operation({
  summary: "Allow emails to these leads again. Ended recipients stay ended",
  scope: "leads:suppress",
  errors: BULK_ERRORS,
  audits: "leads.unsuppress",
  stepUp: true,
  effects: { SENDS: true },
  input,
  needsOneOf: IDS_OR_FILTER,
  output,
  run: (ctx, asked) => change(ctx, asked, "unsuppress"),
});

const manage = choice("leads:suppress", "Suppress or unsuppress leads", { suppress, unsuppress });

async function change(ctx: Context, { ids, filter }: z.output<typeof input>, action: "suppress" | "unsuppress") {
  assertOne({ ids, filter }, "ids");
  const bulk: BulkAction = { action };
  if (filter !== undefined) return changeByFilter(ctx, "LEAD_SUPPRESSION", bulk, filter);
  const { matched, changed, notFound } = await forEachLead(ctx, ids ?? [], bulk);
  return { suppressed: action === "suppress", matched, changed, notFound };
}

export const suppressionDeclaration = {
  verbs: {
    "leads.suppress": manage,
  },
  routes: [["post", "/leads/suppress", manage, 200, { after: "post /leads/manage" }]],
  tools: {
    leads: {
      leads_suppress: {
        operation: manage,
        title: "Suppress leads",
        destructive: true,
        idempotent: true,
        when: "After the response, a suppressed lead gets no campaign emails and its sequences are stopped. For an address or domain that is not a lead, use block_list.",
      },
    },
  },
  examples: {
    sending: [
      {
        at: "post /leads/suppress",
        title: "Suppress a lead",
        body: { action: "suppress", ids: [ids.leadId] },
      },
      { at: "post /leads/suppress", title: "Unsuppress a lead", body: { action: "unsuppress", ids: [ids.leadId] } },
    ],
  },
} as const satisfies Declaration;
