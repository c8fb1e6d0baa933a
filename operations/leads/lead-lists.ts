import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { LIST_TYPES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { memberCountOf } from "../../store/campaigns/audience.ts";
import { addLeadsToList, dissolve, removeLeadsFromList } from "../../store/leads/list-members.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { choice } from "../choice.ts";
import { describedIds } from "../described-ids.ts";
import { changing, ids, longText, name, nullable, optionalTime, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { enrols } from "../sending/causes.ts";
import { assertOne, changeByFilter, leadFilter, orJob } from "./bulk.ts";
import { filterRules, filterRulesOf } from "./segments.ts";

const { listId } = describedIds;

const List = record({
  name: z.string().describe("The name"),
  description: nullable(z.string()).describe("A longer note"),
  type: z.enum(LIST_TYPES).describe("STATIC is filled by hand, DYNAMIC by its filter; cannot change"),
  filterRules: nullable(z.record(z.string(), z.unknown())).describe("The filter of a DYNAMIC list"),
  memberCount: z.number().int().describe("How many members the list had at `countedAt`"),
  countedAt: optionalTime.describe("When the members were counted"),
}).meta({ id: "LeadList", description: "A list of leads, filled by hand or by a filter" });
const Members = z
  .object({
    changed: z.number().int().describe("Leads that were added or removed"),
    notFound: z.array(z.string()).describe("Ids that match no lead"),
    list: List.describe("The list as it is now"),
  })
  .meta({ id: "ListMembersChanged", description: "The result of a change of a list's members" });

export const list = operation({
  summary: "List all lead lists with their number of members, newest first; a DYNAMIC list is counted every 15 minutes",
  scope: "lead_lists:read",
  input: z.strictObject({}),
  output: z.array(List),
  async run({ workspaceId }) {
    return scoped(workspaceId).LeadList.find({}, { sort: { _id: -1 } });
  },
});

export const create = operation({
  summary: "Create a lead list: STATIC, or DYNAMIC when it has filter rules",
  scope: "lead_lists:write",
  errors: ["CAMPAIGN_NOT_FOUND", "FILTER_INVALID", "LIMIT_EXCEEDED", "LIST_NOT_FOUND"],
  input: z.strictObject({
    name: name.describe("The name, 1 to 200 characters"),
    description: longText.nullable().optional().describe("A longer note, at most 2,000 characters"),
    type: z.enum(LIST_TYPES).optional().describe("STATIC or DYNAMIC; default DYNAMIC with `filterRules`, else STATIC"),
    filterRules: filterRules.optional().describe("With DYNAMIC: the filter"),
  }),
  output: List,
  async run({ workspaceId }, { name, description = null, type, filterRules }) {
    if (type === "STATIC" && filterRules !== undefined)
      throw invalid("filterRules", "are allowed for DYNAMIC lists only", "TYPE_MISMATCH");
    if (type === "DYNAMIC" && filterRules === undefined)
      throw invalid("filterRules", "are required for a DYNAMIC list", "REQUIRED");
    const content = {
      name,
      description,
      ...(filterRules === undefined ? STATIC : await dynamic(workspaceId, filterRules, "filterRules")),
    };
    const { LeadList } = scoped(workspaceId);
    await refuseBeyondLimit(workspaceId, "leadLists", await LeadList.count());
    return LeadList.insert({
      _id: newId("lst"),
      ...content,
      ...(filterRules === undefined && { countedAt: new Date() }),
    });
  },
});

const STATIC = { type: "STATIC" as const, filterRules: null };

/**
 * The fields that result from validated rules. The members are counted immediately, unless that takes longer than a
 * caller waits.
 */
async function dynamic(workspaceId: string, filterRules: Record<string, unknown>, at: string) {
  const tree = await filterRulesOf(workspaceId, filterRules, at);
  return { type: "DYNAMIC" as const, filterRules, ...(await memberCountOf(workspaceId, tree)) };
}

const update = operation({
  summary: "Rename or describe a lead list, or change the rules of a DYNAMIC one",
  scope: "lead_lists:write",
  errors: ["CAMPAIGN_NOT_FOUND", "FILTER_INVALID", "LIST_NOT_FOUND"],
  effects: { SENDS: enrols },
  input: z
    .strictObject({
      listId,
      input: changing(
        z.strictObject({
          name: name.optional().describe("The name"),
          description: longText.nullable().optional().describe("A longer note; null empties it"),
          filterRules: filterRules.optional().describe("The filter of the list"),
        }),
      ).describe("What to change; fields that you leave out stay the same"),
    })
    .describe("What to change"),
  output: List,
  async run({ workspaceId }, { listId, input: { filterRules, ...input } }) {
    const { LeadList } = scoped(workspaceId);
    const before = (await LeadList.get(listId)) ?? notFound();
    if (filterRules !== undefined && before.type === "STATIC") {
      throw invalid("input.filterRules", "are allowed for DYNAMIC lists only", "TYPE_MISMATCH");
    }
    const rules = filterRules === undefined ? {} : await dynamic(workspaceId, filterRules, "input.filterRules");
    const given = Object.fromEntries(Object.entries({ ...input, ...rules }).filter(([, value]) => value !== undefined));
    return (await LeadList.findOneAndUpdate({ _id: listId }, { $set: given })) ?? notFound();
  },
});

const remove = operation({
  summary: "Delete a lead list. Its leads stay, and so do recipients added from it",
  scope: "lead_lists:write",
  errors: ["LIST_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ listId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { listId }) {
    await inTransaction(async () => {
      const { Campaign, LeadList } = scoped(workspaceId);
      if ((await LeadList.deleteOne({ _id: listId })) === 0) notFound();
      await Campaign.updateMany(
        { audienceListIds: listId },
        { $pull: { audienceListIds: listId }, $inc: { version: 1 } },
      );
    });
    await dissolve(workspaceId, listId);
    return { id: listId, deleted: true as const };
  },
});

const whichMembers = z.strictObject({
  listId,
  leadIds: ids.optional().describe("1 to 1,000 leads"),
  filter: leadFilter
    .optional()
    .describe('Instead of leadIds: the filters of `GET /leads`, or `{"all": true}`. The response is a job'),
});

/**
 * Creates the operation that adds leads to a STATIC list or removes them: immediately by ids, or in a job by filter.
 */
function membersVerb(action: "addMembers" | "removeMembers", summary: string, change: typeof addLeadsToList) {
  return operation({
    summary,
    scope: "lead_lists:write",
    errors: ["LIST_IS_DYNAMIC", "LIST_NOT_FOUND"],
    effects: { SENDS: (ctx) => action === "addMembers" && enrols(ctx) },
    input: whichMembers,
    needsOneOf: ["leadIds", "filter"],
    output: orJob(Members),
    async run(ctx, { listId, leadIds, filter }) {
      const { workspaceId } = ctx;
      assertOne({ ids: leadIds, filter }, "leadIds");
      if (filter !== undefined) {
        await assertStatic(workspaceId, listId);
        return changeByFilter(ctx, "LIST_MEMBERS", { action, listId }, filter);
      }
      return inTransaction(async () => {
        await assertStatic(workspaceId, listId);
        const { known, notFound } = await leadsAmong(workspaceId, leadIds ?? []);
        return { ...(await change(workspaceId, listId, known)), notFound };
      });
    },
  });
}

const addMembers = membersVerb("addMembers", "Add leads to a STATIC list", addLeadsToList);
const removeMembers = membersVerb("removeMembers", "Remove leads from a STATIC list", removeLeadsFromList);

export const moveMembers = operation({
  summary: "Move leads from one STATIC list to another; leads that are not in the first list are skipped",
  scope: "lead_lists:write",
  errors: ["LIST_IS_DYNAMIC", "LIST_NOT_FOUND"],
  effects: { SENDS: enrols },
  input: z.strictObject({
    listId,
    targetListId: listId.describe("The STATIC list to move the leads to"),
    leadIds: ids.describe("1 to 1,000 leads"),
  }),
  output: Members,
  run: ({ workspaceId }, { listId, targetListId, leadIds }) =>
    inTransaction(async () => {
      if (listId === targetListId) throw invalid("targetListId", "must differ from listId");
      await assertStatic(workspaceId, listId);
      await assertStatic(workspaceId, targetListId);
      const { known, notFound } = await leadsAmong(workspaceId, leadIds);
      const inside = await scoped(workspaceId).Lead.find(
        { _id: trusted({ $in: known }), listIds: listId },
        { select: { _id: 1 } },
      );
      const moving = inside.map(({ _id }) => _id);
      const { changed, list } = await removeLeadsFromList(workspaceId, listId, moving);
      await addLeadsToList(workspaceId, targetListId, moving);
      const absent = known.filter((leadId) => !moving.includes(leadId));
      return { changed, list, notFound: [...notFound, ...absent] };
    }),
});

export const manage = choice("lead_lists:write", "Change a lead list or its members", {
  update,
  delete: remove,
  addMembers,
  removeMembers,
});

/** @throws LIST_NOT_FOUND, or LIST_IS_DYNAMIC because the rules of a segment define its members */
export async function assertStatic(workspaceId: string, listId: string): Promise<void> {
  const list = await scoped(workspaceId).LeadList.get(listId);
  if (list === null) notFound();
  else if (list.type !== "STATIC")
    throw new AppError("LIST_IS_DYNAMIC", "The members of a dynamic list follow from its rules");
}

async function leadsAmong(workspaceId: string, leadIds: string[]): Promise<{ known: string[]; notFound: string[] }> {
  const wanted = [...new Set(leadIds)];
  const leads = await scoped(workspaceId).Lead.find({ _id: trusted({ $in: wanted }) }, { select: { _id: 1 } });
  const known = new Set(leads.map(({ _id }) => _id));
  return { known: [...known], notFound: wanted.filter((leadId) => !known.has(leadId)) };
}

function notFound(): never {
  throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
}
