import { z } from "zod";
import { inTransaction } from "../../mongo/transaction.ts";
import { eraseLead } from "../../store/leads/erase-lead.ts";
import { describedIds } from "../described-ids.ts";
import { operation } from "../operation.ts";
import { Bulk } from "../recipients/record.ts";
import { BULK_ERRORS, changeLeads, IDS_OR_FILTER, orJob, which } from "./bulk.ts";
import { forgetTotals } from "./count-cache.ts";
import { loadLead } from "./record.ts";

const { leadId } = describedIds;

export const remove = operation({
  summary: "Delete a lead and all data about the person. No more emails are sent; a suppression of the address stays",
  scope: "leads:write",
  errors: ["LEAD_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ leadId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { leadId }) {
    await inTransaction(async () => eraseLead(await loadLead(workspaceId, leadId)));
    forgetTotals(workspaceId);
    return { id: leadId, deleted: true as const };
  },
});

export const bulkRemove = operation({
  summary: "Delete leads, as `delete` does",
  scope: "leads:write",
  errors: BULK_ERRORS,
  effects: { DESTROYS: true },
  input: z.strictObject(which),
  needsOneOf: IDS_OR_FILTER,
  output: orJob(Bulk),
  run: (ctx, asked) => changeLeads(ctx, "LEAD_CHANGE", { action: "bulkDelete" }, asked),
});
