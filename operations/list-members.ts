import { AppError } from "../domain/errors.ts";
import { trusted } from "../models/collection.ts";
import type { LeadList } from "../models/lead-list.ts";
import { scoped } from "../models/scoped.ts";

/** Which of the leads are in the list. */
export async function membersAmong(workspaceId: string, listId: string, leadIds: string[]): Promise<Set<string>> {
  const memberIds = leadIds.map((leadId) => memberId(listId, leadId));
  const members = await scoped(workspaceId).ListMember.find({ _id: trusted({ $in: memberIds }) }, { select: { leadId: 1 } });
  return new Set(members.map(({ leadId }) => leadId));
}

/** Leads that are not in the list join it, and are counted. Call it in the transaction that saw that they are not. @throws LIST_NOT_FOUND */
export async function join(workspaceId: string, listId: string, leadIds: string[]): Promise<LeadList> {
  const { ListMember } = scoped(workspaceId);
  await ListMember.bulk(leadIds.map((leadId) => ({ insert: { _id: memberId(listId, leadId), listId, leadId } })));
  return counted(workspaceId, listId, leadIds.length);
}

/** Members leave the list, and are no longer counted. Call it in a transaction. @throws LIST_NOT_FOUND */
export async function leave(workspaceId: string, listId: string, leadIds: string[]): Promise<LeadList> {
  const memberIds = leadIds.map((leadId) => memberId(listId, leadId));
  const left = await scoped(workspaceId).ListMember.deleteMany({ _id: trusted({ $in: memberIds }) });
  return counted(workspaceId, listId, -left);
}

// Written even when nothing joins, so that a list which is being deleted is noticed
async function counted(workspaceId: string, listId: string, change: number): Promise<LeadList> {
  const list = await scoped(workspaceId).LeadList.findOneAndUpdate(
    { _id: listId },
    { $inc: { memberCount: change }, $set: { countedAt: new Date() } },
  );
  if (list === null) throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
  return list;
}

function memberId(listId: string, leadId: string): string {
  return `${listId}:${leadId}`;
}
