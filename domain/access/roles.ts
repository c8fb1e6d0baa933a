import { ALL_SCOPES, type Scope } from "../scopes.ts";

/** The roles of members, the most powerful first (rules/access 1.1). */
export const ROLES = ["OWNER", "ADMIN", "MEMBER", "VIEWER"] as const;
export type Role = (typeof ROLES)[number];

const NOT_OF_MEMBERS: ReadonlySet<Scope> = new Set([
  "workspace:write",
  "members:read",
  "billing:read",
  "billing:write",
  "agency:read",
  "mailboxes:connect",
]);

const HELD: Readonly<Record<Role, readonly Scope[]>> = {
  OWNER: ALL_SCOPES,
  ADMIN: ALL_SCOPES.filter((scope) => scope !== "billing:write"),
  MEMBER: ALL_SCOPES.filter((scope) => !NOT_OF_MEMBERS.has(scope)),
  VIEWER: ALL_SCOPES.filter(
    (scope) => !NOT_OF_MEMBERS.has(scope) && (scope.endsWith(":read") || scope === "lead_search:browse"),
  ),
};

/**
 * The scopes of a role: what a member with this role may do, and the most that the member's API keys and OAuth grants
 * may allow.
 */
export function scopesOf(role: Role): readonly Scope[] {
  return HELD[role];
}
