import { Workspace } from "../../models/workspace.ts";
import { newId } from "../../mongo/ids.ts";
import { currentSession, inTransaction } from "../../mongo/transaction.ts";
import { createGates } from "../../store/campaigns/gates.ts";

/** Creates a workspace, its owner's id and the gates of its mail without a campaign. */
export async function createWorkspace({ name, email }: { name: string; email: string }): Promise<{ workspaceId: string; ownerId: string }> {
  const workspaceId = newId("wsp");
  const ownerId = newId("usr");
  await inTransaction(async () => {
    await Workspace.insertMany([{ _id: workspaceId, name, ownerEmail: email.trim().toLowerCase(), ownerId }], {
      session: currentSession(),
    });
    await createGates(workspaceId, workspaceId, true);
  });
  return { workspaceId, ownerId };
}

/** The owner of a workspace; null when there is no such workspace. */
export async function findOwner(workspaceId: string): Promise<string | null> {
  const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  return workspace?.ownerId ?? null;
}

/** Whether a user belongs to a workspace: only its owner does, until workspaces have members. */
export async function isMember(workspaceId: string, userId: string): Promise<boolean> {
  return (await findOwner(workspaceId)) === userId;
}

/** The name of a workspace. @throws Error when there is no such workspace */
export async function loadWorkspaceName(workspaceId: string): Promise<string> {
  const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  if (workspace === null) throw new Error(`There is no workspace ${workspaceId}`);
  return workspace.name;
}

/** The oldest workspace of the installation; null before there is one. */
export async function firstWorkspace(): Promise<string | null> {
  const workspace = await Workspace.findOne({}).sort({ _id: 1 }).lean<Workspace>();
  return workspace?._id ?? null;
}
