import type { Role } from "../../../../domain/access/roles.ts";
import { counted } from "../../format.ts";

/** The texts of the page of members and invites. */
export const membersWords = {
  title: "Members",
  who: "Who",
  role: "Role",
  may: "Role and permissions",
  since: "Member since",
  you: "you",
  changeRole: "Change role…",
  changeRoleOf: (who: string) => `Change the role of ${who}`,
  newRole: "New role",
  changeAct: "Change the role",
  changed: (who: string) => `The role of ${who} is changed.`,
  remove: "Remove",
  leave: "Leave",
  removed: (who: string) => `${who} is removed.`,
  removeEffect: (who: string) => `${who} loses access to this workspace within a second. Campaigns and sequences stay.`,
  leaveEffect: "You lose access to this workspace within a second, unless someone invites you again.",
  ends: (count: number) => `${counted(count, "key or connection", "keys and connections")} of theirs stop working:`,
  endsNothing: "They have no keys and no connections.",
  key: (name: string) => `Key ${name}`,
  connection: (name: string) => `Connection ${name}`,
  empty: "No members found. Reload the page.",

  invites: "Invites",
  invite: "Invite member…",
  inviteFirst: "Send the first invite",
  inviteTitle: "Invite member",
  email: "E-mail address",
  inviteAct: "Create invite link",
  inviteHint: "You can make a member an owner later.",
  noInvites: "No invites yet. An invited person follows a link, sets a password and becomes a member.",
  until: "Link expires",
  invited: "Invited",
  link: "Link",
  linkTitle: "Invite link",
  linkText: (email: string) =>
    `Anyone who opens it joins as ${email}. It works once within seven days and is not shown again.`,
  isMailed: (email: string) => `It was also emailed to ${email}.`,
  isNotMailed: "Outreach does not email invites here. Send the link yourself.",
  done: "Done",
  resend: "New link",
  resendEffect: (email: string) =>
    `This creates a new link for ${email} that works for seven days. The earlier link stops working.`,
  revoke: "Revoke",
  revokeEffect: (email: string) => `The link of ${email} stops working.`,
  revoked: (email: string) => `The invite of ${email} is revoked.`,
} as const;

export const INVITE_STATUS = {
  PENDING: "open",
  ACCEPTED: "joined",
  REVOKED: "revoked",
  EXPIRED: "expired",
} as const;

/** What a member with each role may do, in one sentence. */
export const ROLE_MAY: Record<Role, string> = {
  OWNER: "Full access, including billing and other owners.",
  ADMIN: "Full access except billing and owners.",
  MEMBER:
    "Creates, launches and stops campaigns and answers replies. Cannot connect mailboxes or see members and billing.",
  VIEWER: "Read-only access to campaigns, leads and replies.",
};
