import pLimit from "p-limit";
import { maySend } from "../../domain/access/suspension.ts";
import { AppError } from "../../domain/errors.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { trusted } from "../../mongo/collection.ts";
import { goFirst } from "../../mongo/precedence.ts";
import { completeResume, endSuspension, suspendWorkspace } from "../../store/campaigns/kill-switch.ts";
import { findSuspension } from "../../store/workspace-stands.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { AT_SERVER, assertReason, assertWorkspace, type DeedActor, operatorDeed } from "./operator-deed.ts";

/** More at once would only wait for each other. */
const AT_ONCE = 10;

/**
 * Suspends a workspace and its client workspaces (rules/access 7.1). Once this has returned, no email of any of them
 * leaves. Returns how many campaigns it paused.
 * @throws Error when there is no such workspace, or the reason is empty or too long
 */
export async function suspend(workspaceId: string, reason: string, actor: DeedActor = AT_SERVER): Promise<number> {
  const said = assertReason(reason);
  await assertWorkspace(workspaceId);
  const deed = operatorDeed(workspaceId, actor, "workspace.suspend", said);
  const suspension = { by: actor.kind, reason: said, at: new Date() };
  const paused = await goFirst(workspaceId, () =>
    suspendWorkspace(workspaceId, suspension, () => appendAuditEntry(deed, "DONE", null)),
  );
  // Those that are suspended for a reason of their own stay so. A repeated command completes one that was broken off
  const held = { $or: [{ suspension: null }, { "suspension.withWorkspaceId": workspaceId }] };
  const clients = await findClients(workspaceId, held);
  return sum([
    paused,
    ...(await forEach(clients, (clientId) => {
      const deed = operatorDeed(clientId, actor, "workspace.suspend", said);
      return goFirst(clientId, () =>
        suspendWorkspace(clientId, { ...suspension, withWorkspaceId: workspaceId }, () =>
          appendAuditEntry(deed, "DONE", null),
        ),
      );
    })),
  ]);
}

/**
 * Ends a suspension, and those of the clients that came with it: they are as they were before. Its own kill switch, if
 * it is on, stays on. Returns how many campaigns continue. Repeated, it finishes what an earlier call has left undone.
 * @throws AppError WORKSPACE_NOT_FOUND; INVALID_STATE_TRANSITION when it is not suspended and nothing was left undone
 */
export async function endWorkspaceSuspension(
  workspaceId: string,
  reason: string | undefined,
  actor: DeedActor = AT_SERVER,
): Promise<number> {
  await assertWorkspace(workspaceId);
  const said = reason === undefined ? undefined : assertReason(reason);
  const isSuspended = (await findSuspension(workspaceId)) !== null;
  // The workspace itself comes last, so that a repeated command completes one that was broken off
  const clients = await findClients(workspaceId, { "suspension.withWorkspaceId": workspaceId });
  const end = (id: string) => {
    const deed = operatorDeed(id, actor, "workspace.endSuspension", said);
    return endSuspension(id, () => appendAuditEntry(deed, "DONE", null));
  };
  const ended = await forEach(clients, end);
  if (isSuspended) ended.push(await end(workspaceId));
  const sending = await findClients(workspaceId, { suspension: null, isSuspended: false });
  if (await isSending(workspaceId)) sending.push(workspaceId);
  const left = sum(await forEach(sending, (id) => completeResume(id)));
  if (!isSuspended && clients.length === 0 && left === 0)
    throw new AppError("INVALID_STATE_TRANSITION", `The workspace ${workspaceId} is not suspended`, {
      from: "NOT_SUSPENDED",
      action: "resume",
    });
  return sum(ended) + left;
}

async function isSending(workspaceId: string): Promise<boolean> {
  const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  return workspace !== null && maySend(workspace);
}

/** The client workspaces that match, also those of clients. */
async function findClients(workspaceId: string, filter: Record<string, unknown>): Promise<string[]> {
  const found = new Set<string>();
  for (let parents = [workspaceId]; parents.length > 0; ) {
    const below = { parentWorkspaceId: trusted({ $in: parents }), deletedAt: null };
    const children = await Workspace.find(below, { _id: 1 }).lean<{ _id: string }[]>();
    parents = children.map(({ _id }) => _id).filter((id) => !found.has(id));
    for (const id of parents) found.add(id);
  }
  const ids = trusted({ $in: [...found] });
  const matching = await Workspace.find({ ...filter, _id: ids }, { _id: 1 }).lean<{ _id: string }[]>();
  return matching.map(({ _id }) => _id);
}

function forEach(ids: readonly string[], act: (id: string) => Promise<number>): Promise<number[]> {
  const slots = pLimit(AT_ONCE);
  return Promise.all(ids.map((id) => slots(() => act(id))));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
