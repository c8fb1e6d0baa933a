import { ALL_SCOPES } from "../domain/scopes.ts";
import { ApiKey } from "../models/api-key.ts";
import { Workspace } from "../models/workspace.ts";
import { createKey } from "./api-keys.ts";
import { createWorkspace } from "./workspaces.ts";

/**
 * A workspace, its owner and a key of every scope, where there are none yet; the key's text, or null when there is one already.
 * A start that was cut before it had made the key is made up for by the next.
 */
export async function firstKey(): Promise<string | null> {
  if ((await ApiKey.exists({})) !== null) return null;
  const existing = await Workspace.findOne({}).lean<Workspace>();
  const { workspaceId, ownerId } = existing
    ? { workspaceId: existing._id, ownerId: existing.ownerId }
    : await createWorkspace({ name: "My workspace", email: "owner@localhost" });
  return (await createKey({ workspaceId, name: "First key", scopes: ALL_SCOPES, createdBy: ownerId })).key;
}
