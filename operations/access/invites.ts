import { z } from "zod";
import { ROLES } from "../../domain/access/roles.ts";
import { AppError } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Invite as StoredInvite } from "../../models/access/invite.ts";
import { Membership } from "../../models/access/membership.ts";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { mustConfirm } from "../../store/workspace-stands.ts";
import { address } from "../address.ts";
import { choice } from "../choice.ts";
import type { Context } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { pageFrom, pageOf, paging, record, time } from "../fields.ts";
import { startJob } from "../jobs.ts";
import { operation } from "../operation.ts";
import { createInviteLink } from "../sign-in/links.ts";
import { signInPlace } from "../sign-in/portals.ts";
import { BY_CREATION } from "../sorting.ts";
import { refuseAboveOwnRole, role } from "./members.ts";
import { loadWorkspaceName } from "./workspaces.ts";

const { inviteId } = describedIds;

const INVITED_MS = 7 * DAY_MS;
const INVITED_ROLES = ROLES.filter((one) => one !== "OWNER");

const fields = {
  email: z.string().describe("The address of the invited person"),
  role: role.describe("The role that they get when they join"),
  status: z
    .enum(["PENDING", "ACCEPTED", "REVOKED", "EXPIRED"])
    .describe("PENDING: the link is valid. EXPIRED: no one used it in time"),
  expiresAt: time.describe("When the link expires"),
};
const Invite = record(fields).meta({ id: "Invite", description: "An invitation into the workspace" });
const inviteUrl = z.string().describe("The link, shown only once: anyone who opens it can join as the invited person");
const isMailed = z
  .boolean()
  .describe(
    "Whether the link will be emailed; false without SYSTEM_SMTP_URL, or while no owner has confirmed the address: send it to the person yourself",
  );
const WithLink = record({ ...fields, inviteUrl, isMailed }).meta({
  id: "InviteWithLink",
  description: "An invitation and its link",
});

export const list = operation({
  summary: "List the invites of the workspace, newest first",
  scope: "members:read",
  input: z.strictObject({ ...paging, sort: BY_CREATION.sort }),
  output: pageOf(Invite),
  async run({ workspaceId }, { sort, ...paging }) {
    const page = await pageFrom(scoped(workspaceId).Invite, {}, paging, { sort: BY_CREATION.orderOf(sort) });
    return { ...page, items: page.items.map(view) };
  },
});

const scope = "workspace:write" as const;

const create = operation({
  summary: "Invite a person by email address. The response has the link, which is valid for seven days",
  scope,
  errors: ["MEMBER_ALREADY_EXISTS", "INVITE_ALREADY_EXISTS", "LIMIT_EXCEEDED"],
  audits: "invites.create",
  stepUp: true,
  showsOnce: ["inviteUrl"],
  effects: { DISCLOSES: true },
  input: z.strictObject({
    email: address.describe("The address of the person"),
    role: z.enum(INVITED_ROLES).describe("ADMIN, MEMBER or VIEWER; an owner can make a member an owner later"),
  }),
  output: WithLink,
  async run(ctx, { email: { address: email }, role }) {
    const made = await inTransaction(async () => {
      const { workspaceId, userId } = ctx;
      await refuseAboveOwnRole(workspaceId, userId, [role]);
      await refuseMember(workspaceId, email);
      const { Invite } = scoped(workspaceId);
      const expired = { email, state: "PENDING", expiresAt: { $lte: new Date() } };
      for (const row of await Invite.read(expired))
        await Invite.updateOne({ _id: row._id }, { $set: { state: "REVOKED" } });
      await refuseFull(workspaceId);
      const fresh = { email, role, state: "PENDING" as const, expiresAt: inDays(), invitedBy: userId };
      const invite = await Invite.insert({ _id: newId("inv"), ...fresh }).catch((err: unknown) => {
        throw isDuplicateKey(err)
          ? new AppError("INVITE_ALREADY_EXISTS", "This address has an open invite: `resend` it")
          : err;
      });
      return withLink(ctx, invite);
    });
    return { ...made, isMailed: await mailLink(ctx, made) };
  },
});

