import { type Role, scopesOf } from "../../domain/access/roles.ts";
import type { Scope } from "../../domain/scopes.ts";
import type { Out } from "./call.ts";
import { useWorkspaceId } from "./path-id.ts";
import { useCall } from "./query.ts";

export type Person = Out<"get /session">;
type Membership = Person["workspaces"][number];

/**
 * The signed-in person's membership in the current workspace; null while it is loading, and if they are not a member.
 */
export function useMembership(): Membership | null {
  const workspaceId = useWorkspaceId();
  const { data } = useCall("get /session", {});
  return data?.workspaces.find(({ id }) => id === workspaceId) ?? null;
}

/** Returns a check of whether the signed-in person's role has a scope here. Actions without the scope are not shown. */
export function useMay(): (scope: Scope) => boolean {
  const role = useMembership()?.role ?? null;
  return (scope) => role !== null && roleHolds(role, scope);
}

function roleHolds(role: Role, scope: Scope): boolean {
  return scopesOf(role).includes(scope);
}
