import { AppError } from "../../domain/errors.ts";
import type { LeadList } from "../../models/leads/lead-list.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/**
 * Adds leads to a STATIC list, and counts those that were not in it before. Call it in a transaction. @throws
 * LIST_NOT_FOUND
 */
export async function addLeadsToList(
  workspaceId: string,
  listId: string,
  leadIds: string[],
): Promise<{ changed: number; list: LeadList }> {
  const outside = { _id: trusted({ $in: leadIds }), listIds: trusted({ $ne: listId }) };
  const changed = await scoped(workspaceId).Lead.updateMany(outside, { $addToSet: { listIds: listId } });
  return { changed, list: await changeMemberCount(workspaceId, listId, changed) };
}

/**
 * Removes leads from a STATIC list and counts those that were in it. Call it in a transaction. @throws LIST_NOT_FOUND
 */
export async function removeLeadsFromList(
  workspaceId: string,
  listId: string,
  leadIds: string[],
): Promise<{ changed: number; list: LeadList }> {
  const inside = { _id: trusted({ $in: leadIds }), listIds: listId };
  const changed = await scoped(workspaceId).Lead.updateMany(inside, { $pull: { listIds: listId } });
  return { changed, list: await changeMemberCount(workspaceId, listId, -changed) };
}

/**
 * Changes the member count of a list. It writes even when the count does not change, so that it conflicts with a
 * deletion of the list. @throws LIST_NOT_FOUND
 */
export async function changeMemberCount(workspaceId: string, listId: string, change: number): Promise<LeadList> {
  const counts = { $inc: { memberCount: change, touches: 1 }, $set: { countedAt: new Date() } };
  const list = await scoped(workspaceId).LeadList.findOneAndUpdate({ _id: listId }, counts);
  if (list === null) throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
  return list;
}

/** Lowers the member counts of those of the lists that still exist, after members were deleted. */
export async function lowerMemberCounts(workspaceId: string, listIds: readonly string[], by: number): Promise<void> {
  const counts = { $inc: { memberCount: -by }, $set: { countedAt: new Date() } };
  await scoped(workspaceId).LeadList.updateMany({ _id: trusted({ $in: [...listIds] }), type: "STATIC" }, counts);
}

const PAGE = 1_000;

/** Removes all leads from a deleted list, page by page, because one transaction cannot change 50,000. */
export async function dissolve(workspaceId: string, listId: string): Promise<void> {
  const { Lead } = scoped(workspaceId);
  for (;;) {
    const members = await Lead.find({ listIds: listId }, { select: { _id: 1 }, limit: PAGE });
    if (members.length === 0) return;
    await Lead.updateMany({ _id: trusted({ $in: members.map(({ _id }) => _id) }) }, { $pull: { listIds: listId } });
  }
}
