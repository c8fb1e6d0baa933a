import { sentimentOf } from "../../domain/inbox/category.ts";
import type { Message } from "../../models/message.ts";
import { Workspace } from "../../models/workspace.ts";
import { categorise } from "./categorise.ts";

/** How sure a suggestion must be for the workspace to accept it; null where it accepts none. */
export async function loadAcceptedFrom(workspaceId: string): Promise<number | null> {
  const found = await Workspace.findOne({ _id: workspaceId }, { acceptSuggestedFrom: 1 }).lean<Workspace>();
  return found?.acceptSuggestedFrom ?? null; // workspaces of earlier versions have none
}

/** Who gives a category where the workspace accepts suggestions. */
const BY_SUGGESTION = "suggestion";

/**
 * Gives a reply the category that its words suggest, where the workspace accepts suggestions as sure as this one (rules/states 5.9). Only
 * interest is accepted: everything else that a category does is decided by a person. Call it in the transaction that filed the message.
 */
export async function acceptSuggestion(message: Message, acceptsFrom: number | null): Promise<void> {
  const { threadId, category, suggestion = null, authentication, isDoubtful } = message;
  if (threadId === null || category !== null || suggestion === null) return;
  if (isDoubtful || authentication === "FAIL" || sentimentOf(suggestion.category) !== "POSITIVE") return;
  if (acceptsFrom === null || suggestion.confidence < acceptsFrom) return;
  await categorise({ ...message, threadId }, suggestion.category, BY_SUGGESTION);
}
