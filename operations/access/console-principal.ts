import { KEY_POLICY } from "../../domain/access/policy.ts";
import { scopesOf } from "../../domain/access/roles.ts";
import { AppError } from "../../domain/errors.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Session } from "../../models/sign-in/session.ts";
import { User } from "../../models/sign-in/user.ts";
import type { Principal } from "../context.ts";
import { isOpenAt } from "../sign-in/portals.ts";
import { findRole } from "./members.ts";

/** The principal of a signed-in person without a workspace: it has no access to any workspace data. */
export function principalOfPerson({ sessionId, userId }: Session): Principal {
  return {
    credentialId: sessionId,
    kind: "CONSOLE",
    workspaceId: "",
    userId,
    scopes: new Set(),
    name: "Console",
    policy: KEY_POLICY,
  };
}

/**
 * The principal of a person in a workspace, with the current scopes of their role.
 * @throws AppError WORKSPACE_NOT_FOUND for a person who is not a member or whose portal does not open the workspace,
 * SECOND_FACTOR_REQUIRED when the workspace requires one
 */
export async function principalIn(workspaceId: string, session: Session): Promise<Principal> {
  const [role, workspace] = await Promise.all([
    findRole(session.userId, workspaceId),
    Workspace.findOne({ _id: workspaceId, deletedAt: null }).lean<Workspace>(),
  ]);
  if (role === null || workspace === null) throw unknownHere();
  const portalId = session.portalId ?? null;
  if (portalId !== null && !isOpenAt(portalId, workspace)) throw unknownHere();
  if (workspace.needsSecondFactor) await refuseWithoutFactor(session.userId);
  return { ...principalOfPerson(session), workspaceId, scopes: new Set(scopesOf(role)) };
}

function unknownHere(): AppError {
  return new AppError("WORKSPACE_NOT_FOUND", "You are not a member of this workspace");
}

async function refuseWithoutFactor(userId: string): Promise<void> {
  const person = await User.findOne({ _id: userId }, { totp: 1, passkeys: 1 }).lean<Pick<User, "totp" | "passkeys">>();
  if (person !== null && (person.totp !== null || person.passkeys.length > 0)) return;
  throw new AppError(
    "SECOND_FACTOR_REQUIRED",
    "This workspace requires a second factor: set one up first with POST /second-factor",
  );
}
