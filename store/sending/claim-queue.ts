import { type ClaimRequest, claimAddresses, mailPaceOf } from "./claim-conditions.ts";

/** The claims of this process that wait for a transaction. */
export interface ClaimQueue<T> {
  add(one: T): void;
  /** Takes the next group of at most that many claims; empty when none waits. */
  next(most: number): T[];
}

/**
 * A group with a claim that a person waits for comes first, but not twice in a row. Otherwise workspaces take turns, so
 * that the claim of a workspace waits for at most one such group of each other workspace (rules/sending 6.2).
 */
export function createClaimQueue<T extends { request: ClaimRequest }>(): ClaimQueue<T> {
  /** The claims of each workspace. The workspace whose turn is next comes first. */
  const waiting = new Map<string, T[]>();
  let wasForPerson = false;
  const isForPerson = ({ request }: T) => mailPaceOf(request) === "person";

  return {
    add(one) {
      const { workspaceId } = one.request.send;
      const own = waiting.get(workspaceId);
      if (own === undefined) waiting.set(workspaceId, [one]);
      else own.push(one);
    },
    next(most) {
      const all = [...waiting];
      const urgent = wasForPerson ? undefined : all.find(([, claims]) => claims.some(isForPerson));
      wasForPerson = urgent !== undefined;
      const [workspaceId, own] = urgent ?? all[0] ?? [];
      if (workspaceId === undefined || own === undefined) return [];
      const taken = new Set<string>();
      const group = new Set<T>();
      for (const one of own.toSorted((a, b) => Number(isForPerson(b)) - Number(isForPerson(a)))) {
        const { send, mailbox } = one.request;
        const documents = [send._id, ...claimAddresses(one.request), mailbox._id, send.recipientId ?? send._id];
        if (documents.some((id) => taken.has(id))) continue;
        for (const id of documents) taken.add(id);
        if (group.add(one).size === most) break;
      }
      const left = own.filter((one) => !group.has(one));
      waiting.delete(workspaceId);
      if (left.length > 0) waiting.set(workspaceId, left);
      return [...group];
    },
  };
}
