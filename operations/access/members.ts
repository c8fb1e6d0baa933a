import { z } from "zod";
import { ROLES, type Role, scopesOf } from "../../domain/access/roles.ts";
import { AppError } from "../../domain/errors.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { Membership } from "../../models/access/membership.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, pageOf, paging, skipOf, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { isOpenAt } from "../sign-in/portals.ts";
import { sorting } from "../sorting.ts";
import { revokeKey } from "./api-keys.ts";
import { revokeGrantsBeyond } from "./connectors.ts";

const { memberId } = describedIds;

export const role = z.enum(ROLES).describe("OWNER, ADMIN, MEMBER or VIEWER");

const Member = z.object({
  id: memberId,
  userId: z.string().describe("The id of the person: `usr_…`"),
  email: z.string().describe("The address that the person signs in with"),
  name: nullable(z.string()).describe("The name of the person"),
  role: role.describe("The person's role here"),
  joinedAt: time.describe("When the person joined"),
});

const BY = sorting({ joinedAt: "_id" }, "joinedAt");

export const list = operation({
  summary: "List the members of the workspace with their roles, in the order in which they joined",
  scope: "members:read",
  input: z.strictObject({ ...paging, sort: BY.sort }),
  output: pageOf(Member),
  async run({ workspaceId }, { page, pageSize, sort }) {
    const skip = skipOf({ page, pageSize });
    const [rows, total] = await Promise.all([
      Membership.find({ workspaceId })
        .sort({ ...BY.orderOf(sort) })
        .skip(skip)
        .limit(pageSize)
        .lean<Membership[]>(),
      Membership.countDocuments({ workspaceId }),
    ]);
    return { items: await withPeople(rows), total, page, pageSize };
  },
});

const scope = "workspace:write" as const;
const errors = ["MEMBER_NOT_FOUND", "ROLE_NOT_ALLOWED", "LAST_OWNER"] as const;

const updateRole = operation({
  summary: "Change the role of a member. Keys and connectors of the member that exceed the new role end immediately",
  scope,
  errors,
  audits: "members.updateRole",
  stepUp: true,
  input: z.strictObject({
    memberId,
    role: role.describe("The new role; only an owner can give or change the role of owner"),
  }),
  output: Member,
  async run(ctx, { memberId, role }) {
    const [member] = await withPeople([await changeMember(ctx, memberId, role)]);
    if (member === undefined) throw new Error("A member has no user");
    return member;
  },
});

const remove = operation({
  summary: "Remove a member: keys and connectors that the member made end immediately",
  scope,
  errors,
  audits: "members.remove",
  stepUp: true,
  input: z.strictObject({ memberId }),
  output: z.object({ id: memberId, deleted: z.literal(true).describe("It is deleted") }),
  async run(ctx, { memberId }) {
    await changeMember(ctx, memberId, null);
    return { id: memberId, deleted: true as const };
  },
});

export const manage = choice(scope, "Change the role of a member, or remove one", { updateRole, remove });

export interface WorkspaceOfPerson {
  workspaceId: string;
  workspaceName: string;
  role: Role;
  createdAt: Date;
  /** Whether only members with a second factor get in. */
  needsSecondFactor: boolean;
}

/**
 * The workspaces of a person that were not deleted, oldest membership first. With the id of a portal's workspace, only
 * those that its portal opens.
 */
export async function findMemberships(userId: string, portalId: string | null): Promise<WorkspaceOfPerson[]> {
  const rows = await Membership.find({ userId }).sort({ _id: 1 }).lean<Membership[]>();
  const ids = rows.map(({ workspaceId }) => workspaceId);
  const open = await Workspace.find({ _id: trusted({ $in: ids }), deletedAt: null }).lean<Workspace[]>();
  const byId = new Map(open.map((workspace) => [workspace._id, workspace]));
  return rows.flatMap(({ workspaceId, role }) => {
    const found = byId.get(workspaceId);
    if (found === undefined || (portalId !== null && !isOpenAt(portalId, found))) return [];
    const { name: workspaceName, createdAt, needsSecondFactor = false } = found;
    return [{ workspaceId, workspaceName, role, createdAt, needsSecondFactor }];
  });
}

