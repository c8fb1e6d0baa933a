import { foldText } from "../../domain/fold.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { KnownProspect } from "../../models/lead-search/known-prospect.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { SEARCH_MS } from "./search-time.ts";

export type Named = { fullName?: string | null; firstName?: string | null; lastName?: string | null };

export interface FoundProspects {
  /** Those that the workspace has revealed. */
  ids: string[];
  /** Those of the data set that the workspace has not revealed. An erasure deletes them, and nothing shows them. */
  unseenIds: string[];
  /** What the workspace knows of `ids`. */
  known: KnownProspect[];
  /** Addresses that revealed prospects of several names have, none of them the name of a lead of the person. */
  shared: string[];
}

/**
 * The prospects that are the person with these addresses. Prospects with the same address and different names are
 * different people, for example of an office: then only those with the name of a lead of the person are found. What the
 * workspace sees depends only on prospects that it has revealed, so that no request shows who has an address in the
 * data set.
 */
export async function findProspects(
  workspaceId: string,
  addresses: readonly string[],
  leads: readonly Named[],
): Promise<FoundProspects> {
  const { KnownProspect } = scoped(workspaceId);
  const revealed = await KnownProspect.read({ email: { $in: [...addresses] } }, { maxTimeMs: SEARCH_MS });
  const own = revealed.map(({ prospectId, email, person }) => ({ id: prospectId, email, name: nameOf(person) }));
  const stored = await prospectsAt(addresses);
  const ownIds = new Set(own.map(({ id }) => id));
  // A prospect may have got another name after it was revealed
  const seen = [...own, ...stored.filter(({ id }) => ownIds.has(id))];
  const names = new Set(leads.map(nameOf).filter((name) => name !== ""));
  const [ids, unseen, shared] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const address of addresses) {
    const theirs = chooseTheirs(seen, address, names);
    for (const id of theirs ?? []) ids.add(id);
    if (theirs === null) shared.add(address);
    for (const id of chooseTheirs([...own, ...stored], address, names) ?? []) unseen.add(id);
  }
  const known = await KnownProspect.read({ prospectId: { $in: [...ids] } }, { maxTimeMs: SEARCH_MS });
  const unseenIds = [...unseen].filter((id) => !ids.has(id)).sort();
  return { ids: [...ids].sort(), unseenIds, known, shared: [...shared] };
}

/** The ids of the candidates at an address that are the person; null: they are several people, none with these names. */
function chooseTheirs(
  candidates: readonly Candidate[],
  address: string,
  names: ReadonlySet<string>,
): readonly string[] | null {
  const namesById = namesByIdOf(candidates.filter(({ email }) => email === address));
  if (isOnePerson(namesById)) return [...namesById.keys()];
  const theirs = [...namesById].filter(([, own]) => !own.isDisjointFrom(names)).map(([id]) => id);
  return theirs.length === 0 ? null : theirs;
}

/** The names of each candidate. An empty name is unknown, so it is left out. */
function namesByIdOf(candidates: readonly Candidate[]): Map<string, Set<string>> {
  const byId = new Map<string, Set<string>>();
  for (const { id, name } of candidates) {
    const names = byId.get(id) ?? new Set();
    byId.set(id, name === "" ? names : names.add(name));
  }
  return byId;
}

/** Whether nothing says that these are different people: each with a name shares one with another of them. */
function isOnePerson(namesById: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const [first = new Set<string>(), ...others] = [...namesById.values()].filter(({ size }) => size > 0);
  const joined = new Set(first);
  let left = others;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    left = left.filter((names) => {
      if (names.isDisjointFrom(joined)) return true;
      for (const name of names) joined.add(name);
      return false;
    });
  }
  return left.length === 0;
}

interface Candidate {
  id: string;
  email: string | null;
  name: string;
}

/** The prospects of the data set with one of these addresses. */
async function prospectsAt(addresses: readonly string[]): Promise<Candidate[]> {
  const projection = { email: 1, fullName: 1, firstName: 1, lastName: 1 };
  const found = await Prospect.collection
    .find({ email: { $in: [...addresses], $gt: "" } }, { projection, ...sessionOption() })
    .toArray();
  return found.map((stored) => {
    const prospect = stored as unknown as Pick<Prospect, "_id" | "email"> & Named; // ids are texts in every model
    return { id: prospect._id, email: prospect.email, name: nameOf(prospect) };
  });
}

function nameOf({ fullName, firstName, lastName }: Named): string {
  return foldText(fullName?.trim() || `${firstName ?? ""} ${lastName ?? ""}`.trim());
}

/** Whether the data set belongs to a single workspace, because there is no other. */
export async function isDataSetOwn(): Promise<boolean> {
  return (await Workspace.countDocuments({ deletedAt: null }, { limit: 2, ...sessionOption() })) < 2;
}

/**
 * Deletes prospects from the data set. Other prospects with one of the addresses lose the address. Returns how many were
 * deleted and changed. The counts of the data set are estimates, which follow at its next import.
 */
export async function eraseProspects(
  ids: readonly string[],
  addresses: readonly string[],
): Promise<{ deleted: number; changed: number }> {
  const chosen = { _id: trusted({ $in: [...ids] }) };
  const { deletedCount } = await Prospect.deleteMany(chosen, sessionOption());
  const { modifiedCount } = await Prospect.updateMany(
    { email: trusted({ $in: [...addresses], $gt: "" }) },
    { $set: { email: null, hasEmail: false } },
    sessionOption(),
  );
  return { deleted: deletedCount, changed: modifiedCount };
}

/** The ids of the prospects of the data set with this address, unless they have different names; then null. */
export async function findOneAtAddress(address: string): Promise<string[] | null> {
  const namesById = namesByIdOf(await prospectsAt([address]));
  return isOnePerson(namesById) ? [...namesById.keys()] : null;
}
