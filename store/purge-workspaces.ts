import { PURGED_AFTER_MS } from "../domain/access/workspace-limits.ts";
import { ApiKey } from "../models/api-key.ts";
import { Membership } from "../models/membership.ts";
import { scoped } from "../models/scoped.ts";
import { WarmupMail } from "../models/warmup-mail.ts";
import { Workspace } from "../models/workspace.ts";
import { trusted } from "../mongo/collection.ts";
import { IS_INSTANT } from "../mongo/schema.ts";

/** What outlives a workspace: its chain of deeds, which is kept two years (rules/security 6.1). */
const KEPT = ["AuditEntry", "AuditHead"];

/**
 * Deletes what is left of one workspace that was deleted 30 days ago. A process that dies in the middle leaves the workspace itself, so the
 * next one goes on. Returns whether there was one.
 */
export async function purgeDeletedWorkspace(now: Date): Promise<boolean> {
  const due = { $and: [{ deletedAt: trusted(IS_INSTANT) }, { deletedAt: trusted({ $lt: new Date(now.getTime() - PURGED_AFTER_MS) }) }] };
  const workspace = await Workspace.findOne(due, { _id: 1 }).sort({ deletedAt: 1 }).lean<Pick<Workspace, "_id">>();
  if (workspace === null) return false;
  const { _id: workspaceId } = workspace;
  for (const [name, documents] of Object.entries(scoped(workspaceId))) if (!KEPT.includes(name)) await documents.deleteMany({});
  // A warmup mail belongs to two workspaces: the other one has its own counts of it
  await WarmupMail.deleteMany({ fromWorkspaceId: workspaceId });
  await WarmupMail.deleteMany({ toWorkspaceId: workspaceId });
  await Membership.deleteMany({ workspaceId });
  await ApiKey.deleteMany({ workspaceId });
  await Workspace.deleteOne({ _id: workspaceId });
  return true;
}
