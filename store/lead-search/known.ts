import { AppError } from "../../domain/errors.ts";
import { type ProspectPerson, statusBefore } from "../../domain/lead-search/prospect.ts";
import type { KnownProspect } from "../../models/lead-search/known-prospect.ts";
import type { SearchList } from "../../models/lead-search/search-list.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { currentSession, inTransaction } from "../../mongo/transaction.ts";

/** The maximum number of people in a list. */
export const MOST_ITEMS = 50_000;
const TRIES = 5;

/** What a workspace has stored about these people, by prospect id. */
export async function loadKnown(
  workspaceId: string,
  prospectIds: readonly string[],
): Promise<Map<string, KnownProspect>> {
  const found = await scoped(workspaceId).KnownProspect.read({ prospectId: { $in: [...prospectIds] } });
  return new Map(found.map((person) => [person.prospectId, person]));
}

/** Stores people for the workspace, unless they are already stored. Call it in a transaction of `whileKnowing`. */
export async function rememberPeople(
  workspaceId: string,
  people: readonly ProspectPerson[],
): Promise<Map<string, KnownProspect>> {
  const peopleById = await loadKnown(
    workspaceId,
    people.map(({ id }) => id),
  );
  const fresh = [...new Map(people.map((person) => [person.id, person])).values()].filter(
    ({ id }) => !peopleById.has(id),
  );
  if (fresh.length === 0) return peopleById;
  await scoped(workspaceId).KnownProspect.storeAll(
    fresh.map((person) => ({
      _id: newId("kpr"),
      prospectId: person.id,
      person,
      emailStatus: statusBefore(person.hasEmail),
      phoneStatus: statusBefore(person.hasPhone),
    })),
  );
  return loadKnown(
    workspaceId,
    people.map(({ id }) => id),
  );
}

/**
 * Runs a transaction that may insert people. If another transaction inserts the same people at the same time, it is
 * repeated.
 */
export async function whileKnowing<T>(work: () => Promise<T>): Promise<T> {
  for (let again = 1; ; again++) {
    try {
      return await inTransaction(work);
    } catch (error) {
      if (!isDuplicateKey(error) || again >= TRIES || currentSession() !== null) throw error;
    }
  }
}

/**
 * Adds people to a list. Call it in a transaction of `whileKnowing`. @throws AppError LIST_NOT_FOUND, LIMIT_EXCEEDED
 */
export async function addToList(
  workspaceId: string,
  listId: string,
  people: readonly ProspectPerson[],
): Promise<{ added: number; alreadyPresent: number; list: SearchList }> {
  await changeItemCount(workspaceId, listId, 0);
  const peopleById = await rememberPeople(workspaceId, people);
  const outside = [...peopleById.values()].filter(({ listIds }) => !listIds.includes(listId)).map(({ _id }) => _id);
  const { KnownProspect } = scoped(workspaceId);
  const added = await KnownProspect.updateMany({ _id: trusted({ $in: outside }) }, { $addToSet: { listIds: listId } });
  return { added, alreadyPresent: peopleById.size - added, list: await changeItemCount(workspaceId, listId, added) };
}

/**
 * Removes people from a list. Their revealed values are kept. Call it in a transaction. @throws AppError LIST_NOT_FOUND
 */
export async function removeFromList(
  workspaceId: string,
  listId: string,
  prospectIds: readonly string[],
): Promise<{ removed: number; list: SearchList }> {
  const inside = { prospectId: trusted({ $in: [...prospectIds] }), listIds: listId };
  const removed = await scoped(workspaceId).KnownProspect.updateMany(inside, { $pull: { listIds: listId } });
  return { removed, list: await changeItemCount(workspaceId, listId, -removed) };
}

/**
 * Copies or moves people who are in the first list to the second one. Call it in a transaction. @throws AppError
 * LIST_NOT_FOUND, LIMIT_EXCEEDED
 */
export async function copyItems(
  workspaceId: string,
  { fromListId, toListId, isMove }: { fromListId: string; toListId: string; isMove: boolean },
  prospectIds: readonly string[],
): Promise<{ copied: number; alreadyPresent: number; removedFromSource: number }> {
  const { KnownProspect } = scoped(workspaceId);
  await changeItemCount(workspaceId, fromListId, 0);
  const found = await KnownProspect.read(
    { prospectId: { $in: [...prospectIds] }, listIds: fromListId },
    { select: { _id: 1, listIds: 1 } },
  );
  const outside = found.filter(({ listIds }) => !listIds.includes(toListId)).map(({ _id }) => _id);
  const copied = await KnownProspect.updateMany(
    { _id: trusted({ $in: outside }) },
    { $addToSet: { listIds: toListId } },
  );
  await changeItemCount(workspaceId, toListId, copied);
  const inside = { _id: trusted({ $in: found.map(({ _id }) => _id) }), listIds: fromListId };
  const removed = isMove ? await KnownProspect.updateMany(inside, { $pull: { listIds: fromListId } }) : 0;
  if (removed > 0) await changeItemCount(workspaceId, fromListId, -removed);
  return { copied, alreadyPresent: found.length - copied, removedFromSource: removed };
}

/**
 * Changes the item count of a list. It writes even when the count does not change, so that two concurrent changes of a
 * list conflict. @throws AppError LIST_NOT_FOUND, LIMIT_EXCEEDED
 */
async function changeItemCount(workspaceId: string, listId: string, change: number): Promise<SearchList> {
  const list = await scoped(workspaceId).SearchList.findOneAndUpdate({ _id: listId }, { $inc: { itemCount: change } });
  if (list === null) throw new AppError("LIST_NOT_FOUND", "No prospect list has this id");
  if (change > 0 && list.itemCount > MOST_ITEMS) {
    throw new AppError("LIMIT_EXCEEDED", `A list has at most ${MOST_ITEMS} people`, { limit: MOST_ITEMS });
  }
  return list;
}
