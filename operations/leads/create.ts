import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { applyLeadChange, blankLead } from "../../domain/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { countUse } from "../../store/daily-caps.ts";
import { checkLeadChange } from "../../store/leads/declared-fields.ts";
import { newLead } from "../../store/leads/new-lead.ts";
import { emit } from "../../store/outbox.ts";
import { lockGuardReasons } from "../../store/suppression/suppress.ts";
import { address } from "../address.ts";
import { actorOf } from "../context.ts";
import { operation } from "../operation.ts";
import { enrols } from "../sending/causes.ts";
import { changeOf, leadOf } from "./content.ts";
import { Lead } from "./record.ts";

const own = {
  email: address.describe("The address"),
  source: z.string().max(200).optional().describe("Where the lead came from, at most 200 characters"),
};

export const create = operation({
  summary: "Create a lead. Properties that are not listed become custom fields",
  scope: "leads:write",
  errors: ["LEAD_ALREADY_EXISTS", "LIMIT_EXCEEDED"],
  effects: { SENDS: enrols },
  input: leadOf(own),
  output: Lead,
  async run(ctx, input) {
    const { workspaceId, credentialId, kind } = ctx;
    const { address, domain } = input.email;
    const content = applyLeadChange(
      blankLead(address, domain),
      await checkLeadChange(workspaceId, changeOf(input, own), "customFields"),
    );
    return inTransaction(async () => {
      const { Lead } = scoped(workspaceId);
      const existing = await Lead.findOne({ email: address }, { select: { _id: 1 } });
      if (existing !== null)
        throw new AppError("LEAD_ALREADY_EXISTS", "A lead with this address exists", { leadId: existing._id });
      await countUse(workspaceId, "IMPORTED_ROWS", 1, "email");
      const reasons = await lockGuardReasons(workspaceId, address);
      const source = input.source ?? "API";
      const createdFrom = {
        kind: kind === "CONSOLE" ? ("MANUAL" as const) : ("API" as const),
        actor: actorOf(ctx),
        name: null,
        id: null,
      };
      const lead = await Lead.insert(newLead(content, reasons, { ...createdFrom, source, at: new Date() }));
      await emit(workspaceId, { type: "LEAD_CREATED", leadId: lead._id, actor: credentialId, data: { source } });
      return lead;
    });
  },
});
