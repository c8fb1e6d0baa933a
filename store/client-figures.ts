import { ROLES } from "../domain/access/roles.ts";
import type { ClientWeek } from "../domain/agency-report.ts";
import { Membership } from "../models/access/membership.ts";
import { Workspace } from "../models/access/workspace.ts";
import { scoped } from "../models/scoped.ts";
import { User } from "../models/sign-in/user.ts";
import { trusted } from "../mongo/collection.ts";

const TOLD = ROLES.filter((role) => role === "OWNER" || role === "ADMIN");

/**
 * Counts of a client workspace from its own records: its active campaigns and mailboxes, and the emails and replies
 * from `from` up to but excluding `to`.
 */
export async function countClient(
  { _id, name }: Pick<Workspace, "_id" | "name">,
  from: Date,
  to: Date | null,
): Promise<ClientWeek> {
  const { Campaign, Mailbox, ActivityEvent } = scoped(_id);
  const within = { at: trusted({ $gte: from, ...(to !== null && { $lt: to }) }) };
  const [activeCampaigns, mailboxes, sent, replied] = await Promise.all([
    Campaign.count({ status: "ACTIVE" }),
    Mailbox.count({ status: "CONNECTED" }),
    ActivityEvent.count({ type: "SENT", ...within }),
    ActivityEvent.count({ type: "REPLIED", ...within }),
  ]);
  return { name, activeCampaigns, mailboxes, sent, replied };
}

/** The client workspaces of a workspace, sorted by id. */
export function listClients(parentWorkspaceId: string): Promise<Pick<Workspace, "_id" | "name">[]> {
  return Workspace.find({ parentWorkspaceId, deletedAt: null }, { name: 1 })
    .sort({ _id: 1 })
    .lean<Pick<Workspace, "_id" | "name">[]>()
    .exec();
}

/** A page of the workspaces that want a weekly report and have not received the one for this week. */
export function findUnreported(week: string, last: string, limit: number): Promise<Workspace[]> {
  const wanting = {
    _id: trusted({ $gt: last }),
    deletedAt: null,
    weeklyReport: true,
    suspension: null,
    reportedWeek: trusted({ $ne: week }),
  };
  return Workspace.find(wanting).sort({ _id: 1 }).limit(limit).lean<Workspace[]>().exec();
}

/** Marks the report of a week as sent. A concurrent second caller gets false and sends nothing. */
export async function takeReport(workspaceId: string, week: string): Promise<boolean> {
  const change = { $set: { reportedWeek: week } };
  return (
    (await Workspace.updateOne({ _id: workspaceId, reportedWeek: trusted({ $ne: week }) }, change)).modifiedCount > 0
  );
}

/** Undoes `takeReport` when nothing was sent, so that the next round tries again. */
export async function returnReport(workspaceId: string, week: string): Promise<void> {
  await Workspace.updateOne({ _id: workspaceId, reportedWeek: week }, { $set: { reportedWeek: null } });
}

/** The addresses of owners and admins. */
export async function loadReported(workspaceId: string): Promise<string[]> {
  const members = await Membership.find({ workspaceId, role: trusted({ $in: TOLD }) }).lean<Membership[]>();
  const users = await User.find({ _id: trusted({ $in: members.map(({ userId }) => userId) }) }, { email: 1 }).lean<
    Pick<User, "email">[]
  >();
  return users.map(({ email }) => email).sort();
}
