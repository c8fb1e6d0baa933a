import { ROLES, type Role } from "../../domain/access/roles.ts";
import { globalModel, instant, type Owned, oneOf, required } from "../../mongo/schema.ts";

/**
 * A person in a workspace. It is looked up by person before any workspace is known, so it is not in a tenant's
 * collection.
 */
export interface Membership extends Owned {
  userId: string;
  role: Role;
  joinedAt: Date | null;
}

export const Membership = globalModel<Membership>(
  "Membership",
  "memberships",
  { workspaceId: required, userId: required, role: oneOf(ROLES, "VIEWER"), joinedAt: instant },
  [{ fields: { workspaceId: 1, userId: 1 }, unique: true }, { fields: { userId: 1 } }],
);
