import { AppError } from "../../domain/errors.ts";
import { Workspace } from "../../models/workspace.ts";
import { sessionOption } from "../../mongo/direct.ts";

/** A job of a workspace that was deleted meanwhile ends: nothing is spent or written there any more. @throws AppError WORKSPACE_NOT_FOUND */
export async function assertWorkspaceStands(workspaceId: string): Promise<void> {
  const found = await Workspace.findOne({ _id: workspaceId, deletedAt: null }, { _id: 1 }, sessionOption()).lean<{ _id: string }>();
  if (found === null) throw new AppError("WORKSPACE_NOT_FOUND", "The workspace was deleted");
}
