import type { Suspension } from "../domain/access/suspension.ts";
import { AppError } from "../domain/errors.ts";
import { Workspace } from "../models/access/workspace.ts";
import { User } from "../models/sign-in/user.ts";
import { sessionOption } from "../mongo/direct.ts";

/**
 * Ends a job whose workspace was deleted, so that nothing is spent or written there any more. @throws AppError
 * WORKSPACE_NOT_FOUND
 */
export async function assertWorkspaceStands(workspaceId: string): Promise<void> {
  if (!(await isStanding(workspaceId))) throw new AppError("WORKSPACE_NOT_FOUND", "The workspace was deleted");
}

/** Whether this workspace exists and was not deleted. */
export async function isStanding(workspaceId: string): Promise<boolean> {
  return (await Workspace.findOne({ _id: workspaceId, deletedAt: null }, { _id: 1 }, sessionOption()).lean()) !== null;
}

/** The suspension of a workspace; null while there is none (rules/access 7.1). */
export async function findSuspension(workspaceId: string): Promise<Suspension | null> {
  const found = await Workspace.findOne({ _id: workspaceId }, { suspension: 1 }, sessionOption()).lean<
    Pick<Workspace, "suspension">
  >();
  return found?.suspension ?? null;
}

/** Whether the person who made a workspace signed up without confirming the address (rules/access 2.7). */
export async function isOwnerUnconfirmed(workspaceId: string): Promise<boolean> {
  const workspace = await Workspace.findOne({ _id: workspaceId }, { ownerId: 1 }, sessionOption()).lean<
    Pick<Workspace, "ownerId">
  >();
  const owner = { _id: workspace?.ownerId ?? "", isUnconfirmed: true };
  return (await User.findOne(owner, { _id: 1 }, sessionOption()).lean()) !== null;
}
