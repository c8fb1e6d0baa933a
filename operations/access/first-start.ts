import type { KeyRing } from "../../domain/access/seal.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { keepFirstLink, UNNAMED } from "../sign-in/links.ts";
import { createKey } from "./api-keys.ts";
import { createWorkspace } from "./workspaces.ts";

/** Returns the first workspace and its owner, and creates them if there is no workspace yet. */
export async function ensureWorkspace(): Promise<{ workspaceId: string; ownerId: string }> {
  const existing = await Workspace.findOne({ deletedAt: null }).sort({ _id: 1 }).lean<Workspace>();
  if (existing) return { workspaceId: existing._id, ownerId: existing.ownerId };
  return createWorkspace({ name: "My workspace", email: UNNAMED });
}

/**
 * Creates a key with every scope and returns its text; null when any key exists. If a first start was interrupted
 * before this, the next start creates the key.
 */
export async function firstKey(): Promise<string | null> {
  if ((await ApiKey.exists({})) !== null) return null;
  const { workspaceId, ownerId } = await ensureWorkspace();
  return (await createKey({ workspaceId, name: "First key", scopes: ALL_SCOPES, createdBy: ownerId })).key;
}

/** The sign-in link of the first owner, before the first sign-in. It stays the same until it is used or expires. */
export async function firstLink(ring: KeyRing): Promise<{ token: string; expiresAt: Date }> {
  const { ownerId } = await ensureWorkspace();
  return keepFirstLink(ownerId, ring, new Date());
}
