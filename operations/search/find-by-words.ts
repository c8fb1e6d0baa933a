import { THREAD_INDEX, type Thread } from "../../models/inbox/thread.ts";
import { LEAD_INDEX } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import type { Filter } from "../../mongo/collection.ts";
import { queryOf as threadQueryOf } from "../inbox/filter.ts";
import { queryOf as leadQueryOf } from "../leads/filter.ts";
import type { SearchHit } from "./hit.ts";

/** The most matches that are compared to find the newest. If a word has more, these are the first in its index. */
const MOST_COMPARED = 1_000;

/** The newest leads whose address, domain, name or company has words that begin like those of the search. */
export async function findLeads(workspaceId: string, words: string, limit: number): Promise<SearchHit[]> {
  const { Lead } = scoped(workspaceId);
  const { filter } = await leadQueryOf(workspaceId, { search: words });
  const ids = await Lead.read(filter, { select: { _id: 1 }, limit: MOST_COMPARED, hint: LEAD_INDEX.search });
  const newest = ids.map(({ _id }) => _id).toSorted((one, other) => (one < other ? 1 : -1));
  const select = { email: 1, fullName: 1, firstName: 1, lastName: 1, company: 1, status: 1 } as const;
  const leads = await Lead.read({ _id: { $in: newest.slice(0, limit) } }, { select, sort: { _id: -1 }, hint: "_id_" });
  return leads.map(({ _id, email, fullName, firstName, lastName, company, status }) => {
    const name = fullName || [firstName, lastName].filter((part) => part).join(" ") || null;
    const detail = [name === null ? null : email, company].filter((part) => part).join(" · ");
    return { kind: "LEAD", id: _id, title: name ?? email, detail: detail === "" ? null : detail, state: status };
  });
}

/** The newest conversations with words that begin like those of the search, archived ones included. */
export async function findThreads(workspaceId: string, words: string, limit: number): Promise<SearchHit[]> {
  const { Thread } = scoped(workspaceId);
  const { filter } = await threadQueryOf(workspaceId, { ...ANY_THREAD, search: words });
  const { isArchived: _either, ...anywhere }: Filter<Thread> = filter;
  const by = { select: { lastMessageAt: 1 } as const, limit: MOST_COMPARED, hint: THREAD_INDEX.search };
  const found = await Thread.read(anywhere, by);
  const newest = found.toSorted((one, other) => other.lastMessageAt.getTime() - one.lastMessageAt.getTime());
  const ids = newest.slice(0, limit).map(({ _id }) => _id);
  const select = { subject: 1, participants: 1, lastMessageAt: 1, isArchived: 1 } as const;
  const threads = await Thread.read({ _id: { $in: ids } }, { select, hint: "_id_" });
  return threads
    .toSorted((one, other) => ids.indexOf(one._id) - ids.indexOf(other._id))
    .map(({ _id, subject, participants: [first], isArchived }) => ({
      kind: "THREAD",
      id: _id,
      title: first?.name || first?.address || subject,
      detail: subject === "" ? null : subject,
      state: isArchived ? "ARCHIVED" : null,
    }));
}

const ANY_THREAD = { archived: false, unreadOnly: false, starredOnly: false };
