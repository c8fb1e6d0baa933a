import { type ClaimRequest, claimAddresses, mailPaceOf } from "./claim-conditions.ts";

/** The claims of this process that wait for a transaction. */
export interface ClaimQueue<T> {
  add(one: T): void;
  /** Takes the next group of at most that many claims; empty when none waits. */
  next(most: number): T[];
}

/**
 * Claims that a person waits for come first. Then workspaces take turns, so that the claim of a workspace waits for at
 * most one group of each other workspace (rules/sending 6.2).
 */
export function createClaimQueue<T extends { request: ClaimRequest }>(): ClaimQueue<T> {
  const waiting = new Set<T>();
  /** When each workspace had its last group, as a count of groups. Only of workspaces with waiting claims. */
  const hadTurn = new Map<string, number>();
  let turn = 0;

  const isForPerson = ({ request }: T) => mailPaceOf(request) === "person";

  function firstOfAll(): T | undefined {
    let first: T | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const one of waiting) {
      if (isForPerson(one)) return one;
      const had = hadTurn.get(one.request.send.workspaceId) ?? 0;
      if (had >= earliest) continue;
      first = one;
      earliest = had;
    }
    return first;
  }

  return {
    add(one) {
      waiting.add(one);
    },
    next(most) {
      const first = firstOfAll();
      if (first === undefined) return [];
      const { workspaceId } = first.request.send;
      const ofWorkspace = [...waiting]
        .filter(({ request }) => request.send.workspaceId === workspaceId)
        .toSorted((a, b) => Number(isForPerson(b)) - Number(isForPerson(a)));
      const taken = new Set<string>();
      const group: T[] = [];
      for (const one of ofWorkspace) {
        const { send, mailbox } = one.request;
        const own = [send._id, ...claimAddresses(one.request), mailbox._id, send.recipientId ?? send._id];
        if (own.some((id) => taken.has(id))) continue;
        for (const id of own) taken.add(id);
        waiting.delete(one);
        if (group.push(one) === most) break;
      }
      if (ofWorkspace.length > group.length) hadTurn.set(workspaceId, ++turn);
      else hadTurn.delete(workspaceId);
      return group;
    },
  };
}
