import { ALL_SCOPES } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/api-key.ts";
import { User } from "../../models/user.ts";
import { Workspace } from "../../models/workspace.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_TEXT } from "../../mongo/schema.ts";
import { createPersonLink, UNNAMED } from "../sign-in/links.ts";
import { createKey } from "./api-keys.ts";
import { createWorkspace } from "./workspaces.ts";

/** Returns the first workspace and its owner, and creates them where there is none yet. */
export async function ensureWorkspace(): Promise<{ workspaceId: string; ownerId: string }> {
  const existing = await Workspace.findOne({ deletedAt: null }).sort({ _id: 1 }).lean<Workspace>();
  if (existing) return { workspaceId: existing._id, ownerId: existing.ownerId };
  return createWorkspace({ name: "My workspace", email: UNNAMED });
}

/**
 * Creates a key with every scope if there is no key yet, and returns its text; null when there is one already. If a start was interrupted
 * before it created the key, the next start does.
 */
export async function firstKey(): Promise<string | null> {
  if ((await ApiKey.exists({})) !== null) return null;
  const { workspaceId, ownerId } = await ensureWorkspace();
  return (await createKey({ workspaceId, name: "First key", scopes: ALL_SCOPES, createdBy: ownerId })).key;
}

/** The token of a sign-in link for the first owner while nobody has a password yet; null once somebody has. Each start makes a new one. */
export async function firstLink(): Promise<string | null> {
  const { ownerId } = await ensureWorkspace();
  const hasAny = (await User.findOne({ passwordHash: trusted(IS_TEXT) }, { _id: 1 }).lean()) !== null;
  return hasAny ? null : createPersonLink(ownerId, new Date());
}
