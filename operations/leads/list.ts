import { z } from "zod";
import { trusted } from "../../models/collection.ts";
import { scoped } from "../../models/scoped.ts";
import { type Paging, pageFrom, pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { assertList, type Filters, filterOf, filters } from "./filter.ts";
import { Lead } from "./record.ts";

export const list = operation({
  summary: "List leads, newest first; search by the beginning of the address, its domain or a word of name and company",
  scope: "leads:read",
  input: z.strictObject({ ...paging, ...filters }),
  output: pageOf(Lead),
  async run({ workspaceId }, { page, pageSize, ...asked }) {
    const listId = onlyList(asked);
    if (listId !== null) return membersPage(workspaceId, listId, { page, pageSize });
    return pageFrom(scoped(workspaceId).Lead, await filterOf(workspaceId, asked), { page, pageSize });
  },
});

function onlyList({ listId, ...others }: Filters): string | null {
  return listId !== undefined && Object.values(others).every((value) => value === undefined) ? listId : null;
}

// A list of 50,000 is read through its own index: naming all of its leads in a filter would take a second
async function membersPage(workspaceId: string, listId: string, paging: Paging) {
  await assertList(workspaceId, listId);
  const { Lead, ListMember } = scoped(workspaceId);
  const members = await pageFrom(ListMember, { listId }, paging, { sort: { leadId: -1 } });
  const leadIds = members.items.map(({ leadId }) => leadId);
  return { ...members, items: await Lead.find({ _id: trusted({ $in: leadIds }) }, { sort: { _id: -1 } }) };
}
