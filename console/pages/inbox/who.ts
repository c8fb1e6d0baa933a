import type { QueryClient } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { inboxWords } from "../../words/en/inbox.ts";
import type { Thread } from "./sorting.ts";

const SHOWN = 3;

/** The participants of a conversation, by name if there is one. */
export function whoOf({ participants }: Pick<Thread, "participants">): string {
  const names = participants.slice(0, SHOWN).map(({ name, address }) => (name === "" ? address : name));
  return names.length === 0 ? inboxWords.nobody : names.join(", ") + (participants.length > SHOWN ? "…" : "");
}

/** The newest inbound email of a conversation that is not open; null if there is none or it cannot be read. */
export async function lastInbound(client: QueryClient, workspaceId: string, threadId: string): Promise<string | null> {
  const input = { threadId };
  const thread = await client
    .fetchQuery({
      queryKey: ["get /inbox/threads/:threadId", workspaceId, `last of ${threadId}`, input],
      queryFn: () => call("get /inbox/threads/:threadId", input, { workspaceId }),
    })
    .catch(() => null);
  return thread?.messages.find(({ direction }) => direction === "INBOUND")?.id ?? null;
}
