import { AppError } from "../../domain/errors.ts";
import type { Deed } from "../access/audit.ts";
import { findOwner } from "../access/workspaces.ts";

/** Who acts on a workspace from outside: a person by a command or a page, or the service itself. */
export interface DeedActor {
  kind: "OPERATOR" | "SERVICE";
  id: string;
  /** Where a call from a page came from, and its trace. */
  ip?: string | null;
  traceId?: string | null;
}

/** The actor of the commands; nothing more is known about the person at the server. */
export const AT_SERVER: DeedActor = { kind: "OPERATOR", id: "command" };

export const REASON_CHARACTERS = 500;

/** The reason of an operator, which members of the workspace read. @throws Error when it is empty or too long */
export function assertReason(reason: string): string {
  const said = reason.trim();
  if (said === "" || said.length > REASON_CHARACTERS)
    throw new Error(`The reason must have 1 to ${REASON_CHARACTERS} characters; members of the workspace read it`);
  return said;
}

/** What a workspace's audit log says about an operator's action. */
export function operatorDeed(
  workspaceId: string,
  { kind, id, ip = null, traceId = null }: DeedActor,
  action: string,
  reason?: string,
): Deed {
  const deed = { workspaceId, actor: { kind, id }, action, input: { workspaceId }, ip, traceId };
  return { ...deed, ...(reason !== undefined && { reason }) };
}

/** @throws AppError WORKSPACE_NOT_FOUND */
export async function assertWorkspace(workspaceId: string): Promise<void> {
  if ((await findOwner(workspaceId)) === null)
    throw new AppError("WORKSPACE_NOT_FOUND", `There is no workspace ${workspaceId}`);
}
