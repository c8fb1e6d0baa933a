import type { Role } from "../../../../domain/access/roles.ts";

/** What somebody of each role may do, in one sentence. */
export const ROLE_MAY: Record<Role, string> = {
  OWNER: "Full access, including billing and other owners.",
  ADMIN: "Full access except billing and owners.",
  MEMBER: "Creates, launches and stops campaigns and answers replies. Cannot connect mailboxes or see members and billing.",
  VIEWER: "Read-only access to campaigns, leads and replies.",
};
