import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Message } from "../../models/message.ts";
import { scoped } from "../../models/scoped.ts";
import { nudge } from "../outbox.ts";
import { notePromises } from "./note-promises.ts";
import { loadAgentSettings } from "./settings.ts";

/** What is older was there before anybody looked, such as the first reading of a mailbox. */
const FRESH_MS = 3 * DAY_MS;

/**
 * Notes what a person promises, and asks the agent to look at the mail where a workspace has one. Call it in the transaction that stored
 * the mail, after it was filed: both or neither are kept.
 */
export async function heedReply(message: Message, intent: ReplyIntent): Promise<void> {
  const { workspaceId, _id: messageId, threadId, receivedAt } = message;
  if (threadId === null || receivedAt === null || receivedAt.getTime() < Date.now() - FRESH_MS) return;
  await notePromises(message, intent);
  // What is settled, or only people answer, has its category, and what may be a machine's is no one's to answer by machine (rules/agent 3.3)
  if (message.category !== null || message.isDoubtful) return;
  const { enabled } = await loadAgentSettings(workspaceId);
  if (!enabled) return;
  await scoped(workspaceId).AgentTask.insert({ _id: messageId, threadId });
  await nudge(workspaceId, "AGENT_REPLY", { messageId });
}
