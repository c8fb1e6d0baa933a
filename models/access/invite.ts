import { ROLES, type Role } from "../../domain/access/roles.ts";
import { instant, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

/** The stored states of an invite. An invite that is still PENDING after its expiry is shown as EXPIRED. */
const INVITE_STATES = ["PENDING", "ACCEPTED", "REVOKED"] as const;

/** An invitation into a workspace. Its link is in `sign_in_links`. */
export interface Invite extends Owned {
  /** In lower case. */
  email: string;
  role: Role;
  state: (typeof INVITE_STATES)[number];
  expiresAt: Date;
  /** The person who invited. */
  invitedBy: string;
  acceptedAt: Date | null;
}

export const Invite = tenantModel<Invite>(
  "Invite",
  "invites",
  {
    email: required,
    role: oneOf(ROLES, "VIEWER"),
    state: oneOf(INVITE_STATES, "PENDING"),
    expiresAt: { type: Date, required: true },
    invitedBy: required,
    acceptedAt: instant,
  },
  [
    // An address has at most one open invite
    { fields: { workspaceId: 1, email: 1 }, unique: true, name: "one_pending", where: { state: "PENDING" } },
    { fields: { workspaceId: 1, createdAt: -1 } },
  ],
);
