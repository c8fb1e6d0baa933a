import type { ItemOf, Out } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";

export type Member = ItemOf<"get /members">;
export type Invite = ItemOf<"get /invites">;
export type Key = Out<"get /api-keys">[number];
export type Connection = Out<"get /connections">[number];

/** The largest page that the service returns. */
const MOST = 200;

/** Whether a key is neither revoked nor expired. */
export function isLiving({ revokedAt, expiresAt }: Pick<Key, "revokedAt" | "expiresAt">): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

export type NameOf = (userId: string) => string | null;

/** The workspace's members, and their names by id. People who cannot see members get only their own name. */
export function useMemberNames(): { members: readonly Member[]; nameOf: NameOf } {
  const may = useMay();
  const { data: person } = useCall("get /session", {});
  const { data } = useCall("get /members", { pageSize: MOST }, { isOff: !may("members:read") });
  const members = data?.items ?? [];
  const names = new Map(members.map(({ userId, name, email }) => [userId, name ?? email]));
  if (person !== undefined) names.set(person.userId, person.name ?? person.email);
  return { members, nameOf: (userId) => names.get(userId) ?? null };
}