/** The role of a person in a workspace; null for a person who is not a member, and when there is no such workspace. */
export async function findRole(userId: string, workspaceId: string): Promise<Role | null> {
  const row = await Membership.findOne({ workspaceId, userId }, { role: 1 }, sessionOption()).lean<
    Pick<Membership, "role">
  >();
  return row?.role ?? null;
}

/**
 * Changes the role of a member, or removes the member (null), and ends the credentials that exceed the new role, in one
 * transaction. Only an owner changes owners, and one owner must remain. Two concurrent changes conflict when their
 * audit entries write the head of the chain, so they cannot remove each other's last owner.
 */
function changeMember({ workspaceId, userId }: Context, memberId: string, role: Role | null): Promise<Membership> {
  return inTransaction(async () => {
    const member = await Membership.findOne({ _id: memberId, workspaceId }, null, sessionOption()).lean<Membership>();
    if (member === null)
      throw new AppError("MEMBER_NOT_FOUND", "No member of this workspace has this id; `members` lists them");
    await refuseAboveOwnRole(workspaceId, userId, [member.role, role]);
    if (member.role === "OWNER" && role !== "OWNER") await refuseLastOwner(workspaceId);
    const own = { _id: memberId, workspaceId };
    if (role === null) await Membership.deleteOne(own, sessionOption());
    else await Membership.updateOne(own, { $set: { role } }, sessionOption());
    await endCredentialsBeyond(workspaceId, member.userId, role, userId);
    return { ...member, role: role ?? member.role };
  });
}

/** Only an owner grants or removes the role of an owner. @throws AppError ROLE_NOT_ALLOWED */
export async function refuseAboveOwnRole(
  workspaceId: string,
  userId: string,
  roles: readonly (Role | null)[],
): Promise<void> {
  if (!roles.includes("OWNER") || (await findRole(userId, workspaceId)) === "OWNER") return;
  throw new AppError("ROLE_NOT_ALLOWED", "Only an owner makes, changes or removes an owner");
}

async function refuseLastOwner(workspaceId: string): Promise<void> {
  const owners = await Membership.countDocuments({ workspaceId, role: "OWNER" }, sessionOption());
  if (owners === 1) throw new AppError("LAST_OWNER", "A workspace needs an owner: make another member an owner first");
}

async function withPeople(rows: readonly Membership[]): Promise<z.input<typeof Member>[]> {
  const ids = rows.map(({ userId }) => userId);
  const people = await User.find({ _id: trusted({ $in: ids }) }, { email: 1, name: 1 }, sessionOption()).lean<User[]>();
  const byId = new Map(people.map((person) => [person._id, person]));
  return rows.flatMap(({ _id: id, userId, role, joinedAt, createdAt }) => {
    const person = byId.get(userId);
    return person === undefined
      ? []
      : [{ id, userId, email: person.email, name: person.name, role, joinedAt: joinedAt ?? createdAt }];
  });
}

/**
 * Ends the keys and connectors of a person in a workspace that exceed a role, or all of them without a role
 * (rules/access 1.3). Call it in the transaction that changes the role. `by` is the person who changed it.
 */
export async function endCredentialsBeyond(
  workspaceId: string,
  userId: string,
  role: Role | null,
  by: string,
): Promise<void> {
  const roleScopes = new Set<string>(role === null ? [] : scopesOf(role));
  const keys = await ApiKey.find({ workspaceId, createdBy: userId, revokedAt: null }, null, sessionOption()).lean<
    ApiKey[]
  >();
  const exceeding = keys.filter(({ scopes }) => role === null || scopes.some((scope) => !roleScopes.has(scope)));
  for (const { _id } of exceeding) await revokeKey(workspaceId, _id, new Date(), by);
  await revokeGrantsBeyond(workspaceId, userId, role === null ? null : scopesOf(role), { kind: "CONSOLE", id: by });
}
