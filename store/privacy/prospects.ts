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
  ids: string[];
  /** Those that the workspace has listed or revealed. */
  known: KnownProspect[];
  /** Addresses that prospects of several names have, none of them the name of a lead of the person. */
  shared: string[];
}

/**
 * The prospects that are the person with these addresses. Prospects with the same address and different names are
 * different people, for example of an office: then only those with the name of a lead of the person are found.
 */
export async function findProspects(
  workspaceId: string,
  addresses: readonly string[],
  leads: readonly Named[],
): Promise<FoundProspects> {
  const { KnownProspect } = scoped(workspaceId);
  const revealed = await KnownProspect.read({ email: { $in: [...addresses] } }, { maxTimeMs: SEARCH_MS });
  const candidates = [
    ...(await prospectsAt(addresses)),
    ...revealed.map(({ prospectId, email, person }) => ({ id: prospectId, email, name: nameOf(person) })),
  ];
  const names = new Set(leads.map(nameOf));
  const [ids, shared] = [new Set<string>(), new Set<string>()];
  for (const address of addresses) {
    const atAddress = candidates.filter(({ email }) => email === address);
    const isOne = new Set(atAddress.map(({ name }) => name)).size <= 1;
    const theirs = isOne ? atAddress : atAddress.filter(({ name }) => names.has(name));
    for (const { id } of theirs) ids.add(id);
    if (theirs.length < 1 && !isOne) shared.add(address);
  }
  const known = await KnownProspect.read({ prospectId: { $in: [...ids] } }, { maxTimeMs: SEARCH_MS });
  return { ids: [...ids].sort(), known, shared: [...shared] };
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

/** The ids of the prospects of the data set with this address, if all of them have one name; else null. */
export async function findOneAtAddress(address: string): Promise<string[] | null> {
  const found = await prospectsAt([address]);
  return new Set(found.map(({ name }) => name)).size > 1 ? null : found.map(({ id }) => id);
}
