import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { leadStatusesBelow } from "../../domain/states.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { emit } from "../../store/outbox.ts";
import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds, EXAMPLE_IDS as ids } from "../described-ids.ts";
import { name, nullable, optionalTime, record } from "../fields.ts";
import { operation } from "../operation.ts";

const { dealId, leadId } = describedIds;

const SHOWN = 1_000;

const Deal = record({
  leadId,
  name: z.string().describe("The name"),
  stage: z.string().describe("The stage: NEW, QUALIFIED, MEETING, PROPOSAL, WON, LOST, or a name of your own"),
  amountCents: nullable(z.number().int()).describe("The value in hundredths of the currency"),
  currency: z.string().describe("The currency, ISO 4217"),
  closedAt: optionalTime.describe("When the deal was won or lost"),
}).meta({ id: "Deal", description: "A possible sale to a lead" });

const list = operation({
  summary: "List the newest 1,000 deals of the workspace, or of one lead if `leadId` is set",
  scope: "deals:read",
  errors: ["LEAD_NOT_FOUND"],
  input: z.strictObject({ leadId: leadId.optional() }),
  output: z.array(Deal),
  async run({ workspaceId }, { leadId }) {
    if (leadId !== undefined) await leadOf(workspaceId, leadId);
    return scoped(workspaceId).Deal.find(leadId === undefined ? {} : { leadId }, { sort: { _id: -1 }, limit: SHOWN });
  },
});

const create = operation({
  summary:
    "Add a deal to a lead, in the currency of the workspace. The stages WON and LOST close it and set the lead's status",
  scope: "deals:write",
  errors: ["LEAD_NOT_FOUND"],
  input: z.strictObject({
    leadId,
    name: name.describe("The name, 1 to 200 characters"),
    stage: z.string().min(1).max(200).default("NEW").describe("The stage; WON and LOST close the deal. Default NEW"),
    amountCents: z
      .number()
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .default(null)
      .describe("The value in hundredths of the workspace's currency"),
  }),
  output: Deal,
  async run({ workspaceId, credentialId: actor }, { leadId, name, stage, amountCents }) {
    return inTransaction(async () => {
      // Writes to the lead, so that creating a deal conflicts with a concurrent deletion of the lead
      if (!(await scoped(workspaceId).Lead.touch(leadId))) throw unknownLead();
      const closes = stage === "WON" || stage === "LOST";
      const deal = await scoped(workspaceId).Deal.insert({
        _id: newId("deal"),
        leadId,
        name,
        stage,
        amountCents,
        currency: await currencyOf(workspaceId),
        closedAt: closes ? new Date() : null,
      });
      await emit(workspaceId, {
        type: "DEAL_ADDED",
        leadId,
        actor,
        data: { dealId: deal._id, name, stage, amountCents },
      });
      if (closes) await moveLead(workspaceId, leadId, stage, actor);
      return deal;
    });
  },
});

const remove = operation({
  summary: "Delete a deal. Its lead keeps its status",
  scope: "deals:write",
  errors: ["DEAL_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ dealId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { dealId }) {
    if ((await scoped(workspaceId).Deal.deleteOne({ _id: dealId })) === 0)
      throw new AppError("DEAL_NOT_FOUND", "No deal has this id");
    return { id: dealId, deleted: true as const };
  },
});

async function leadOf(workspaceId: string, leadId: string): Promise<void> {
  const lead = await scoped(workspaceId).Lead.findOne({ _id: leadId }, { select: { _id: 1 } });
  if (lead === null) throw unknownLead();
}

function unknownLead(): AppError {
  return new AppError("LEAD_NOT_FOUND", "No lead has this id");
}

/** The currency of a workspace. Workspaces created before this field get the default. */
async function currencyOf(workspaceId: string): Promise<string> {
  const workspace = await Workspace.findById(workspaceId, { currency: 1 }).lean<Partial<Workspace>>();
  return workspace?.currency ?? "USD";
}

/** Raises the lead's status; automatic changes never lower it (rules/states 4.1). */
async function moveLead(workspaceId: string, leadId: string, to: "WON" | "LOST", actor: string): Promise<void> {
  const { Lead } = scoped(workspaceId);
  const before = await Lead.findOne({ _id: leadId }, { select: { status: 1 } });
  const below = { _id: leadId, status: trusted({ $in: leadStatusesBelow(to) }) };
  if (before === null || (await Lead.updateOne(below, { $set: { status: to } })) === 0) return;
  await emit(workspaceId, { type: "STATUS_CHANGED", leadId, actor, data: { from: before.status, to } });
}

export const dealsDeclaration = {
  verbs: {
    "deals.list": list,
    "deals.create": create,
    "deals.delete": remove,
  },
  routes: [
    ["get", "/deals", list],
    ["post", "/deals", create, 201],
    ["post", "/deals/:dealId/delete", remove],
  ],
  tools: {
    lists: {
      deals: {
        operation: choice("deals:read", "Read, create or delete deals", { list, create, delete: remove }, "list"),
        title: "Deals",
        destructive: true,
        paged: true,
        when: "The value of a possible sale to a lead, in cents, and its stage. leads_search returns the leadId; deleting a deal is permanent.",
      },
    },
  },
  examples: {
    people: [
      {
        at: "post /deals",
        title: "Create a deal",
        body: { leadId: ids.leadId, name: "Pilot", stage: "QUALIFIED", amountCents: 250_000 },
      },
      { at: "post /deals/:dealId/delete", title: "Plan a deletion", body: { planOnly: true } },
    ],
  },
} as const satisfies Declaration;
