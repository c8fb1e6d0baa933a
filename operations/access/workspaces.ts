import { Membership } from "../../models/access/membership.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { User } from "../../models/sign-in/user.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { currentSession, inTransaction } from "../../mongo/transaction.ts";
import { createGates } from "../../store/campaigns/gates.ts";

export interface NewWorkspace {
  name: string;
  timezone?: string;
  parentWorkspaceId?: string;
}

/** Creates a workspace with its owner: the person with this address, who is created if needed. */
export function createWorkspace({
  name,
  email,
}: {
  name: string;
  email: string;
}): Promise<{ workspaceId: string; ownerId: string }> {
  return inTransaction(async () => {
    const ownerId = await ensureUser(email);
    return { workspaceId: await openWorkspace({ name }, ownerId), ownerId };
  });
}

/** Creates a workspace for a person, and the gates through which its single emails are sent. */
export function openWorkspace(
  { name, timezone = "UTC", parentWorkspaceId }: NewWorkspace,
  ownerId: string,
): Promise<string> {
  const workspaceId = newId("wsp");
  return inTransaction(async () => {
    const session = { session: currentSession() };
    const owner = await User.findOne({ _id: ownerId }, null, sessionOption()).lean<User>();
    if (owner === null) throw new Error(`There is no person ${ownerId}`);
    const fields = { name, timezone, ownerEmail: owner.email, ownerId, parentWorkspaceId: parentWorkspaceId ?? null };
    await Workspace.insertMany([{ _id: workspaceId, ...fields }], session);
    await Membership.insertMany(
      [{ _id: newId("mbr"), workspaceId, userId: ownerId, role: "OWNER", joinedAt: new Date() }],
      session,
    );
    await createGates(workspaceId, workspaceId, true);
    return workspaceId;
  });
}

/**
 * Returns the id of the person with this address, and creates the person if needed. The first person of a deployment
 * becomes its operator.
 */
export function ensureUser(address: string): Promise<string> {
  const email = address.trim().toLowerCase();
  return inTransaction(async () => {
    const existing = await User.findOne({ email }, { _id: 1 }, sessionOption()).lean<Pick<User, "_id">>();
    if (existing !== null) return existing._id;
    const isFirst = (await User.findOne({}, { _id: 1 }, sessionOption()).lean()) === null;
    const _id = newId("usr");
    await User.insertMany([{ _id, email, isOperator: isFirst }], { session: currentSession() });
    return _id;
  });
}

/** The owner of a workspace, the longest-standing one if there are several; null when there is no such workspace. */
export async function findOwner(workspaceId: string): Promise<string | null> {
  const owners = Membership.findOne({ workspaceId, role: "OWNER" }, { userId: 1 }, sessionOption()).sort({ _id: 1 });
  return (await owners.lean<Pick<Membership, "userId">>())?.userId ?? null;
}

/** Whether a person belongs to a workspace. */
export async function isMember(workspaceId: string, userId: string): Promise<boolean> {
  return (await Membership.findOne({ workspaceId, userId }, { _id: 1 }, sessionOption()).lean()) !== null;
}

/** The name of a workspace. @throws Error when there is no such workspace */
export async function loadWorkspaceName(workspaceId: string): Promise<string> {
  const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  if (workspace === null) throw new Error(`There is no workspace ${workspaceId}`);
  return workspace.name;
}

/** The oldest workspace that was not deleted; null before there is one. */
export async function firstWorkspace(): Promise<string | null> {
  const workspace = await Workspace.findOne({ deletedAt: null }).sort({ _id: 1 }).lean<Workspace>();
  return workspace?._id ?? null;
}
