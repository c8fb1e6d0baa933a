import { goFirst } from "../../mongo/precedence.ts";
import { endSuspension, suspendWorkspace } from "../../store/campaigns/kill-switch.ts";
import { findSuspension } from "../../store/workspace-stands.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { AT_SERVER, assertReason, assertWorkspace, type DeedActor, operatorDeed } from "./operator-deed.ts";

/**
 * Suspends a workspace (rules/access 7.1). Once this has returned, no email of the workspace leaves. Returns how many
 * campaigns it paused.
 * @throws Error when there is no such workspace, or the reason is empty or too long
 */
export async function suspend(workspaceId: string, reason: string, actor: DeedActor = AT_SERVER): Promise<number> {
  const said = assertReason(reason);
  await assertWorkspace(workspaceId);
  const deed = operatorDeed(workspaceId, actor, "workspace.suspend", said);
  return goFirst(workspaceId, () =>
    suspendWorkspace(workspaceId, { by: actor.kind, reason: said, at: new Date() }, () =>
      appendAuditEntry(deed, "DONE", null),
    ),
  );
}

/**
 * Ends a suspension: the workspace is as it was before. Its own kill switch, if it is on, stays on. Returns how many
 * campaigns continue.
 * @throws Error when there is no such workspace, or it is not suspended
 */
export async function endWorkspaceSuspension(
  workspaceId: string,
  reason: string | undefined,
  actor: DeedActor = AT_SERVER,
): Promise<number> {
  await assertWorkspace(workspaceId);
  if ((await findSuspension(workspaceId)) === null) throw new Error(`The workspace ${workspaceId} is not suspended`);
  const said = reason === undefined ? undefined : assertReason(reason);
  const deed = operatorDeed(workspaceId, actor, "workspace.endSuspension", said);
  return endSuspension(workspaceId, () => appendAuditEntry(deed, "DONE", null));
}
