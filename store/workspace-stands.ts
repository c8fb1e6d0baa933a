import type { Suspension } from "../domain/access/suspension.ts";
import { AppError } from "../domain/errors.ts";
import { Membership } from "../models/access/membership.ts";
import { Workspace } from "../models/access/workspace.ts";
import { User } from "../models/sign-in/user.ts";
import { trusted } from "../mongo/collection.ts";
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

/** The settings on which it depends whether an address can be confirmed. */
export interface ConfirmationSettings {
  allowSignUp: boolean;
  hasSystemMail: boolean;
}

/**
 * Whether a workspace must not send yet, because no owner of it, or of a workspace above it, has confirmed the address
 * (rules/access 2.7).
 */
export async function mustConfirm(
  workspaceId: string,
  { allowSignUp, hasSystemMail }: ConfirmationSettings,
): Promise<boolean> {
  if (!allowSignUp || !hasSystemMail) return false;
  for (let id: string | null = workspaceId; id !== null; id = await findParent(id))
    if (await isUnconfirmed(id)) return true;
  return false;
}

async function isUnconfirmed(workspaceId: string): Promise<boolean> {
  const owners = await Membership.find({ workspaceId, role: "OWNER" }, { userId: 1 }, sessionOption()).lean<
    Pick<Membership, "userId">[]
  >();
  const ids = owners.map(({ userId }) => userId);
  const confirmed = { _id: trusted({ $in: ids }), isUnconfirmed: trusted({ $ne: true }) };
  return ids.length > 0 && (await User.findOne(confirmed, { _id: 1 }, sessionOption()).lean()) === null;
}

async function findParent(workspaceId: string): Promise<string | null> {
  const found = await Workspace.findOne({ _id: workspaceId }, { parentWorkspaceId: 1 }, sessionOption()).lean<
    Pick<Workspace, "parentWorkspaceId">
  >();
  return found?.parentWorkspaceId ?? null;
}
