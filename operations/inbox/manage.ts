import { z } from "zod";
import type { Thread } from "../../models/inbox/thread.ts";
import { scoped } from "../../models/scoped.ts";
import { type DocumentChange, type Filter, trusted } from "../../mongo/collection.ts";
import { choice } from "../choice.ts";
import { operation } from "../operation.ts";
import { forgetInbox } from "./forget.ts";

const input = z.strictObject({
  threadIds: z.array(z.string().max(64)).min(1).max(200).describe("1 to 200 conversations"),
});
const Flags = z
  .object({
    id: z.string().describe("The id of the conversation"),
    isArchived: z.boolean().describe("Whether it is archived"),
    isRead: z.boolean().describe("Whether all messages are read"),
    isStarred: z.boolean().describe("Whether it is starred"),
  })
  .meta({ id: "ThreadFlags", description: "The marks of a conversation" });
const output = z.object({
  changed: z.number().int().describe("How many conversations changed"),
  items: z.array(Flags).describe("The marks of each now"),
  notFound: z.array(z.string()).describe("Ids that match no conversation"),
});

function verb(summary: string, unlike: Filter<Thread>, change: DocumentChange<Thread>) {
  return operation({
    summary,
    scope: "inbox:write",
    input,
    output,
    async run({ workspaceId }, { threadIds }) {
      const { Thread } = scoped(workspaceId);
      const wanted = [...new Set(threadIds)];
      const named = { _id: trusted({ $in: wanted }) };
      const changed = await Thread.updateMany({ ...named, ...unlike }, change);
      if (changed > 0) forgetInbox(workspaceId);
      const found = await Thread.find(named, { select: { isArchived: 1, isRead: 1, isStarred: 1 } });
      const byId = new Map(
        found.map(({ _id: id, isArchived, isRead, isStarred }) => [id, { id, isArchived, isRead, isStarred }]),
      );
      return {
        changed,
        items: wanted.flatMap((id) => byId.get(id) ?? []),
        notFound: wanted.filter((id) => !byId.has(id)),
      };
    },
  });
}

/** A thread that someone marks as unread has at least one unread message. */
const UNREAD: DocumentChange<Thread> = [
  { $set: { isRead: false, unreadCount: { $max: ["$unreadCount", 1] }, updatedAt: "$$NOW" } },
];

/** A new message moves an archived thread to the inbox and marks it as unread. */
export const manage = choice("inbox:write", "Archive, mark or star up to 200 threads", {
  archive: verb("Archive threads until a new message arrives", { isArchived: false }, { $set: { isArchived: true } }),
  unarchive: verb("Move archived threads to the inbox", { isArchived: true }, { $set: { isArchived: false } }),
  markRead: verb("Mark threads as read", { isRead: false }, { $set: { isRead: true, unreadCount: 0 } }),
  markUnread: verb("Mark threads as unread", { isRead: true }, UNREAD),
  star: verb("Star threads", { isStarred: false }, { $set: { isStarred: true } }),
  unstar: verb("Remove the star from threads", { isStarred: true }, { $set: { isStarred: false } }),
});
