import { ALL_SCOPES } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/api-key.ts";
import { Workspace } from "../../models/workspace.ts";
import { createKey } from "./api-keys.ts";
import { createWorkspace } from "./workspaces.ts";

/** The first workspace and its owner, made where there is none yet. */
export async function ensureWorkspace(): Promise<{ workspaceId: string; ownerId: string }> {
  const existing = await Workspace.findOne({}).lean<Workspace>();
  if (existing) return { workspaceId: existing._id, ownerId: existing.ownerId };
  return createWorkspace({ name: "My workspace", email: "owner@localhost" });
}

/**
 * A key of every scope, where there is none yet: its text, or null when there is one already. A start that was cut before it had
 * made the key is made up for by the next.
 */
export async function firstKey(): Promise<string | null> {
  if ((await ApiKey.exists({})) !== null) return null;
  const { workspaceId, ownerId } = await ensureWorkspace();
  return (await createKey({ workspaceId, name: "First key", scopes: ALL_SCOPES, createdBy: ownerId })).key;
}
