import { type Role, scopesOf } from "../../domain/access/roles.ts";
import { ApiKey } from "../../models/api-key.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { revokeKey } from "./api-keys.ts";
import { revokeGrantsBeyond } from "./connectors.ts";

/**
 * Ends what a person made in a workspace and what exceeds a role: keys and connectors; all of them without a role (rules/access 1.3). Call
 * it in the transaction that changes the role. `by` is the person who did it.
 */
export async function endCredentialsBeyond(workspaceId: string, userId: string, role: Role | null, by: string): Promise<void> {
  const held = new Set<string>(role === null ? [] : scopesOf(role));
  const keys = await ApiKey.find({ workspaceId, createdBy: userId, revokedAt: null }, null, sessionOption()).lean<ApiKey[]>();
  const exceeding = keys.filter(({ scopes }) => role === null || scopes.some((scope) => !held.has(scope)));
  for (const { _id } of exceeding) await revokeKey(workspaceId, _id, new Date(), by);
  await revokeGrantsBeyond(workspaceId, userId, role === null ? null : scopesOf(role), { kind: "CONSOLE", id: by });
}
