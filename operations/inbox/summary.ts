import { z } from "zod";
import { THREAD_INDEX } from "../../models/inbox/thread.ts";
import { scoped } from "../../models/scoped.ts";
import { CostAwareCache } from "../cost-aware-cache.ts";
import { operation } from "../operation.ts";

/** The counts of an inbox with fewer threads than this are not cached. */
const LARGE = 1_000;
const COUNT_MS = 2_000;

const Summary = z
  .object({
    unread: z.number().int().describe("Conversations with unread messages"),
    total: z.number().int().describe("Conversations that are not archived"),
    starred: z.number().int().describe("Starred conversations that are not archived"),
    archived: z.number().int().describe("Archived conversations"),
    categories: z
      .array(
        z.object({
          category: z.string().describe("The category"),
          count: z.number().int().describe("Conversations in it"),
        }),
      )
      .describe("Conversations by category"),
    unreadCount: z.number().int().describe("Unread messages"),
  })
  .meta({ id: "InboxSummary", description: "The counts of the inbox" });
type Threads = ReturnType<typeof scoped>["Thread"];
type Counts = z.output<typeof Summary>;

const kept = new CostAwareCache<Counts>(({ total, archived }) => total + archived >= LARGE);

/** Archived threads count only as `archived`. */
export const summary = operation({
  summary:
    "Count the inbox: unread, starred and all threads, threads by category (all without archived ones), archived threads, and unread messages",
  scope: "inbox:read",
  input: z.strictObject({}),
  output: Summary,
  run: ({ workspaceId }) => kept.of(workspaceId, workspaceId, () => countsOf(workspaceId)),
});

/** Drops the summary of a workspace whose threads this process has changed. */
export function forgetSummary(workspaceId: string): void {
  kept.forget(workspaceId);
}

async function countsOf(workspaceId: string): Promise<Counts> {
  const { Thread } = scoped(workspaceId);
  const here = { isArchived: false };
  const [total, starred, archived, [unread], categories] = await Promise.all([
    Thread.count(here, { hint: THREAD_INDEX.newest }),
    Thread.count({ ...here, isStarred: true }, { hint: THREAD_INDEX.starred }),
    Thread.count({ isArchived: true }, { hint: THREAD_INDEX.newest }),
    grouped<{ threads: number; messages: number }>(workspaceId, THREAD_INDEX.unread, { ...here, isRead: false }, [
      { $group: { _id: null, threads: { $sum: 1 }, messages: { $sum: "$unreadCount" } } },
    ]),
    grouped<{ _id: string; count: number }>(workspaceId, THREAD_INDEX.category, { ...here, category: { $gt: "" } }, [
      { $group: { _id: "$category", count: { $sum: 1 } } },
      { $sort: { count: -1, _id: 1 } },
    ]),
  ]);
  return {
    total,
    starred,
    archived,
    unread: unread?.threads ?? 0,
    unreadCount: unread?.messages ?? 0,
    categories: categories.map(({ _id: category, count }) => ({ category, count })),
  };
}

/** Groups by the keys of one index, without reading the threads. */
async function grouped<R>(
  workspaceId: string,
  hint: string,
  match: Record<string, unknown>,
  stages: Parameters<Threads["walk"]>[1],
) {
  const groups: R[] = [];
  for await (const group of scoped(workspaceId).Thread.walk<R>(match, stages, COUNT_MS, { hint })) groups.push(group);
  return groups;
}