const resend = operation({
  summary: "Make a new link for an invite, valid for seven days; the earlier link stops working",
  scope,
  errors: ["INVITE_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  audits: "invites.resend",
  stepUp: true,
  showsOnce: ["inviteUrl"],
  input: z.strictObject({ inviteId }),
  output: WithLink,
  async run(ctx, { inviteId }) {
    const made = await inTransaction(async () => {
      await refuseClosed(ctx.workspaceId, inviteId);
      const { Invite } = scoped(ctx.workspaceId);
      await Invite.updateOne({ _id: inviteId }, { $set: { expiresAt: inDays() } });
      return withLink(ctx, await loadInvite(ctx.workspaceId, inviteId));
    });
    return { ...made, isMailed: await mailLink(ctx, made) };
  },
});

const revoke = operation({
  summary: "Revoke an invite: its link stops working",
  scope,
  errors: ["INVITE_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  audits: "invites.revoke",
  stepUp: true,
  input: z.strictObject({ inviteId }),
  output: Invite,
  run: ({ workspaceId }, { inviteId }) =>
    inTransaction(async () => {
      const invite = await loadInvite(workspaceId, inviteId);
      if (invite.state === "REVOKED") return view(invite);
      await refuseClosed(workspaceId, inviteId);
      await scoped(workspaceId).Invite.updateOne({ _id: inviteId }, { $set: { state: "REVOKED" } });
      return view(await loadInvite(workspaceId, inviteId));
    }),
});

export const manage = choice(scope, "Invite a person, renew the link of an invite, or revoke one", {
  create,
  resend,
  revoke,
});

/**
 * Starts a job that emails the link. Returns false while Temporal is unreachable, or the workspace may not send yet
 * (rules/access 2.7); then the person who invited must pass the link on.
 */
async function mailLink(
  ctx: Context,
  { email, inviteUrl, expiresAt }: { email: string; inviteUrl: string; expiresAt: Date },
): Promise<boolean> {
  const { settings } = ctx.services;
  if (!settings.hasSystemMail || (await mustConfirm(ctx.workspaceId, settings))) return false;
  const workspace = await loadWorkspaceName(ctx.workspaceId);
  const { name } = await signInPlace(settings.publicUrl, ctx.workspaceId);
  const until = expiresAt.toISOString().slice(0, 10);
  const text = `You are invited to ${workspace} in ${name}.\n\nOpen this link before ${until} to join:\n${inviteUrl}\n\nIf you do not know ${workspace}, ignore this email.\n`;
  const row = { to: email, subject: `Invitation to ${workspace}`, text };
  try {
    await startJob(ctx, {
      type: "SYSTEM_MAIL",
      fileName: null,
      parameters: {},
      chunks: [{ count: 1, json: JSON.stringify([row]) }],
    });
    return true;
  } catch (err) {
    if (err instanceof AppError && err.code === "SERVICE_UNAVAILABLE") return false;
    throw err;
  }
}

async function withLink({ services, workspaceId }: Context, invite: StoredInvite) {
  const token = await createInviteLink(invite);
  const { url } = await signInPlace(services.settings.publicUrl, workspaceId);
  return { ...view(invite), inviteUrl: `${url}/sign-in/${token}` };
}

/** @throws AppError INVITE_NOT_FOUND */
async function loadInvite(workspaceId: string, inviteId: string): Promise<StoredInvite> {
  const invite = await scoped(workspaceId).Invite.get(inviteId);
  if (invite === null) throw new AppError("INVITE_NOT_FOUND", "No invite of this workspace has this id");
  return invite;
}

/** @throws AppError INVALID_STATE_TRANSITION for an invite that was accepted or revoked */
async function refuseClosed(workspaceId: string, inviteId: string): Promise<void> {
  const { state } = await loadInvite(workspaceId, inviteId);
  if (state === "PENDING") return;
  throw new AppError("INVALID_STATE_TRANSITION", `The invite is ${state}: make a new one`, { status: state });
}

/** Pending invites count as members. @throws AppError LIMIT_EXCEEDED */
async function refuseFull(workspaceId: string): Promise<void> {
  const members = await Membership.countDocuments({ workspaceId }, sessionOption());
  const invited = await scoped(workspaceId).Invite.count({ state: "PENDING", expiresAt: trusted({ $gt: new Date() }) });
  await refuseBeyondLimit(workspaceId, "members", members + invited);
}

async function refuseMember(workspaceId: string, email: string): Promise<void> {
  const person = await User.findOne({ email }, { _id: 1 }, sessionOption()).lean<Pick<User, "_id">>();
  const isIn =
    person !== null &&
    (await Membership.findOne({ workspaceId, userId: person._id }, { _id: 1 }, sessionOption()).lean()) !== null;
  if (isIn) throw new AppError("MEMBER_ALREADY_EXISTS", "This person is already a member");
}

function inDays(): Date {
  return new Date(Date.now() + INVITED_MS);
}

function view(invite: StoredInvite) {
  const { state, expiresAt } = invite;
  return {
    ...invite,
    id: invite._id,
    status: state === "PENDING" && expiresAt <= new Date() ? ("EXPIRED" as const) : state,
  };
}
