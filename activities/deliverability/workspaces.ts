import pLimit from "p-limit";
import { Workspace } from "../../models/access/workspace.ts";
import { trusted } from "../../mongo/collection.ts";
import type { Leg } from "../mailboxes/daily-round.ts";

const PAGE = 50;
const AT_ONCE = 5;

/**
 * Returns a part of the daily round that goes through all workspaces. `begin` is called once per round; the function
 * that it returns is called once for each workspace.
 */
export function legOverWorkspaces(begin: () => (workspaceId: string, beat: () => void) => Promise<void>): Leg {
  return async (from, tell) => {
    const work = begin();
    const slots = pLimit(AT_ONCE);
    let [after, seen] = [from, 0];
    for (;;) {
      const page = await workspacesAfter(after);
      const begun = after;
      await Promise.all(page.map(({ _id }) => slots(() => work(_id, () => tell(begun)))));
      seen += page.length;
      after = page.at(-1)?._id ?? after;
      tell(after);
      if (page.length < PAGE) return seen;
    }
  };
}

function workspacesAfter(id: string): Promise<Pick<Workspace, "_id">[]> {
  return Workspace.find({ _id: trusted({ $gt: id }), deletedAt: null }, { _id: 1 })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Pick<Workspace, "_id">[]>()
    .exec();
}
