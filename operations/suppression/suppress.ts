import { z } from "zod";
import type { BulkAction } from "../../store/leads/bulk-change.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { assertOne, BULK_ERRORS, changeByFilter, forEachLead, orJob, which } from "../leads/bulk.ts";
import { operation } from "../operation.ts";

const input = z.strictObject(which);
const output = orJob(
  z.object({
    suppressed: z.boolean().describe("Whether they are suppressed now"),
    matched: z.number().int().describe("Leads that were found"),
    changed: z.number().int().describe("Leads that were changed"),
    notFound: z.array(z.string()).describe("Ids that name no lead"),
  }),
);

const suppress = operation({
  summary:
    "Never write to these leads again, in any campaign. By ids it takes effect before this call returns; by a filter the job's progress tells for how many it has",
  scope: "leads:suppress",
  errors: BULK_ERRORS,
  audits: "leads.suppress",
  stops: true,
  input,
  output,
  run: (ctx, asked) => change(ctx, asked, "suppress"),
});

const unsuppress = operation({
  summary: "Allow mail to these leads again. No recipient is re-opened",
  scope: "leads:suppress",
  errors: BULK_ERRORS,
  audits: "leads.unsuppress",
  stepUp: true,
  effects: { SENDS: true },
  input,
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
        when: "Once it has answered no campaign mail goes to a suppressed lead, and its sequences are stopped. To stop an address or a whole domain that is no lead, block_list.",
      },
    },
  },
  examples: {
    sending: [
      {
        at: "post /leads/suppress",
        title: "Never write to a lead again",
        body: { action: "suppress", ids: [ids.leadId] },
      },
      { at: "post /leads/suppress", title: "Allow it again", body: { action: "unsuppress", ids: [ids.leadId] } },
    ],
  },
} as const satisfies Declaration;
